import type { Fetcher } from '../lookup/fetcher.ts'
import type { Web } from './web.ts'

/** Fetches for look-ups over the web of the process: they read refusals themselves, so those count as answers. */
export function createLookupFetcher(web: Web, signal?: AbortSignal): Fetcher {
  return async ({ url, method, headers, body, accept }) => {
    const asked = { ...(accept === undefined ? {} : { accept }), ...headers }
    const outcome = await web.fetch(url, { signal, method, headers: asked, body })
    if (outcome.ok) {
      const { bytes, ...answer } = outcome
      return { ...answer, text: new TextDecoder().decode(bytes) }
    }
    const { reason, detail, status, said = '', retryAfterMs } = outcome.failure
    if (status === undefined) {
      return { ok: false, reason, detail, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
    }
    const known = retryAfterMs === undefined ? {} : { 'retry-after': seconds(retryAfterMs) }
    return { ok: true, status, url: outcome.failure.url, headers: known, text: said }
  }
}

function seconds(delayMs: number): string {
  return String(Math.ceil(delayMs / 1_000))
}
