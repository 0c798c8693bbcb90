import { findBaseUrl, type LookupAccess } from '../access.ts'
import { failure, type Lookup } from '../outcome.ts'
import { parseJsonAnswer, sendForSuccess } from '../send.ts'
import { isRecord, toLine, toList, toRecords } from '../values.ts'
import {
  addSites,
  clampLimit,
  type SearchHit,
  toHits,
  type WebQuery,
  type WebSearch,
} from './web-search.ts'

/**
 * A SearXNG server of the operator; it must allow the format `json`.
 * @see https://docs.searxng.org/dev/search_api
 */
export const searxng: WebSearch = { name: 'searxng', search }

async function search(
  access: LookupAccess,
  query: WebQuery,
): Promise<Lookup<{ readonly hits: readonly SearchHit[] }>> {
  const base = findBaseUrl(access, 'searxng')
  if (typeof base !== 'string') return base
  const parameters = new URLSearchParams({ q: addSites(query), format: 'json' })
  const got = await sendForSuccess(access, 'searxng', {
    url: `${base}/search?${parameters}`,
    accept: 'application/json',
  })
  if ('reason' in got) {
    const hint = 'Allow "json" under search.formats in the settings.yml of this SearXNG.'
    return got.reason === 'blocked' ? { ...got, reason: 'refused', hint } : got
  }
  const read = parseJsonAnswer('searxng', got)
  if ('reason' in read) return read
  if (!isRecord(read.json) || !Array.isArray(read.json.results)) {
    return failure('searxng', 'malformed', 'The response has no list of pages.')
  }
  const raw = toRecords(read.json.results, 100).map((page) => ({
    title: page.title,
    url: page.url,
    snippet: page.content,
    publishedAt: page.publishedDate,
  }))
  const silent = silentEngines(read.json.unresponsive_engines)
  if (raw.length === 0 && silent !== '') {
    const detail = `SearXNG found nothing because its engines did not respond: ${silent}`
    return failure('searxng', 'server_error', detail)
  }
  return { ok: true, hits: toHits('searxng', raw, clampLimit(query)) }
}

/** The failed engines behind it, with their reasons. */
function silentEngines(list: unknown): string {
  return toList(list, 20)
    .flatMap((engine) => toLine(toList(engine, 2).join(': '), 100) ?? [])
    .join(', ')
}
