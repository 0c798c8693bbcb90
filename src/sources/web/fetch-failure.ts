/** Why an address gave nothing. */
export type FetchFailureReason =
  /** It is none of the public web: private, local, metadata, reserved. */
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
  /** It was not asked: the run went on without the right to. */
  | 'not_granted'

/** A fetch that gave nothing, as data. `detail` says what happened, `hint` what the person can do: a sentence each. */
export type FetchFailure = {
  readonly reason: FetchFailureReason
  /** Where it happened: the address asked for, or one that it led to. */
  readonly url: string
  readonly detail: string
  readonly hint: string
  /** With `http_status`. */
  readonly status?: number
  /** With `http_status`, the start of what the server says where that is data or plain text: no text to trust. */
  readonly said?: string
  /** The system's word for it, where there is one: `ECONNRESET`, `EAI_AGAIN`. */
  readonly code?: string
  /** How long the source asks to be left alone, or still rests, in milliseconds. */
  readonly retryAfterMs?: number
}

/** A part of the web's headers, by lower-case name. */
export type WebHeaders = { readonly [name: string]: string }

/** What was fetched. */
export interface Fetched {
  readonly ok: true
  /** Where it was found in the end, after redirects; without a fragment. */
  readonly url: string
  /** 200–299. */
  readonly status: number
  readonly headers: WebHeaders
  /** Unpacked. */
  readonly bytes: Uint8Array
}

/** A fetch's outcome: a value either way, so that one dead page never ends the rest. */
export type FetchOutcome = Fetched | { readonly ok: false; readonly failure: FetchFailure }

/** A fetch that gave nothing. */
export function fetchFailed(failure: FetchFailure): {
  readonly ok: false
  readonly failure: FetchFailure
} {
  return { ok: false, failure }
}

/** An address as it is shown and kept: cut where it is longer than anyone reads, without a name and password. */
export function shownUrl(url: URL | string): string {
  if (typeof url === 'string') return URL.canParse(url) ? shownUrl(new URL(url)) : cut(url)
  const shown = new URL(url)
  shown.username = ''
  shown.password = ''
  shown.hash = ''
  return cut(shown.href)
}

function cut(text: string): string {
  return (text.length > 500 ? `${text.slice(0, 500)}…` : text).toWellFormed()
}
