import { findBaseUrl, findKey, type LookupAccess } from '../access.ts'
import { failure, type Lookup } from '../outcome.ts'
import { parseJsonAnswer, send, toFailure } from '../send.ts'
import { isRecord, toRecords } from '../values.ts'
import {
  clampLimit,
  cleanSites,
  limitWords,
  type SearchHit,
  toHits,
  type WebQuery,
  type WebSearch,
} from './web-search.ts'

/**
 * Tavily; requires a key.
 * @see https://docs.tavily.com/documentation/api-reference/endpoint/search
 */
export const tavily: WebSearch = { name: 'tavily', search }

async function search(
  access: LookupAccess,
  query: WebQuery,
): Promise<Lookup<{ readonly hits: readonly SearchHit[] }>> {
  const base = findBaseUrl(access, 'tavily')
  if (typeof base !== 'string') return base
  const key = findKey(access, 'tavily')
  if (typeof key === 'object') return key
  const sites = cleanSites(query)
  const got = await send(access, 'tavily', {
    url: `${base}/search`,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({
      query: limitWords(query),
      max_results: clampLimit(query),
      ...(sites.length === 0 ? {} : { include_domains: sites }),
    }),
    accept: 'application/json',
  })
  const refused = 'reason' in got ? got : toFailure(access, 'tavily', got)
  if (refused !== undefined) {
    // 432 and 433: the allowance of the plan or its owner is used up.
    const isSpent = /answered 43[23]/.test(refused.detail)
    return isSpent ? failure('tavily', 'rate_limited', refused.detail, { hint: spent }) : refused
  }
  if ('reason' in got) return got
  const read = parseJsonAnswer('tavily', got)
  if ('reason' in read) return read
  if (!isRecord(read.json) || !Array.isArray(read.json.results)) {
    return failure('tavily', 'malformed', 'The response has no list of pages.')
  }
  const raw = toRecords(read.json.results, 50).map((page) => ({
    title: page.title,
    url: page.url,
    snippet: page.content,
    publishedAt: page.published_date,
  }))
  return { ok: true, hits: toHits('tavily', raw, clampLimit(query)) }
}

const spent = 'The quota of this key is used up; use another source.'
