import { pageOf, type Reply } from '../web/services.ts'
import { sentence } from '../web/web-world.ts'

/** What comes before the planted texts. */
const opening = `${sentence}. It was found near the town of Harrowmere.`

/** A page of the web in which the texts stand, a paragraph each. */
export function pageWith(texts: readonly string[]): Reply {
  return { body: pageOf('Glimmerstone', opening, ...texts.map(escaped)) }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

const lineChars = 88
const linesPerPage = 56

/** A PDF in which the texts stand; what is not in ASCII is left out. */
export function pdfWith(texts: readonly string[]): Reply {
  const lines = [opening, ...texts].flatMap((text) => ['', ...wrapped(asciiOf(text))])
  const pages = Array.from({ length: Math.ceil(lines.length / linesPerPage) }, (_, index) =>
    lines.slice(index * linesPerPage, (index + 1) * linesPerPage),
  )
  return { headers: { 'content-type': 'application/pdf' }, body: pdfOf(pages.map(contentOf)) }
}

/** As much of a text as the PDF holds. */
export function asciiOf(text: string): string {
  return text.replaceAll(/[^\n -~]/g, '')
}

function wrapped(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => line.match(pieces) ?? [''])
}

const pieces = new RegExp(`.{1,${lineChars}}(?:\\s|$)|\\S{1,${lineChars}}`, 'g')

function contentOf(lines: readonly string[]): string {
  const shown = lines.map((line) => `(${line.replaceAll(/[\\()]/g, '\\$&')}) Tj T*`)
  return `BT /F1 10 Tf 13 TL 50 750 Td\n${shown.join('\n')}\nET`
}

/** @see https://opensource.adobe.com/dc-acrobat-sdk-docs/pdfstandards/PDF32000_2008.pdf (annex H.3) */
function pdfOf(contents: readonly string[]): string {
  const pageNumber = (index: number) => 4 + 2 * index
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${contents.map((_, index) => `${pageNumber(index)} 0 R`).join(' ')}] /Count ${contents.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>',
    ...contents.flatMap((content, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 640 800] /Contents ${pageNumber(index) + 1} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ]),
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`
  return `${text}${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
}

/** The address of the one video. */
export const videoUrl = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'

/** What YouTube answers for a video in which the texts are said. */
export function videoWith(texts: readonly string[], path: string): Reply {
  const player = {
    playabilityStatus: { status: 'OK' },
    videoDetails: {
      videoId: 'dQw4w9WgXcQ',
      title: 'A talk',
      author: 'Ada Quill',
      lengthSeconds: '65',
    },
    captions: {
      playerCaptionsTracklistRenderer: {
        captionTracks: [{ languageCode: 'en', baseUrl: '/api/timedtext?v=dQw4w9WgXcQ&lang=en' }],
      },
    },
  }
  if (path === '/watch')
    return { body: `<script>ytInitialPlayerResponse = ${JSON.stringify(player)}</script>` }
  if (path !== '/api/timedtext') return { body: player }
  const events = [opening, ...texts].map((utf8, index) => ({
    tStartMs: index * 9_000,
    segs: [{ utf8 }],
  }))
  return { body: { events } }
}
