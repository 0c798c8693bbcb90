import type { Hash } from '../../../kernel/json.ts'
import type { Document, Unreadable } from '../../document.ts'
import { decodeHtml } from './decode-html.ts'
import { parseHtml } from './dom.ts'
import { brokenPage } from './html-to-text.ts'
import { mainText } from './main-text.ts'
import { pageMetadata } from './page-metadata.ts'
import { prepare } from './prepare.ts'

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
    const csl = pageMetadata(document, { id: contentHash, path, url })
    prepare(document)
    const { text, sections } = await mainText(document)
    if (text === '')
      return { reason: 'no_text', detail: 'The page shows no text.', hint: NO_TEXT_HINT }
    return { title: csl.title, text, pages: [], sections, csl, notes: [] }
  } catch (error) {
    return brokenPage(error)
  }
}

const NO_TEXT_HINT = 'It may be created by a script: open it in a browser and save what it shows.'

/** {@link readHtml} of bytes: the encoding is the byte order mark's, or UTF-8 if they are, or what the page declares. */
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
