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

const MAX_SAID_BYTES = 65_536
const MAX_SAID_UNITS = 4_000
/** A refusal whose words come slower than this is told without them. */
const MAX_SAID_MS = 2_000
const DATA_TYPES = /^(?:text\/plain|(?:application|text)\/(?:[\w.-]+\+)?(?:json|xml))$/

const LOGIN_HINT = 'Open it in a browser; if it shows there, save it and add the file.'
const LATER_HINT = 'Try again later.'
type Words = readonly [words: string, hint: string]
const STATUS_WORDS: Readonly<Record<number, Words>> = {
  401: ['wants to know who asks', LOGIN_HINT],
  402: ['wants to be paid', LOGIN_HINT],
  403: ['does not let programs read this', LOGIN_HINT],
  404: ['has no such page', 'Check the address.'],
  410: ['has this page no longer', 'Look for a copy in a web archive.'],
  429: ['was asked too often', LATER_HINT],
  451: ['may not show this', LOGIN_HINT],
  503: ['cannot answer now', LATER_HINT],
}
const OTHER_STATUS: Readonly<Record<number, Words>> = {
  3: ['leads elsewhere without saying where', 'Check the address.'],
  4: ['refused the request', LOGIN_HINT],
  5: ['failed', LATER_HINT],
}
const ODD_STATUS: Words = ['gave an answer that means nothing', 'Check the address.']

/** An answer whose status is no success, as a failure. Ends the answer. */
export async function statusFailure(url: URL, response: IncomingMessage): Promise<FetchFailure> {
  const { statusCode: status = 0, headers } = response
  const waitMs = parseRetryAfter(headers)
  const said = await readExcerpt(response)
  const [words, hint] = STATUS_WORDS[status] ?? OTHER_STATUS[Math.floor(status / 100)] ?? ODD_STATUS
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
  const timer = setTimeout(() => response.destroy(), MAX_SAID_MS)
  try {
    if (!DATA_TYPES.test(parseMediaType(response.headers['content-type']))) return ''
    const bytes = await readBody(response, MAX_SAID_BYTES)
    return new TextDecoder().decode(bytes).slice(0, MAX_SAID_UNITS).toWellFormed()
  } catch {
    return '' // The status is told all the same.
  } finally {
    clearTimeout(timer)
    response.destroy()
  }
}
