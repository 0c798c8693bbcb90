import { extname } from 'node:path'
import type { Unreadable } from '../document.ts'
import { fileKind, isZip } from '../file-kind.ts'
import { mediaType } from './media-type.ts'

/** The media types that pages and documents come as; what comes is looked at besides. */
export const PAGE_TYPES: readonly string[] = [
  'text/*',
  'application/xhtml+xml',
  'application/pdf',
  'application/x-pdf',
  'application/epub+zip',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/octet-stream',
  'binary/octet-stream',
  'application/force-download',
  'application/x-download',
  'application/zip',
  'application/msword',
  'application/csv',
  'image/*',
]

const OFFICE = 'application/vnd.openxmlformats-officedocument.'
/** The file names' endings that say the same. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'text/html': '.html',
  'application/xhtml+xml': '.html',
  'application/pdf': '.pdf',
  'application/x-pdf': '.pdf',
  'text/markdown': '.md',
  'text/x-markdown': '.md',
  'text/csv': '.csv',
  'application/csv': '.csv',
  'text/tab-separated-values': '.tsv',
  'text/xml': '.xml',
  'text/json': '.json',
  'text/css': '.css',
  'text/rtf': '.rtf',
  'image/svg+xml': '.svg',
  'application/epub+zip': '.epub',
  [`${OFFICE}wordprocessingml.document`]: '.docx',
  [`${OFFICE}spreadsheetml.sheet`]: '.xlsx',
  [`${OFFICE}presentationml.presentation`]: '.pptx',
}
/** Types that say less than the address's own ending: raw files are served as such. */
const VAGUE_TYPES: ReadonlySet<string> = new Set([
  '',
  'text/plain',
  'application/octet-stream',
  'binary/octet-stream',
  'application/force-download',
  'application/x-download',
  'application/zip',
])
/** Text that is a program's. */
const PROGRAM_TYPES = /^text\/(?:javascript|ecmascript|x-.*script|calendar|vcard|event-stream)$/

/** The file's name that an address and its answer's type stand for: the readers go by it where the bytes leave it open. */
export function pageFileName(url: URL, contentType: string | undefined): string {
  const type = mediaType(contentType)
  const last = decoded(url.pathname.split('/').findLast((part) => part !== '') ?? '')
  const name = last.replace(/[\\/\p{Cc}]/gu, '_').slice(-150) || url.hostname
  // A host's name ends in no file's ending.
  const ending = last === '' ? '' : extname(name)
  const own = /^\.[a-z][a-z\d]{0,7}$/i.test(ending) ? ending : ''
  if (VAGUE_TYPES.has(type)) return own === '' ? `${name}.txt` : name
  const extension = EXTENSIONS[type] ?? '.txt'
  const isSame = own.toLowerCase() === extension
  return isSame ? name : `${own === '' ? name : name.slice(0, -own.length)}${extension}`
}

/** Whether what came is a web page, which is read with its address. */
export function isPage(bytes: Uint8Array, name: string): boolean {
  return !isZip(bytes) && fileKind(bytes, name).kind === 'html'
}

/** Why what came is refused by its type alone. */
export function refusedType(contentType: string | undefined): Unreadable | undefined {
  const type = mediaType(contentType)
  if (!PROGRAM_TYPES.test(type)) return undefined
  const hint = 'Look for a copy as a web page, PDF or text.'
  return { reason: 'unsupported_kind', detail: `Its type ${type} is not text.`, hint }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
