import type { Hash } from '../../../kernel/json.ts'
import { type Document, type Reader, refuse, type Unreadable } from '../../document.ts'
import { type DecodedText, decodeText, decodeWith } from '../text/decode-text.ts'
import { type DomDocument, type DomElement, parseHtml } from './dom.ts'
import { elementText } from './element-text.ts'
import { brokenPage } from './html-to-text.ts'
import { readPageMetadata } from './page-metadata.ts'
import { prepareDocument } from './prepare.ts'
import { narrowToBody, pruneAsides, pruneNamed } from './prune.ts'

/** What a page's text makes: a {@link Document} without what only the bytes tell. */
export type HtmlContent = Pick<Document, 'title' | 'text' | 'pages' | 'sections' | 'csl' | 'notes'>

/** What is known of a page beside its text. */
export interface ReadHtmlOptions {
  /** Where it was fetched; relative addresses are read against it. Default: the path, if it is a web address. */
  readonly url?: string | undefined
}

/**
 * The main text of a web page with its metadata as CSL-JSON, or why it gives none; tell them apart by `'reason' in`.
 * Never throws for what a page holds. Pages beyond the limits of `page-limits.ts` are refused before they are parsed;
 * one within them may still take seconds, without a pause in between: run it where it can be ended.
 */
export async function readHtml(
  html: string,
  contentHash: Hash,
  path: string,
  options: ReadHtmlOptions = {},
): Promise<HtmlContent | Unreadable> {
  try {
    const document = await parseHtml(html)
    if ('reason' in document) return document
    const url = options.url ?? (/^https?:\/\//.test(path) ? path : undefined)
    const csl = readPageMetadata(document, { id: contentHash, path, url })
    prepareDocument(document)
    const { text, sections } = await extractMainText(document)
    if (text === '')
      return { reason: 'no_text', detail: 'The page shows no text.', hint: noTextHint }
    return { title: csl.title, text, pages: [], sections, csl, notes: [] }
  } catch (error) {
    return brokenPage(error)
  }
}

const noTextHint =
  'It may be written by a script when it is opened: open it in a browser and save what it shows.'

/** {@link readHtml} of bytes: the encoding is the byte order mark's, or UTF-8 if they are, or what the page declares. */
export async function readHtmlBytes(
  bytes: Uint8Array,
  contentHash: Hash,
  path: string,
  options: ReadHtmlOptions = {},
): Promise<HtmlContent | Unreadable> {
  const decoded = decodeHtml(bytes)
  if (decoded === undefined) {
    const hint = 'Check that it was saved or fetched whole.'
    return { reason: 'not_text', detail: 'Most of its bytes are no text.', hint }
  }
  const content = await readHtml(decoded.text, contentHash, path, options)
  return 'reason' in content ? content : { ...content, notes: [...decoded.notes, ...content.notes] }
}

/** A page declares its encoding in its first bytes; standards ask for 1,024, pages need more. */
const declaredWithinBytes = 8_192
/** So many bytes outside ASCII are UTF-8 by chance in no other encoding. */
const minUtf8Bytes = 8

/**
 * A page's bytes as text: by its byte order mark; as UTF-8 if they are that, whatever the page declares (saved pages
 * keep what they declared before); else by what it declares; else as {@link decodeText} reads any text.
 * @see https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding
 */
export function decodeHtml(bytes: Uint8Array): DecodedText | undefined {
  const hasMark = /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/.test(latin1(bytes.subarray(0, 3)))
  const label = hasMark ? undefined : findDeclaredEncoding(bytes)
  const decoder = label === undefined ? undefined : createDecoder(label)
  if (decoder === undefined || decoder.encoding === 'utf-8' || isSurelyUtf8(bytes)) {
    return decodeText(bytes)
  }
  const decoded = decodeWith(decoder, bytes)
  const invalid = decoded.split('\ufffd').length - 1
  if (invalid > 0.3 * decoded.length) return undefined
  const notes =
    invalid === 0
      ? []
      : [`places that are not valid ${decoder.encoding} and stand as \ufffd: ${invalid}`]
  return { text: decoded.replaceAll('\0', '').replace(/\r\n?/g, '\n').toWellFormed(), notes }
}

function findDeclaredEncoding(bytes: Uint8Array): string | undefined {
  const head = latin1(bytes.subarray(0, declaredWithinBytes)).replace(/<!--[\s\S]*?-->/g, '')
  const declared = /<meta\b[^>]{0,500}?\bcharset\s*=\s*["']?\s*([\w:.()-]{1,40})/i.exec(head)
  const xml = /^\s*<\?xml\b[^>]{0,200}\bencoding\s*=\s*["']([\w:.-]{1,40})/i.exec(head)
  return (declared ?? xml)?.[1]
}

/** A page whose declaration can be read in single bytes is not UTF-16, even where it says so. */
function createDecoder(label: string): TextDecoder | undefined {
  try {
    const decoder = new TextDecoder(label)
    return decoder.encoding.startsWith('utf-16') ? new TextDecoder() : decoder
  } catch {
    return undefined
  }
}

function isSurelyUtf8(bytes: Uint8Array): boolean {
  let high = 0
  for (let index = 0; index < bytes.length && high < minUtf8Bytes; index++) {
    if ((bytes[index] as number) >= 0x80) high++
  }
  if (high < minUtf8Bytes) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
}

/** A shorter text is only taken for the main one if it is most of the page's. */
const minMainChars = 250

/**
 * The main text of a prepared document with its headings. Where nothing reads like an article (a short page, a list of
 * links), all of the page but its navigation. Changes the document.
 */
async function extractMainText(document: DomDocument): Promise<ReturnType<typeof elementText>> {
  pruneNamed(document.body)
  const whole = elementText(document.body)
  const article = await findArticle(document)
  if (article === undefined) return whole
  const body = narrowToBody(article)
  pruneNamed(body)
  pruneAsides(body)
  const main = elementText(body)
  const isEnough = main.text.length >= Math.min(minMainChars, whole.text.length / 2)
  return isEnough ? main : whole
}

/** @see https://github.com/mozilla/readability */
async function findArticle(document: DomDocument): Promise<DomElement | undefined> {
  const { Readability } = await import('@mozilla/readability')
  const reader = new Readability<DomElement>(document as never, {
    keepClasses: true,
    disableJSONLD: true,
    serializer: (node) => node as unknown as DomElement,
  })
  return reader.parse()?.content ?? undefined
}

/** Reads a saved web page: its main text. */
export const readHtmlFile: Reader = async (bytes, { contentHash, path }) => {
  const read = await readHtmlBytes(bytes, contentHash, path)
  return 'reason' in read ? refuse(read) : { ok: true, content: read }
}
