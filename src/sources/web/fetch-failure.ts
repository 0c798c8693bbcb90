import { cutText } from '../../kernel/text/cut-text.ts'
/** Why a fetch failed. */
export type FetchFailureReason =
  /** Not on the public web: private, local, metadata, reserved. */
  | 'blocked_address'
  | 'bad_url'
  | 'dns'
  | 'refused'
  | 'reset'
  | 'timeout'
  | 'too_large'
  | 'too_many_redirects'
  | 'http_status'
  | 'unsupported_type'
  /** What came is no HTTP, or not what its headers say. */
  | 'bad_answer'
  | 'tls'
  | 'cancelled'
  /** It was not asked: it rests after failures of before. */
  | 'cooling_down'
  /** Not requested: the run was resumed without web access. */
  | 'not_granted'

/** A failed fetch, as data. `detail` says what happened, `hint` what the user can do; one sentence each. */
export type FetchFailure = {
  readonly reason: FetchFailureReason
  /** Where it happened: the requested address, or one it redirected to. */
  readonly url: string
  readonly detail: string
  readonly hint: string
  /** With `http_status`. */
  readonly status?: number
  /** With `http_status`, the start of the response if it is data or plain text; untrusted. */
  readonly said?: string
  /** The system's error code, if any: `ECONNRESET`, `EAI_AGAIN`. */
  readonly code?: string
  /** How long the source asks to be left alone, or still cools down, in milliseconds. */
  readonly retryAfterMs?: number
}

/** Selected response headers by lower-case name. */
export type WebHeaders = { readonly [name: string]: string }

/** A fetched response. */
export interface Fetched {
  readonly ok: true
  /** The final address after redirects, without fragment. */
  readonly url: string
  /** 200–299. */
  readonly status: number
  readonly headers: WebHeaders
  /** Decompressed. */
  readonly bytes: Uint8Array
}

/** A fetch's outcome. Failures are values, so that one dead page does not affect the others. */
export type FetchOutcome = Fetched | { readonly ok: false; readonly failure: FetchFailure }

/** A failed fetch. */
export function fetchFailed(failure: FetchFailure): {
  readonly ok: false
  readonly failure: FetchFailure
} {
  return { ok: false, failure }
}

/** Maximum length of a shown address, in UTF-16 code units. */
const maxUrlChars = 500

/** An address for display and storage: shortened, without user name and password. */
export function shownUrl(url: URL | string): string {
  if (typeof url === 'string')
    return URL.canParse(url) ? shownUrl(new URL(url)) : cutText(url.toWellFormed(), maxUrlChars)
  const shown = new URL(url)
  shown.username = ''
  shown.password = ''
  shown.hash = ''
  return cutText(shown.href, maxUrlChars)
}
