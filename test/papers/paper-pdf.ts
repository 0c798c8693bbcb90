/** What a PDF of the tests says. */
export interface PdfContent {
  readonly title: string
  readonly authors: readonly string[]
  readonly abstract: string
  readonly sections: readonly {
    readonly heading: string
    readonly paragraphs: readonly string[]
  }[]
  readonly references?: readonly string[]
  /** Bytes of nothing, to make the file as large as a test needs it. */
  readonly paddingBytes?: number
}

/** A line of a page. */
interface Line {
  readonly text: string
  readonly sizePoints: number
  readonly isBold: boolean
  /** White space above, in points. */
  readonly above: number
}

const pageHeight = 792
const margin = 72
const bodyPoints = 10
const charsPerLine = 88

/** A valid PDF of version 1.4: title, authors, abstract, sections and references in one column, nothing packed. ASCII only. */
export function paperPdf(content: PdfContent): Buffer {
  const pages = pagesOf(linesOf(content))
  const kids = pages.map((_, index) => `${6 + 2 * index} 0 R`).join(' ')
  const padding = ' '.repeat(content.paddingBytes ?? 0)
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>',
    `<< /Title (${escaped(content.title)}) /Author (${escaped(content.authors.join(', '))}) >>`,
    ...pages.flatMap((page, index) => {
      const fonts = '<< /Font << /F1 3 0 R /F2 4 0 R >> >>'
      const box = `/MediaBox [0 0 612 ${pageHeight}]`
      return [
        `<< /Type /Page /Parent 2 0 R ${box} /Resources ${fonts} /Contents ${7 + 2 * index} 0 R >>`,
        stream(page),
      ]
    }),
    ...(padding === '' ? [] : [stream(padding)]),
  ]
  return Buffer.from(file(objects), 'latin1')
}

function linesOf({ title, authors, abstract, sections, references = [] }: PdfContent): Line[] {
  const heading = (text: string): Line => ({ text, sizePoints: 13, isBold: true, above: 12 })
  const body = (text: string): Line[] =>
    wrapped(text).map((line, index) => ({
      text: line,
      sizePoints: bodyPoints,
      isBold: false,
      above: index === 0 ? 6 : 0,
    }))
  return [
    { text: title, sizePoints: 18, isBold: true, above: 0 },
    { text: authors.join(', '), sizePoints: 11, isBold: false, above: 8 },
    heading('Abstract'),
    ...body(abstract),
    ...sections.flatMap(({ heading: name, paragraphs }, index) => [
      heading(`${index + 1} ${name}`),
      ...paragraphs.flatMap(body),
    ]),
    ...(references.length === 0 ? [] : [heading('References')]),
    ...references.flatMap((reference, index) => body(`[${index + 1}] ${reference}`)),
  ]
}

function wrapped(text: string): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length >= charsPerLine) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}

/** The drawing of each page. */
function pagesOf(lines: readonly Line[]): readonly string[] {
  const pages: string[] = []
  let top = Number.NEGATIVE_INFINITY
  for (const { text, sizePoints, isBold, above } of lines) {
    const height = sizePoints * 1.3
    if (top - above - height < margin) {
      pages.push('')
      top = pageHeight - margin
    }
    top -= above + height
    const font = isBold ? '/F2' : '/F1'
    const drawn = `BT ${font} ${sizePoints} Tf 1 0 0 1 ${margin} ${top.toFixed(2)} Tm (${escaped(text)}) Tj ET\n`
    pages[pages.length - 1] += drawn
  }
  return pages
}

function escaped(text: string): string {
  return text.replace(/[\\()]/g, '\\$&').replace(/[^\x20-\x7e]/g, '?')
}

function stream(text: string): string {
  return `<< /Length ${text.length} >>\nstream\n${text}\nendstream`
}

function file(objects: readonly string[]): string {
  const parts = ['%PDF-1.4\n']
  const offsets: number[] = []
  let length = parts[0]?.length ?? 0
  for (const [index, object] of objects.entries()) {
    const written = `${index + 1} 0 obj\n${object}\nendobj\n`
    offsets.push(length)
    parts.push(written)
    length += written.length
  }
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  const size = objects.length + 1
  parts.push(
    `xref\n0 ${size}\n0000000000 65535 f \n${entries.join('')}`,
    `trailer\n<< /Size ${size} /Root 1 0 R /Info 5 0 R >>\nstartxref\n${length}\n%%EOF\n`,
  )
  return parts.join('')
}
