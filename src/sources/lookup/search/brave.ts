import { findBaseUrl, findKey, type LookupAccess } from '../access.ts'
import { failure, type Lookup } from '../outcome.ts'
import { parseJsonAnswer, sendForSuccess } from '../send.ts'
import { isRecord, toRecords } from '../values.ts'
import {
  addSites,
  clampLimit,
  type SearchHit,
  toHits,
  type WebQuery,
  type WebSearch,
} from './web-search.ts'

/**
 * Brave Search; requires a key.
 * @see https://api-dashboard.search.brave.com/api-reference/web/search/get
 */
export const brave: WebSearch = { name: 'brave', search }

async function search(
  access: LookupAccess,
  query: WebQuery,
): Promise<Lookup<{ readonly hits: readonly SearchHit[] }>> {
  const base = findBaseUrl(access, 'brave')
  if (typeof base !== 'string') return base
  const key = findKey(access, 'brave')
  if (typeof key === 'object') return key
  const parameters = new URLSearchParams({
    q: addSites(query),
    count: String(clampLimit(query)),
    text_decorations: 'false',
  })
  const got = await sendForSuccess(access, 'brave', {
    url: `${base}/res/v1/web/search?${parameters}`,
    headers: { 'x-subscription-token': key ?? '' },
    accept: 'application/json',
  })
  if ('reason' in got) {
    // An unknown key is reported with status 422, like an invalid query.
    const isKey =
      got.reason === 'refused' && /subscription token|SUBSCRIPTION_TOKEN/i.test(got.detail)
    const hint = 'Check BRAVE_SEARCH_API_KEY: the service does not accept this key.'
    return isKey
      ? { ...got, reason: 'unauthorized', hint, keyVariable: 'BRAVE_SEARCH_API_KEY' }
      : got
  }
  const read = parseJsonAnswer('brave', got)
  if ('reason' in read) return read
  const { json } = read
  if (!isRecord(json) || (json.web === undefined && json.query === undefined)) {
    return failure('brave', 'malformed', 'The response has no list of pages.')
  }
  // Without results there is no `web`.
  const pages = isRecord(json.web) ? toRecords(json.web.results, 50) : []
  const raw = pages.map((page) => ({
    title: page.title,
    url: page.url,
    snippet: page.description,
    publishedAt: page.page_age,
  }))
  return { ok: true, hits: toHits('brave', raw, clampLimit(query), true) }
}
