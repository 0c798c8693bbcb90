import { baseUrlOf, type LookupAccess } from '../access.ts'
import { failure, type Lookup } from '../outcome.ts'
import { jsonOf, sendForSuccess } from '../send.ts'
import { isRecord, lineOf, listOf, recordsOf } from '../values.ts'
import {
  hitsOf,
  limitIn,
  type SearchHit,
  type WebQuery,
  type WebSearch,
  wordsWithSites,
} from './web-search.ts'

/**
 * A SearXNG server of the operator's choice; it has to allow the format `json`.
 * @see https://docs.searxng.org/dev/search_api
 */
export const searxng: WebSearch = { name: 'searxng', search }

async function search(
  access: LookupAccess,
  query: WebQuery,
): Promise<Lookup<{ readonly hits: readonly SearchHit[] }>> {
  const base = baseUrlOf(access, 'searxng')
  if (typeof base !== 'string') return base
  const parameters = new URLSearchParams({ q: wordsWithSites(query), format: 'json' })
  const got = await sendForSuccess(access, 'searxng', {
    url: `${base}/search?${parameters}`,
    accept: 'application/json',
  })
  if ('reason' in got) {
    const hint = 'Allow "json" under search.formats in the settings.yml of this SearXNG.'
    return got.reason === 'blocked' ? { ...got, reason: 'refused', hint } : got
  }
  const read = jsonOf('searxng', got)
  if ('reason' in read) return read
  if (!isRecord(read.json) || !Array.isArray(read.json.results)) {
    return failure('searxng', 'malformed', 'The response has no list of pages.')
  }
  const raw = recordsOf(read.json.results, 100).map((page) => ({
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
  return { ok: true, hits: hitsOf('searxng', raw, limitIn(query)) }
}

/** The engines behind it that failed, each with its reason. */
function silentEngines(list: unknown): string {
  return listOf(list, 20)
    .flatMap((engine) => lineOf(listOf(engine, 2).join(': '), 100) ?? [])
    .join(', ')
}
