import { canonicalUrl, toCitableUrl, toSiteName } from '../../../citations/markup/canonical-url.ts'
import type { CslItem } from '../../../citations/source.ts'
import { parseDate } from '../../files/html/page-facts.ts'
import { type LookupAccess, withAccessDate } from '../access.ts'
import type { Lookup } from '../outcome.ts'
import type { LookupSourceName } from '../sources.ts'
import { markupToLine, omitUndefined, toLine } from '../values.ts'

/** A page found by a web search. */
export interface SearchHit {
  readonly title: string
  readonly url: string
  /** Matching lines of the page; empty if none were given. */
  readonly snippet: string
  /** `2026-03-05`; only if the engine gives a full date. */
  readonly publishedAt?: string
  readonly source: LookupSourceName
}

/** A web search. */
export interface WebQuery {
  readonly query: string
  /** 1–20. Default 8. */
  readonly limit?: number
  /** Only pages on these hosts. */
  readonly sites?: readonly string[]
}

/** A web search engine. */
export interface WebSearch {
  readonly name: LookupSourceName
  search(
    access: LookupAccess,
    query: WebQuery,
  ): Promise<Lookup<{ readonly hits: readonly SearchHit[] }>>
}

const maxQueryChars = 400
const maxHits = 20
const maxSnippetChars = 2_000

/** The query's words, cut to what engines accept. */
export function limitWords({ query }: WebQuery): string {
  return query.replace(/\s+/g, ' ').trim().slice(0, maxQueryChars)
}

/** The query with its sites, for engines without a field for them. */
export function addSites(query: WebQuery): string {
  const sites = cleanSites(query).map((site) => `site:${site}`)
  const [only, ...others] = sites
  if (only === undefined) return limitWords(query)
  return `${limitWords(query)} ${others.length === 0 ? only : `(${sites.join(' OR ')})`}`
}

/** The sites of a query that are valid hosts. */
export function cleanSites({ sites = [] }: WebQuery): readonly string[] {
  return sites
    .filter((site) => /^[\p{L}\p{N}.-]{1,253}(?:\/[\w./-]{0,200})?$/u.test(site))
    .slice(0, 10)
}

/** The number of hits to return. */
export function clampLimit({ limit = 8 }: WebQuery): number {
  return Math.min(Math.max(1, Math.trunc(limit)), maxHits)
}

/** An engine's result. */
export interface RawHit {
  readonly title: unknown
  readonly url: unknown
  readonly snippet: unknown
  readonly publishedAt?: unknown
}

/**
 * The first `limit` results with an http or https address, each page once, in order. Two addresses of one page ({@link
 * canonicalUrl}) become one hit with the longer snippet. Emphasis marks are removed.
 */
export function toHits(
  source: LookupSourceName,
  raw: readonly RawHit[],
  limit: number,
  hasMarkup = false,
): readonly SearchHit[] {
  const textOf = hasMarkup ? markupToLine : toLine
  const hits = raw.flatMap(({ title, url: written, snippet, publishedAt }) => {
    const address = toLine(written, 4_000)
    const url = address === undefined ? undefined : toCitableUrl(address)
    if (url === undefined) return []
    return [
      omitUndefined({
        title: textOf(title, 300) ?? toSiteName(url),
        url,
        snippet: textOf(snippet, maxSnippetChars) ?? '',
        publishedAt: parseDay(publishedAt),
        source,
      }),
    ]
  })
  return mergeHits(hits).slice(0, limit)
}

/** Merges hits of the same page: the first, with the longest snippet and any known date. */
export function mergeHits(hits: readonly SearchHit[]): readonly SearchHit[] {
  const merged = new Map<string, SearchHit>()
  for (const hit of hits) {
    const key = canonicalUrl(hit.url) ?? hit.url
    const first = merged.get(key)
    const longer = first !== undefined && first.snippet.length >= hit.snippet.length ? first : hit
    merged.set(key, { ...hit, ...first, snippet: longer.snippet })
  }
  return [...merged.values()]
}

/** `2026-03-05` if a full date is given, not for ages such as "3 days ago". */
function parseDay(written: unknown): string | undefined {
  const [parts = []] = parseDate(toLine(written, 60))?.['date-parts'] ?? []
  const [year, month, day] = parts
  if (year === undefined || month === undefined || day === undefined) return undefined
  return [
    String(year).padStart(4, '0'),
    ...[month, day].map((part) => String(part).padStart(2, '0')),
  ].join('-')
}

/** The reference of a page known only from a search. */
export function webPageItem({ title, url, publishedAt }: SearchHit, access: LookupAccess): CslItem {
  const issued = parseDate(publishedAt)
  const item: CslItem = {
    id: url,
    type: 'webpage',
    title,
    'container-title': toSiteName(url),
    URL: url,
    ...(issued === undefined ? {} : { issued }),
  }
  return withAccessDate(item, access)
}
