import type { LookupAccess } from '../access.ts'
import { failure, type Lookup, type LookupFailure } from '../outcome.ts'
import { isRecord, markupToLine, omitUndefined, toCount, toLine, toRecords } from '../values.ts'
import { articleUrl, requestWikipedia, type WikiRecord } from './wikipedia-request.ts'

/** An article found by a search. */
export interface WikipediaHit {
  readonly title: string
  readonly url: string
  /** Words around the match; empty if none were given. */
  readonly snippet: string
  readonly pageId?: number
  readonly wordCount?: number
  /** When the article was last edited, in ISO 8601. */
  readonly editedAt?: string
}

/** A page of hits. */
export interface WikipediaHits {
  readonly hits: readonly WikipediaHit[]
  readonly total?: number
  /** A spelling suggested by the service. */
  readonly suggestion?: string
  /** Offset of the next page; absent on the last. */
  readonly nextOffset?: number
}

/** A search in a Wikipedia. */
export interface WikipediaSearch {
  readonly query: string
  /** The Wikipedia's language code. Default `en`. */
  readonly language?: string
  /** 1–50. Default 10. */
  readonly limit?: number
  readonly offset?: number
}

const maxHits = 50
/** Maximum length of a query accepted by the service. */
const maxQueryChars = 300

/**
 * Searches the articles of a Wikipedia.
 * @see https://www.mediawiki.org/wiki/API:Search
 */
export async function searchWikipedia(
  access: LookupAccess,
  { query, language = 'en', limit = 10, offset = 0 }: WikipediaSearch,
): Promise<Lookup<WikipediaHits>> {
  if (query.trim() === '') return failure('wikipedia', 'refused', 'The search is empty.')
  const got = await requestWikipedia(access, language, {
    list: 'search',
    srsearch: query.slice(0, maxQueryChars),
    srlimit: String(Math.min(Math.max(1, limit), maxHits)),
    sroffset: String(offset),
    srinfo: 'totalhits|suggestion',
    srprop: 'snippet|wordcount|timestamp',
  })
  if ('reason' in got) return got
  return parseWikipediaHits(got.answer, got.site)
}

/** The hits in a response. `site` is the Wikipedia's address without a trailing slash. */
export function parseWikipediaHits(
  answer: WikiRecord,
  site: string,
): ({ readonly ok: true } & WikipediaHits) | LookupFailure {
  const { query } = answer
  if (!isRecord(query) || !Array.isArray(query.search)) {
    return failure('wikipedia', 'malformed', 'The response has no list of articles.')
  }
  const info = isRecord(query.searchinfo) ? query.searchinfo : {}
  const next = isRecord(answer.continue) ? answer.continue.sroffset : undefined
  return {
    ok: true,
    ...omitUndefined({
      hits: toRecords(query.search, maxHits).flatMap((hit) => parseHit(hit, site)),
      total: toCount(info.totalhits),
      suggestion: toLine(info.suggestion),
      nextOffset: toCount(next),
    }),
  }
}

function parseHit(hit: WikiRecord, site: string): readonly WikipediaHit[] {
  const title = toLine(hit.title)
  if (title === undefined) return []
  return [
    omitUndefined({
      title,
      url: articleUrl(site, title),
      snippet: markupToLine(hit.snippet, 2_000) ?? '',
      pageId: toCount(hit.pageid),
      wordCount: toCount(hit.wordcount),
      editedAt: toLine(hit.timestamp, 40),
    }),
  ]
}
