import { sha256 } from '../../kernel/json.ts'
import type { Document, ReadOutcome, Unreadable } from '../document.ts'
import { createDocumentReader, type DocumentReader } from '../files/worker/document-reader.ts'
import { readBytesDocument } from '../read-bytes.ts'
import {
  type Fetched,
  type FetchFailure,
  type FetchFailureReason,
  shownUrl,
} from './fetch-failure.ts'
import { isPage, pageFileName, pageTypes, refuseType, toUtf8 } from './page-kind.ts'
import type { Web, WebFetchOptions } from './web.ts'

/** A document from the web. */
export interface WebDocument extends Document {
  /** The final address after redirects. */
  readonly url: string
}

/** Why an address gave no document: the fetch failed, or the response could not be read. */
export type PageFailure = Omit<FetchFailure, 'reason'> & {
  readonly reason: FetchFailureReason | Exclude<Unreadable['reason'], 'unsupported_kind'>
}

/** A page's outcome; failures are values. */
export type PageOutcome =
  | { readonly ok: true; readonly page: WebDocument }
  | { readonly ok: false; readonly failure: PageFailure }

/** How a page is fetched and read. */
export interface FetchPageOptions
  extends Pick<WebFetchOptions, 'signal' | 'timeoutMs' | 'maxBytes' | 'headers' | 'source'> {
  /** The run's current time in milliseconds since 1970, for the citation's date. */
  readonly accessedAt: number
  /** By default, a reader is created for this page alone. */
  readonly reader?: DocumentReader | undefined
}

const readTimeoutMs = 10_000
/** As browsers send it: some servers refuse anything else. */
const acceptHeader =
  'text/html, application/xhtml+xml, application/pdf;q=0.9, text/*;q=0.8, */*;q=0.5'

/** Fetches an address and reads it as a document with text and metadata. Its kind is determined by its bytes and media type. */
export async function fetchPage(
  web: Web,
  address: string,
  options: FetchPageOptions,
): Promise<PageOutcome> {
  const { accessedAt, reader, ...asked } = options
  const headers = { accept: acceptHeader, ...asked.headers }
  const outcome = await web.fetch(address, { ...asked, headers, accept: pageTypes })
  if (!outcome.ok) return outcome
  const refuse = (unreadable: Unreadable): PageOutcome => ({
    ok: false,
    failure: pageFailure(unreadable, outcome.url),
  })
  const refusal = refuseType(outcome.headers['content-type'])
  if (refusal !== undefined) return refuse(refusal)
  try {
    const read = await readFetched(outcome, reader, options.signal)
    if (!read.ok) return refuse(read.unreadable)
    return { ok: true, page: webDocument(read.document, outcome, accessedAt) }
  } catch (error) {
    if (options.signal?.aborted !== true) throw error
    const hint = 'Ask again.'
    const url = shownUrl(outcome.url)
    return { ok: false, failure: { reason: 'cancelled', url, detail: 'It was cancelled.', hint } }
  }
}

async function readFetched(
  { url, headers, bytes }: Fetched,
  given: DocumentReader | undefined,
  signal: AbortSignal | undefined,
): Promise<ReadOutcome> {
  const contentType = headers['content-type']
  const name = pageFileName(new URL(url), contentType)
  const text = toUtf8(bytes, contentType)
  const reader = given ?? createDocumentReader()
  try {
    const options = { timeoutMs: readTimeoutMs, signal }
    return bytes.length > 0 && isPage(text, name)
      ? await reader.read(text, url, 'html', options)
      : await readBytesDocument(text, name, { ...options, reader })
  } finally {
    if (given === undefined) await reader.close()
  }
}

/** Stored under the hash of the original bytes, whatever the reader was given. */
function webDocument(document: Document, { url, bytes }: Fetched, accessedAt: number): WebDocument {
  const contentHash = sha256(bytes)
  const at = new Date(accessedAt)
  const day = [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()]
  const { csl } = document
  return {
    ...document,
    contentHash,
    sizeBytes: bytes.length,
    csl: { ...csl, id: contentHash, URL: csl.URL ?? url, accessed: { 'date-parts': [day] } },
    url,
  }
}

function pageFailure({ reason, detail, hint }: Unreadable, url: string): PageFailure {
  const known = reason === 'unsupported_kind' ? 'unsupported_type' : reason
  return { reason: known, url: shownUrl(url), detail, hint }
}
