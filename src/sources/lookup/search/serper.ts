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
 * Serper, a Google search API; requires a key.
 * @see https://serper.dev/
 */
export const serper: WebSearch = { name: 'serper', search }

async function search(
  access: LookupAccess,
  query: WebQuery,
): Promise<Lookup<{ readonly hits: readonly SearchHit[] }>> {
  const base = findBaseUrl(access, 'serper')
  if (typeof base !== 'string') return base
  const key = findKey(access, 'serper')
  if (typeof key === 'object') return key
  const got = await sendForSuccess(access, 'serper', {
    url: `${base}/search`,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key ?? '' },
    body: JSON.stringify({ q: addSites(query), num: clampLimit(query) }),
    accept: 'application/json',
  })
  if ('reason' in got) {
    // Used-up credits are reported with status 400.
    const isSpent = got.reason === 'refused' && /credits/i.test(got.detail)
    const hint = 'The credits of this key are used up; use another source.'
    return isSpent ? { ...got, reason: 'rate_limited', hint } : got
  }
  const read = parseJsonAnswer('serper', got)
  if ('reason' in read) return read
  const { json } = read
  if (!isRecord(json) || !Array.isArray(json.organic)) {
    return failure('serper', 'malformed', 'The response has no list of pages.')
  }
  const raw = toRecords(json.organic, 100).map((page) => ({
    title: page.title,
    url: page.link,
    snippet: page.snippet,
    publishedAt: page.date,
  }))
  return { ok: true, hits: toHits('serper', raw, clampLimit(query)) }
}
