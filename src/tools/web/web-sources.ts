import type { Clock } from '../../kernel/run/clock.ts'
import type { DocumentReader } from '../../sources/files/worker/document-reader.ts'
import type { Fetcher, LookupAccess } from '../../sources/lookup/access.ts'
import { webSearches } from '../../sources/lookup/search/search-web.ts'
import type { WebSearch } from '../../sources/lookup/search/web-search.ts'
import { lookupSources } from '../../sources/lookup/sources.ts'
import type { Web } from '../../sources/web/web.ts'

/** The sources beyond this machine, shared by all agents of a process with their paces and cool-downs. */
export interface WebSources {
  /** Access to pages. Trusts no private address, not even those allowed for look-ups. */
  readonly pages: Web
  /** Access to the look-up services. */
  readonly lookups: Web
  /** Look-up settings, without the fetcher. */
  readonly access: Omit<LookupAccess, 'fetcher' | 'accessed'>
  /** For dates of access. Called only inside steps, whose results are recorded. */
  readonly clock: Clock
  readonly reader: DocumentReader
}

/** Time limit per service; then the next one is asked. */
const lookupTimeoutMs = 15_000

/** Look-up access, valid until `signal` is aborted. */
export function lookupAccess(
  { access, lookups, clock }: WebSources,
  signal: AbortSignal,
): LookupAccess {
  const bounded: Web = {
    ...lookups,
    fetch: (address, options) => lookups.fetch(address, { timeoutMs: lookupTimeoutMs, ...options }),
  }
  return {
    ...access,
    fetcher: createLookupFetcher(bounded, signal),
    accessed: { 'date-parts': [toDateParts(clock.now())] },
  }
}

/** The web searches with the required key or server, in their order. */
export function configuredEngines({
  access: { keys = {}, baseUrls = {} },
}: Pick<WebSources, 'access'>): readonly WebSearch[] {
  return webSearches.filter(({ name }) => {
    const { keyVariable = '', isKeyRequired, baseUrl } = lookupSources[name]
    const hasKey = !isKeyRequired || (keys[keyVariable]?.trim() ?? '') !== ''
    return hasKey && (baseUrls[name] ?? baseUrl) !== undefined
  })
}

function toDateParts(timeMs: number): readonly number[] {
  const at = new Date(timeMs)
  return [at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate()]
}

/**
 * Creates a fetcher for look-ups over the process's web access. Look-ups interpret refusals themselves, so those count
 * as responses.
 */
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
