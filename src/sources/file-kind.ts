import { extname } from 'node:path'
import type { Source } from '../citations/source.ts'

/** What a file is, told by its first bytes and its name; `named` is what an unsupported file is, for a person. */
export type FileKind =
  | { readonly kind: Source['kind'] }
  | { readonly kind: 'unsupported'; readonly named: string }

/** How many of a file's first bytes tell what it is. */
export const SNIFFED_BYTES = 4_096
/** Readers accept a PDF whose header stands this far in. */
const PDF_HEADER_WITHIN_BYTES = 1_024

const MARKDOWN_EXTENSIONS = ['.md', '.markdown', '.mdown', '.mkd', '.mdx', '.rmd', '.qmd']
/** Text that is no prose: without a reader of its own its markup would be taken for what it says. */
const MARKUP_EXTENSIONS: Readonly<Record<string, string>> = {
  '.html': 'a web page',
  '.htm': 'a web page',
  '.xhtml': 'a web page',
  '.rtf': 'a rich-text document',
  '.svg': 'a picture',
  '.xml': 'XML data',
  '.json': 'JSON data',
  '.jsonl': 'JSON data',
  '.ndjson': 'JSON data',
  '.csv': 'a table of data',
  '.tsv': 'a table of data',
  '.css': 'a style sheet',
  '.bib': 'a list of references',
  '.ps': 'a PostScript document',
  '.eps': 'a PostScript picture',
}
const ZIP_EXTENSIONS: Readonly<Record<string, string>> = {
  '.docx': 'a Word document',
  '.xlsx': 'an Excel workbook',
  '.pptx': 'a PowerPoint presentation',
  '.odt': 'an OpenDocument text',
  '.ods': 'an OpenDocument spreadsheet',
  '.odp': 'an OpenDocument presentation',
  '.epub': 'an e-book',
  '.pages': 'a Pages document',
}
/** Formats by the bytes they begin with, as Latin-1. */
const SIGNATURES: readonly (readonly [start: string, named: string])[] = [
  ['\x89PNG', 'a picture'],
  ['\xff\xd8\xff', 'a picture'],
  ['GIF8', 'a picture'],
  ['II*\0', 'a picture'],
  ['MM\0*', 'a picture'],
  ['RIFF', 'a picture, sound or video'],
  ['\x1f\x8b', 'a compressed file'],
  ['BZh', 'a compressed file'],
  ['\xfd7zXZ', 'a compressed file'],
  ['(\xb5/\xfd', 'a compressed file'],
  ['7z\xbc\xaf', 'an archive'],
  ['Rar!', 'an archive'],
  ['\xd0\xcf\x11\xe0', 'an old Office document'],
  ['\x7fELF', 'a program'],
  ['MZ\x90\0', 'a program'],
  ['\xca\xfe\xba\xbe', 'a program'],
  ['\xcf\xfa\xed\xfe', 'a program'],
  ['SQLite format 3\0', 'a database'],
  ['ID3', 'a sound'],
  ['OggS', 'a sound or video'],
  ['fLaC', 'a sound'],
  ['\x1aE\xdf\xa3', 'a video'],
  ['{\\rtf', 'a rich-text document'],
  ['%!PS', 'a PostScript document'],
]

/** What a file is. Content decides; the name only where content leaves it open (Markdown is text). */
export function fileKind(start: Uint8Array, path: string): FileKind {
  const extension = extname(path).toLowerCase()
  const head = Buffer.from(
    start.buffer,
    start.byteOffset,
    Math.min(start.length, SNIFFED_BYTES),
  ).toString('latin1')
  const header = head.slice(0, PDF_HEADER_WITHIN_BYTES).indexOf('%PDF-')
  const isPdf =
    header >= 0 &&
    (extension === '.pdf' || head.slice(0, header).replace('\xef\xbb\xbf', '').trim() === '')
  if (isPdf || (extension === '.pdf' && start.length > 0 && !/^\s*</.test(head)))
    return { kind: 'pdf' }
  if (head.startsWith('PK\x03\x04'))
    return { kind: 'unsupported', named: ZIP_EXTENSIONS[extension] ?? 'an archive' }
  const signature = SIGNATURES.find(([bytes]) => head.startsWith(bytes))
  if (signature !== undefined) return { kind: 'unsupported', named: signature[1] }
  if (head.slice(4, 8) === 'ftyp') return { kind: 'unsupported', named: 'a video or picture' }
  const markup =
    extension === '.pdf' ? 'a web page under the name of a PDF' : MARKUP_EXTENSIONS[extension]
  if (markup !== undefined && start.length > 0) return { kind: 'unsupported', named: markup }
  return { kind: MARKDOWN_EXTENSIONS.includes(extension) ? 'markdown' : 'text' }
}
