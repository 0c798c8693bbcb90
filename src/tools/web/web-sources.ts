import type { Clock } from '../../kernel/run/clock.ts'
import type { DocumentReader } from '../../sources/files/worker/document-reader.ts'
import type { Fetcher, LookupAccess } from '../../sources/lookup/access.ts'
import { webSearches } from '../../sources/lookup/search/search-web.ts'
import type { WebSearch } from '../../sources/lookup/search/web-search.ts'
import { lookupSources } from '../../sources/lookup/sources.ts'
import type { Web } from '../../sources/web/web.ts'

/** The sources beyond this machine, one of these for all agents of a process: they share its paces and its cool-downs. */
export interface WebSources {
  /** The way to pages. It trusts no private address, not even those that look-ups may ask. */
  readonly pages: Web
  /** The way to the services that are looked up. */
  readonly lookups: Web
  /** Everything of a look-up but its way. */
  readonly access: Omit<LookupAccess, 'fetcher' | 'accessed'>
  /** For the day on which something was read. It is asked inside of steps only, whose results are recorded. */
  readonly clock: Clock
  readonly reader: DocumentReader
}

/** A source that does not answer in this time is given up for this once, and the next one is asked. */
const lookupTimeoutMs = 15_000

/** What a look-up needs, for as long as `signal` lets it. */
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

/** The web searches that can be asked, in their order: those that have the key or the server that they need. */
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
