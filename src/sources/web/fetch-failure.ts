import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { askedWaitMs } from '../../kernel/model/errors/retry-after.ts'
import { parseMediaType } from './page-kind.ts'
import { readBody } from './read-body.ts'

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

/** How long an answer asks to be left alone, in milliseconds; `undefined` when it does not say. */
export function parseRetryAfter(headers: IncomingHttpHeaders): number | undefined {
  const texts = Object.entries(headers).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  const waitMs = askedWaitMs({
    status: undefined,
    message: '',
    kinds: '',
    causes: new Set(),
    headers: Object.fromEntries(texts),
    body: undefined,
    isHtml: false,
    isRetryable: undefined,
  })
  return waitMs === undefined ? undefined : Math.ceil(waitMs)
}

const maxSaidBytes = 65_536
const maxSaidUnits = 4_000
/** A refusal whose words come slower than this is told without them. */
const maxSaidMs = 2_000
const dataTypes = /^(?:text\/plain|(?:application|text)\/(?:[\w.-]+\+)?(?:json|xml))$/

const loginHint = 'Open it in a browser; if it shows there, save it and add the file.'
const laterHint = 'Try again later.'
type Words = readonly [words: string, hint: string]
const statusWords: Readonly<Record<number, Words>> = {
  401: ['wants to know who asks', loginHint],
  402: ['wants to be paid', loginHint],
  403: ['does not let programs read this', loginHint],
  404: ['has no such page', 'Check the address.'],
  410: ['has this page no longer', 'Look for a copy in a web archive.'],
  429: ['was asked too often', laterHint],
  451: ['may not show this', loginHint],
  503: ['cannot answer now', laterHint],
}
const otherStatus: Readonly<Record<number, Words>> = {
  3: ['leads elsewhere without saying where', 'Check the address.'],
  4: ['refused the request', loginHint],
  5: ['failed', laterHint],
}
const oddStatus: Words = ['gave an answer that means nothing', 'Check the address.']

/** An answer whose status is no success, as a failure. Ends the answer. */
export async function statusFailure(url: URL, response: IncomingMessage): Promise<FetchFailure> {
  const { statusCode: status = 0, headers } = response
  const waitMs = parseRetryAfter(headers)
  const said = await readExcerpt(response)
  const [words, hint] = statusWords[status] ?? otherStatus[Math.floor(status / 100)] ?? oddStatus
  return {
    reason: 'http_status',
    url: shownUrl(url),
    detail: `${url.hostname} ${words} (HTTP ${status}).`,
    hint,
    status,
    ...(said === '' ? {} : { said }),
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
  }
}

async function readExcerpt(response: IncomingMessage): Promise<string> {
  const timer = setTimeout(() => response.destroy(), maxSaidMs)
  try {
    if (!dataTypes.test(parseMediaType(response.headers['content-type']))) return ''
    const bytes = await readBody(response, maxSaidBytes)
    return new TextDecoder().decode(bytes).slice(0, maxSaidUnits).toWellFormed()
  } catch {
    return '' // The status is told all the same.
  } finally {
    clearTimeout(timer)
    response.destroy()
  }
}
