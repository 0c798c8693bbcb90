import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { withDeadline } from '../../kernel/run/deadline.ts'
import { checkTarget, type Guard, parseWebUrl, resolveHost } from './check-target.ts'
import { exchange, type WebRequest } from './exchange.ts'
import {
  type FetchFailure,
  type FetchOutcome,
  fetchFailed,
  shownUrl,
  type WebHeaders,
} from './fetch-failure.ts'
import { acceptsType, parseMediaType } from './page-kind.ts'
import { acceptedEncodings, readBody } from './read-body.ts'
import { statusFailure } from './status-failure.ts'
import { transportFailure } from './transport-failure.ts'

/** A request and its limits. */
export interface GuardedFetchOptions {
  /** Origins (`http://127.0.0.1:8080`) the operator trusts wherever they are. Default: none. */
  readonly allowedOrigins?: Guard['allowedOrigins'] | undefined
  /** Default: the system's resolver. */
  readonly resolve?: Guard['resolve'] | undefined
  readonly signal?: AbortSignal | undefined
  /** Time limit in milliseconds from name resolution to the last byte, redirects included. Default 30,000. */
  readonly timeoutMs?: number | undefined
  /** Time limit for a response's head, per redirect. Default 15,000. */
  readonly firstByteMs?: number | undefined
  /** Maximum size of the body in bytes, compressed and decompressed. Default 20 MB. */
  readonly maxBytes?: number | undefined
  /** Media types (`text/html`, `text/*`); other declared types are refused unread. Default: all. */
  readonly accept?: readonly string[] | undefined
  /** By lower-case name. Only harmless ones (`accept`, `user-agent`) are sent to another origin. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Default `GET`. */
  readonly method?: 'GET' | 'POST' | undefined
  readonly body?: string | Uint8Array | undefined
  /**
   * Receives a successful body as a stream in place of `bytes`, which are then empty: for bodies too large for memory.
   * It is requested uncompressed. May throw {@link TooLarge}, {@link TimedOut} and {@link BadAnswer}, which become
   * failures.
   */
  readonly receive?: ((answer: ComingAnswer) => Promise<void>) | undefined
}

/** A successful response whose body is still to come; `body` ends with the connection, or throws its error. */
export interface ComingAnswer {
  /** The final address after redirects, without fragment. */
  readonly url: string
  /** 200–299. */
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: AsyncIterable<Uint8Array>
}

/** Maximum number of redirects. */
const maxRedirects = 5
const keptHeaders: readonly (keyof IncomingHttpHeaders)[] = [
  'content-type',
  'content-language',
  'content-disposition',
  'last-modified',
  'etag',
  'date',
  'link',
]

/**
 * Fetches an http(s) address. Only the public web and `allowedOrigins` are requested: the address, every IP address of
 * its host and every redirect are checked before connecting, and the connection uses a checked address. Follows 5
 * redirects.
 */
export async function guardedFetch(
  address: string,
  options: GuardedFetchOptions = {},
): Promise<FetchOutcome> {
  const { signal = new AbortController().signal, timeoutMs = 30_000 } = options
  const first = parseWebUrl(address)
  if ('reason' in first) return fetchFailed(first)
  const hop: Hop = { url: first, request: toRequest(options), redirects: 0 }
  return withDeadline(signal, timeoutMs, (whole) => follow(hop, options, { signal, whole }))
}

/** One request in a chain of redirects. */
interface Hop {
  readonly url: URL
  readonly request: WebRequest
  readonly redirects: number
}

/** `signal` is the caller's; `whole` is also aborted at the time limit. */
interface Signals {
  readonly signal: AbortSignal
  readonly whole: AbortSignal
}

async function follow(
  hop: Hop,
  options: GuardedFetchOptions,
  signals: Signals,
): Promise<FetchOutcome> {
  try {
    const step = await ask(hop, options, signals.whole)
    return 'ok' in step ? step : await follow(step, options, signals)
  } catch (error) {
    const isCancelled = signals.signal.aborted
    const isTimeUp = !isCancelled && signals.whole.aborted
    const givenUp = { isCancelled, isTimeUp, timeoutMs: options.timeoutMs ?? 30_000 }
    const failure = transportFailure(error, hop.url, givenUp)
    if (failure === undefined) throw error
    return fetchFailed(failure)
  }
}

/** The outcome, or the next address. */
async function ask(
  hop: Hop,
  options: GuardedFetchOptions,
  signal: AbortSignal,
): Promise<FetchOutcome | Hop> {
  const { allowedOrigins = [], resolve = resolveHost, firstByteMs = 15_000 } = options
  const target = await checkTarget(hop.url, { allowedOrigins, resolve }, signal)
  if ('reason' in target) return fetchFailed(target)
  const response = await exchange(target, hop.request, { signal, firstByteMs })
  const next = followRedirect(hop, response.statusCode ?? 0, response.headers.location)
  if (next === undefined) return toOutcome(response, hop, options)
  response.destroy()
  if ('reason' in next) return fetchFailed(next)
  return hop.redirects < maxRedirects
    ? { ...next, redirects: hop.redirects + 1 }
    : fetchFailed(refuseRedirects(hop.url))
}

async function toOutcome(
  response: IncomingMessage,
  { url }: Hop,
  { maxBytes = 20_000_000, accept, receive }: GuardedFetchOptions,
): Promise<FetchOutcome> {
  const { statusCode: status = 0, headers } = response
  if (status < 200 || status > 299) return fetchFailed(await statusFailure(url, response))
  if (!acceptsType(accept, headers['content-type'])) {
    response.destroy()
    return fetchFailed(refuseType(url, headers['content-type']))
  }
  const found = { ok: true, url: url.href, status, headers: pickHeaders(headers) } as const
  if (receive === undefined) return { ...found, bytes: await readBody(response, maxBytes) }
  try {
    await receive({ url: url.href, status, headers, body: response })
  } finally {
    response.destroy()
  }
  return { ...found, bytes: new Uint8Array() }
}

function toRequest(options: GuardedFetchOptions): WebRequest {
  const { method, headers, accept, body, receive } = options
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  return {
    method: method ?? 'GET',
    headers: {
      accept: accept?.join(', ') ?? '*/*',
      'user-agent': 'Scholium',
      ...headers,
      'accept-encoding': receive === undefined ? acceptedEncodings : 'identity',
    },
    ...(bytes === undefined ? {} : { body: bytes }),
  }
}

function refuseType(url: URL, type: string | undefined): FetchFailure {
  const detail = `Its type ${parseMediaType(type)} is not supported.`
  const hint = 'Look for a copy as a web page, PDF or text.'
  return { reason: 'unsupported_type', url: shownUrl(url), detail, hint }
}

function refuseRedirects(url: URL): FetchFailure {
  const detail = `It redirects more than ${maxRedirects} times.`
  const hint = 'Open it in a browser; if it shows there, save it and add the file.'
  return { reason: 'too_many_redirects', url: shownUrl(url), detail, hint }
}

function pickHeaders(headers: IncomingHttpHeaders): WebHeaders {
  const kept = keptHeaders.flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value.slice(0, 2_000)] as const] : []
  })
  return Object.fromEntries(kept)
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
/** Headers that may be sent to an origin the caller did not name; any other could be a key, cookie or name. */
const harmlessHeaders: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'if-range',
  'range',
  'user-agent',
])

interface Asked {
  readonly url: URL
  readonly request: WebRequest
}

/**
 * The next request after a redirect, as in browsers, or why it is refused; `undefined` if the response is not a
 * redirect. A body is never sent to another origin.
 * @see https://fetch.spec.whatwg.org/#http-redirect-fetch
 */
function followRedirect(
  { url, request }: Asked,
  status: number,
  location: string | undefined,
): Asked | FetchFailure | undefined {
  if (!redirectStatuses.has(status) || location === undefined) return undefined
  const next = parseWebUrl(asText(location), url)
  if ('reason' in next) return { ...next, detail: `It redirects. ${next.detail}` }
  const { method, headers, body } = request
  const becomesGet = method === 'POST' && status <= 303
  const isOtherOrigin = next.origin !== url.origin
  if (isOtherOrigin && body !== undefined && !becomesGet)
    return refuseBodyElsewhere(url, next, status)
  const kept = Object.entries(headers).filter(
    ([name]) =>
      !(isOtherOrigin && !harmlessHeaders.has(name.toLowerCase())) &&
      !(becomesGet && name.toLowerCase().startsWith('content-')),
  )
  return {
    url: next,
    request: {
      method: becomesGet ? 'GET' : method,
      headers: Object.fromEntries(kept),
      ...(body === undefined || becomesGet ? {} : { body }),
    },
  }
}

/** Headers arrive as Latin-1, but servers write UTF-8 into them. */
function asText(location: string): string {
  const bytes = Buffer.from(location, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : location
}

function refuseBodyElsewhere(url: URL, next: URL, status: number): FetchFailure {
  return {
    reason: 'http_status',
    url: shownUrl(url),
    detail: `${url.hostname} redirects the request to ${next.origin} (HTTP ${status}).`,
    hint: 'Nothing was sent there. If the target is right, configure its address.',
    status,
  }
}
