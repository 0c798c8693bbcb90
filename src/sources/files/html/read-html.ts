import type { Hash } from '../../../kernel/json.ts'
import { type Document, type FormatReader, refuse, type Unreadable } from '../../document.ts'
import { type DecodedText, decodeText, decodeWith } from '../text/decode-text.ts'
import { type DomDocument, type DomElement, parseHtml } from './dom.ts'
import { elementText } from './element-text.ts'
import { brokenPage } from './html-to-text.ts'
import { readPageMetadata } from './page-metadata.ts'
import { prepareDocument } from './prepare.ts'
import { narrowToBody, pruneAsides, pruneNamed } from './prune.ts'

/** The part of a {@link Document} that comes from a page's text. */
export type HtmlContent = Pick<Document, 'title' | 'text' | 'pages' | 'sections' | 'csl' | 'notes'>

/** What is known about a page in addition to its text. */
export interface ReadHtmlOptions {
  /** Where it was fetched; the base of relative addresses. Default: the path, if it is a web address. */
  readonly url?: string | undefined
}

/**
 * The main text of a web page with its metadata as CSL-JSON, or why there is none; distinguish them with `'reason' in`.
 * Never throws because of a page's content. Pages beyond the limits in `dom.ts` are refused without parsing; others may
 * block for seconds, so run it where it can be terminated.
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

const noTextHint = 'It may be created by a script: open it in a browser and save what it shows.'

/** {@link readHtml} for bytes. Encoding: byte order mark, else UTF-8 if valid, else as declared. */
export async function readHtmlBytes(
  bytes: Uint8Array,
  contentHash: Hash,
  path: string,
  options: ReadHtmlOptions = {},
): Promise<HtmlContent | Unreadable> {
  const decoded = decodeHtml(bytes)
  if (decoded === undefined) {
    const hint = 'Check that it was saved or downloaded completely.'
    return { reason: 'not_text', detail: 'Most of its bytes are not text.', hint }
  }
  const content = await readHtml(decoded.text, contentHash, path, options)
  return 'reason' in content ? content : { ...content, notes: [...decoded.notes, ...content.notes] }
}

/** Where a page declares its encoding; the standard says 1,024 bytes, real pages need more. */
const declaredWithinBytes = 8_192
/** This many non-ASCII bytes are valid UTF-8 by chance in no other encoding. */
const minUtf8Bytes = 8

/**
 * Decodes a page: by its byte order mark; as UTF-8 if valid, whatever it declares (saved pages keep old declarations);
 * else as declared; else like {@link decodeText}.
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
  const notes = invalid === 0 ? [] : [`invalid ${decoder.encoding} replaced by \ufffd: ${invalid}`]
  return { text: decoded.replaceAll('\0', '').replace(/\r\n?/g, '\n').toWellFormed(), notes }
}

function findDeclaredEncoding(bytes: Uint8Array): string | undefined {
  const head = latin1(bytes.subarray(0, declaredWithinBytes)).replace(/<!--[\s\S]*?-->/g, '')
  const declared = /<meta\b[^>]{0,500}?\bcharset\s*=\s*["']?\s*([\w:.()-]{1,40})/i.exec(head)
  const xml = /^\s*<\?xml\b[^>]{0,200}\bencoding\s*=\s*["']([\w:.-]{1,40})/i.exec(head)
  return (declared ?? xml)?.[1]
}

/** If the declaration is readable byte by byte, the page is not UTF-16, whatever it says. */
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

/** A shorter text is the main text only if it is most of the page. */
const minMainChars = 250

/**
 * The main text and headings of a prepared document; if nothing looks like an article (a short page, a list of links),
 * the whole page without navigation. Changes the document.
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

/** Reads the main text of a saved web page. */
export const readHtmlFile: FormatReader = async (bytes, { contentHash, path }) => {
  const read = await readHtmlBytes(bytes, contentHash, path)
  return 'reason' in read ? refuse(read) : { ok: true, content: read }
}
