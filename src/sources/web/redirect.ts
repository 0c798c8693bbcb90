import { isUtf8 } from 'node:buffer'
import { parseWebUrl } from './check-target.ts'
import type { WebRequest } from './exchange.ts'
import { type FetchFailure, shownUrl } from './fetch-failure.ts'

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
/** What may go to an origin that the caller did not name; everything else may be a key, a cookie or a name. */
const HARMLESS_HEADERS: ReadonlySet<string> = new Set([
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
 * What is to be asked after an answer that leads elsewhere, as browsers do it, or why it is not; `undefined` when the answer
 * is none. A body is sent to no other origin.
 * @see https://fetch.spec.whatwg.org/#http-redirect-fetch
 */
export function redirected(
  { url, request }: Asked,
  status: number,
  location: string | undefined,
): Asked | FetchFailure | undefined {
  if (!REDIRECTS.has(status) || location === undefined) return undefined
  const next = parseWebUrl(asText(location), url)
  if ('reason' in next) return { ...next, detail: `It redirects. ${next.detail}` }
  const { method, headers, body } = request
  const becomesGet = method === 'POST' && status <= 303
  const isOtherOrigin = next.origin !== url.origin
  if (isOtherOrigin && body !== undefined && !becomesGet) return bodyElsewhere(url, next, status)
  const kept = Object.entries(headers).filter(
    ([name]) =>
      !(isOtherOrigin && !HARMLESS_HEADERS.has(name.toLowerCase())) &&
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

/** Headers come as Latin-1; servers write UTF-8 into them. */
function asText(location: string): string {
  const bytes = Buffer.from(location, 'latin1')
  return isUtf8(bytes) ? bytes.toString('utf8') : location
}

function bodyElsewhere(url: URL, next: URL, status: number): FetchFailure {
  return {
    reason: 'http_status',
    url: shownUrl(url),
    detail: `${url.hostname} redirects the request to ${next.origin} (HTTP ${status}).`,
    hint: 'Nothing was sent there. If the target is right, configure its address.',
    status,
  }
}
