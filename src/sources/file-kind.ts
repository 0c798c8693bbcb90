import { extname } from 'node:path'
import type { Source } from '../citations/source.ts'
import type { Unreadable } from './document.ts'

/**
 * The kind of a file, from its first bytes and name. For an unsupported file, `named` says what it is and `hint` what to
 * do with it.
 */
export type FileKind =
  | { readonly kind: Source['kind'] }
  | {
      readonly kind: 'unsupported'
      readonly named: string
      readonly hint?: string
      readonly isLocked?: true
    }

/** How many leading bytes are inspected. */
export const sniffedBytes = 4_096
/** The supported kinds, for display. */
export const readKinds =
  'PDF, Word, Excel, PowerPoint, EPUB, HTML, CSV, Markdown, text, pictures and .zip'
/** PDF readers accept a header within this many bytes. */
const pdfHeaderWithinBytes = 1_024

const kindsByExtension: Readonly<Record<string, Source['kind']>> = {
  '.md': 'markdown',
  '.markdown': 'markdown',
  '.mdown': 'markdown',
  '.mkd': 'markdown',
  '.mdx': 'markdown',
  '.rmd': 'markdown',
  '.qmd': 'markdown',
  '.html': 'html',
  '.htm': 'html',
  '.xhtml': 'html',
  '.csv': 'csv',
  '.tsv': 'csv',
  '.tab': 'csv',
}
const dataHint = 'Save the relevant parts as text, Markdown or CSV and add that.'
const pageHint = 'Save it as a PDF and add that.'
/** Text formats that are not prose: read as plain text, their markup would be taken for content. */
const markupExtensions: Readonly<Record<string, readonly [named: string, hint: string]>> = {
  '.rtf': ['a rich-text document', 'Save it as a Word document (.docx) and add that.'],
  '.mht': ['a saved web archive', 'Save the page as HTML only, or as a PDF, and add that.'],
  '.mhtml': ['a saved web archive', 'Save the page as HTML only, or as a PDF, and add that.'],
  '.svg': ['a drawing', pageHint],
  '.xml': ['XML data', dataHint],
  '.json': ['JSON data', dataHint],
  '.jsonl': ['JSON data', dataHint],
  '.ndjson': ['JSON data', dataHint],
  '.ipynb': ['a notebook', 'Save it as Markdown or HTML and add that.'],
  '.css': ['a style sheet', 'Add the page it belongs to.'],
  '.bib': ['a list of references', 'Add the papers it lists.'],
  '.ps': ['a PostScript document', pageHint],
  '.eps': ['a PostScript picture', pageHint],
}
const oldOffice: Readonly<Record<string, readonly [named: string, hint: string]>> = {
  '.doc': ['an old Word document', 'Save it as .docx and add that.'],
  '.xls': ['an old Excel workbook', 'Save it as .xlsx and add that.'],
  '.ppt': ['an old PowerPoint presentation', 'Save it as .pptx and add that.'],
  '.msg': ['an Outlook message', 'Save it as text or a PDF and add that.'],
}
const newOffice = /^\.(?:docx|docm|xlsx|xlsm|pptx|pptm)$/
const oleStart = '\xd0\xcf\x11\xe0'
/** Formats by their leading bytes, as Latin-1. */
const signatures: readonly (readonly [start: string, named: string])[] = [
  ['\x1f\x8b', 'a compressed file'],
  ['BZh', 'a compressed file'],
  ['\xfd7zXZ', 'a compressed file'],
  ['(\xb5/\xfd', 'a compressed file'],
  ['7z\xbc\xaf', 'an archive'],
  ['Rar!', 'an archive'],
  ['RIFF', 'an audio or video file'],
  ['BM', 'a picture'],
  ['\x7fELF', 'a program'],
  ['MZ\x90\0', 'a program'],
  ['\xca\xfe\xba\xbe', 'a program'],
  ['\xcf\xfa\xed\xfe', 'a program'],
  ['SQLite format 3\0', 'a database'],
  ['ID3', 'a sound'],
  ['OggS', 'an audio or video file'],
  ['fLaC', 'a sound'],
  ['\x1aE\xdf\xa3', 'a video'],
  ['{\\rtf', 'a rich-text document'],
  ['%!PS', 'a PostScript document'],
]
const signatureHints: Readonly<Record<string, string>> = {
  'a compressed file': 'Unpack it and add the files.',
  'an archive': 'Unpack it and add the files, or pack it as .zip.',
  'a rich-text document': 'Save it as a Word document (.docx) and add that.',
}
const pictureStarts = ['\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'GIF87a', 'GIF89a', 'II*\0', 'MM\0*']
/**
 * Brands of the container format shared by films and modern pictures.
 * @see https://mp4ra.org/registered-types/brands
 */
const pictureBrand = /^(?:hei[cfmsx]|hev[cmsx]|mif1|msf1|avif|avis|jxl )$/
const htmlStart = /^<(?:!doctype\s+html|html)[\s>]/i
const webArchiveStart =
  /^(?:From: <Saved by|MIME-Version: 1\.0\s+Content-Type: multipart\/related)/i

/** Whether a file with these leading bytes is a zip archive, of files or of a document's parts. */
export function isZip(start: Uint8Array): boolean {
  const [p, k, third, fourth] = start
  return (
    p === 0x50 && k === 0x4b && ((third === 3 && fourth === 4) || (third === 5 && fourth === 6))
  )
}

/** The kind of a file that is not a zip. Content decides; the name only where content does not (Markdown is text). */
export function detectFileKind(start: Uint8Array, path: string): FileKind {
  const extension = extname(path).toLowerCase()
  const head = Buffer.from(
    start.buffer,
    start.byteOffset,
    Math.min(start.length, sniffedBytes),
  ).toString('latin1')
  if (isPdf(head, extension)) return { kind: 'pdf' }
  return (
    detectBinary(head, extension) ??
    detectMarkup(head, extension) ?? { kind: kindsByExtension[extension] ?? 'text' }
  )
}

/** Why a file of an unsupported kind is refused. */
export function refuseUnsupported({
  named,
  hint,
  isLocked,
}: FileKind & { kind: 'unsupported' }): Unreadable {
  if (isLocked) {
    const free = 'Remove the password in its own program and add the result.'
    return { reason: 'encrypted', detail: 'It is password-protected.', hint: free }
  }
  return {
    reason: 'unsupported_kind',
    detail: `It is ${named}.`,
    hint: hint ?? `Supported: ${readKinds}. Save it as one of these and add that.`,
  }
}

function isPdf(head: string, extension: string): boolean {
  const header = head.slice(0, pdfHeaderWithinBytes).indexOf('%PDF-')
  const isMarked =
    header >= 0 &&
    (extension === '.pdf' || head.slice(0, header).replace('\xef\xbb\xbf', '').trim() === '')
  return isMarked || (extension === '.pdf' && head !== '' && !/^\s*</.test(head))
}

function detectBinary(head: string, extension: string): FileKind | undefined {
  if (pictureStarts.some((start) => head.startsWith(start))) return { kind: 'image' }
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return { kind: 'image' }
  if (head.slice(4, 8) === 'ftyp') {
    if (pictureBrand.test(head.slice(8, 12))) return { kind: 'image' }
    return { kind: 'unsupported', named: 'an audio or video file' }
  }
  if (head.startsWith(oleStart)) {
    // New Office formats use this container only for encrypted documents.
    if (newOffice.test(extension)) return { kind: 'unsupported', named: '', isLocked: true }
    const [named, hint] = oldOffice[extension] ?? ['an old Office document', undefined]
    return {
      kind: 'unsupported',
      named,
      hint: hint ?? 'Save it as .docx, .xlsx or .pptx and add that.',
    }
  }
  const found = signatures.find(([start]) => head.startsWith(start))?.[1]
  // Two letters are not enough: a text may start with them.
  if (found === undefined || (found === 'a picture' && !head.includes('\0'))) return undefined
  const hint = signatureHints[found]
  return { kind: 'unsupported', named: found, ...(hint === undefined ? {} : { hint }) }
}

function detectMarkup(head: string, extension: string): FileKind | undefined {
  if (head === '') return undefined
  if (extension === '.pdf') {
    const named = 'a web page with the name of a PDF'
    return {
      kind: 'unsupported',
      named,
      hint: 'Open its address in a browser and download the PDF.',
    }
  }
  const [named, hint] = markupExtensions[webArchiveStart.test(head) ? '.mhtml' : extension] ?? []
  if (named !== undefined && hint !== undefined) return { kind: 'unsupported', named, hint }
  return htmlStart.test(skipComments(head)) ? { kind: 'html' } : undefined
}

/** Skips a byte order mark, an XML declaration and comments. */
function skipComments(head: string): string {
  let rest = head.replace(/^\xef\xbb\xbf/, '').trimStart()
  while (rest.startsWith('<!--') || rest.startsWith('<?')) {
    const end = rest.indexOf(rest.startsWith('<?') ? '?>' : '-->')
    if (end < 0) return ''
    rest = rest.slice(end).replace(/^(?:\?|--)>\s*/, '')
  }
  return rest
}
