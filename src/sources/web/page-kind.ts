import { isUtf8 } from 'node:buffer'
import { extname } from 'node:path'
import type { Unreadable } from '../document.ts'
import { detectFileKind, isZip } from '../file-kind.ts'
import { decodeWith } from '../files/text/decode-text.ts'

/** The media types of pages and documents; the content is checked as well. */
export const pageTypes: readonly string[] = [
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

const office = 'application/vnd.openxmlformats-officedocument.'
/** The corresponding file name extensions. */
const extensions: Readonly<Record<string, string>> = {
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
  [`${office}wordprocessingml.document`]: '.docx',
  [`${office}spreadsheetml.sheet`]: '.xlsx',
  [`${office}presentationml.presentation`]: '.pptx',
}
/** Types less specific than the address's extension; raw files are served with them. */
const vagueTypes: ReadonlySet<string> = new Set([
  '',
  'text/plain',
  'application/octet-stream',
  'binary/octet-stream',
  'application/force-download',
  'application/x-download',
  'application/zip',
])
/** Text types that are program code. */
const programTypes = /^text\/(?:javascript|ecmascript|x-.*script|calendar|vcard|event-stream)$/

/** The file name for an address and media type, used by readers if the bytes do not tell. */
export function pageFileName(url: URL, contentType: string | undefined): string {
  const type = parseMediaType(contentType)
  const last = decodeComponent(url.pathname.split('/').findLast((part) => part !== '') ?? '')
  const name = last.replace(/[\\/\p{Cc}]/gu, '_').slice(-150) || url.hostname
  // A host name does not end in a file extension.
  const ending = last === '' ? '' : extname(name)
  const own = /^\.[a-z][a-z\d]{0,7}$/i.test(ending) ? ending : ''
  if (vagueTypes.has(type)) return own === '' ? `${name}.txt` : name
  const extension = extensions[type] ?? '.txt'
  const isSame = own.toLowerCase() === extension
  return isSame ? name : `${own === '' ? name : name.slice(0, -own.length)}${extension}`
}

/** Whether the response is a web page, which is read with its address. */
export function isPage(bytes: Uint8Array, name: string): boolean {
  return !isZip(bytes) && detectFileKind(bytes, name).kind === 'html'
}

/** Why a response is refused by its media type alone. */
export function refuseType(contentType: string | undefined): Unreadable | undefined {
  const type = parseMediaType(contentType)
  if (!programTypes.test(type)) return undefined
  const hint = 'Look for a copy as a web page, PDF or text.'
  return { reason: 'unsupported_kind', detail: `Its type ${type} is not text.`, hint }
}

function decodeComponent(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const textTypes = /^(?:text\/.*|application\/(?:xhtml\+xml|csv))$/
const utf8Mark = '\ufeff'
/** This many non-ASCII bytes are valid UTF-8 by chance in no other encoding; many servers declare a wrong one. */
const minUtf8Bytes = 8

/**
 * Converts a text to marked UTF-8 if the response's header declares another encoding, which overrides the text's own
 * declaration but not a byte order mark; otherwise returns the same bytes.
 * @see https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding
 */
export function toUtf8(bytes: Uint8Array, contentType: string | undefined): Uint8Array {
  const charset = textTypes.test(parseMediaType(contentType))
    ? parseCharset(contentType)
    : undefined
  if (charset === undefined || charset === 'utf-8' || hasMark(bytes)) return bytes
  if (isSurelyUtf8(bytes)) return bytes
  const text = decodeWith(new TextDecoder(charset), bytes)
  return new TextEncoder().encode(utf8Mark + text)
}

function hasMark([first, second, third]: Uint8Array): boolean {
  return (
    (first === 0xef && second === 0xbb && third === 0xbf) ||
    (first === 0xff && second === 0xfe) ||
    (first === 0xfe && second === 0xff)
  )
}

function isSurelyUtf8(bytes: Uint8Array): boolean {
  let high = 0
  for (let index = 0; index < bytes.length && high < minUtf8Bytes; index++) {
    if ((bytes[index] as number) >= 0x80) high++
  }
  return high >= minUtf8Bytes && isUtf8(bytes)
}

/** The media type of a `content-type` header in lower case, without parameters; `''` if missing. */
export function parseMediaType(contentType: string | undefined): string {
  const type = (contentType ?? '').split(/[;,]/, 1)[0]?.trim().toLowerCase() ?? ''
  return /^[\w.+*-]{1,100}\/[\w.+*-]{1,100}$/.test(type) ? type : ''
}

/** The standard name of the encoding in a `content-type` header; `undefined` if missing or unknown. */
function parseCharset(contentType: string | undefined): string | undefined {
  const label = /;\s*charset\s*=\s*["']?([^\s"';,]{1,40})/i.exec(contentType ?? '')?.[1]
  try {
    return label === undefined ? undefined : new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}

/** Whether a response of this type is accepted: unknown types are, and all if none is named. */
export function acceptsType(
  accept: readonly string[] | undefined,
  contentType: string | undefined,
): boolean {
  const type = parseMediaType(contentType)
  if (accept === undefined || type === '') return true
  const anyOfKind = `${type.split('/', 1)[0]}/*`
  return accept.some((range) => range === type || range === anyOfKind || range === '*/*')
}
