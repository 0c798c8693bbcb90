import { cslFromOpenAlex } from '../../../bibliography/metadata-openalex.ts'
import { findBaseUrl, findKey, type LookupAccess } from '../access.ts'
import { failure, type Lookup } from '../outcome.ts'
import { parseJsonAnswer, sendForSuccess } from '../send.ts'
import { isRecord, omitUndefined, toCount, toLine, toRecords } from '../values.ts'
import {
  clampLimit,
  type FoundWork,
  type FoundWorks,
  landingPage,
  parseIdentifiers,
  type WorkSearch,
  webAddress,
  withAccessDateOfWork,
} from './found-work.ts'

/** A search in OpenAlex. */
export interface OpenAlexSearch extends WorkSearch {
  /** Only works in any of these fields, by number: 17 is computer science. */
  readonly fieldIds?: readonly number[]
}

const maxWorks = 100

/**
 * Searches works by relevance. Pages start at multiples of the limit; other offsets are rounded down.
 * @see https://developers.openalex.org/api-reference/works
 */
export async function searchOpenAlex(
  access: LookupAccess,
  search: OpenAlexSearch,
): Promise<Lookup<FoundWorks>> {
  const { query = '', title, author, fromYear, toYear, offset = 0, fieldIds = [] } = search
  const limit = clampLimit(search.limit, maxWorks)
  const filters = [
    ...toFilter('title.search', title),
    ...toFilter('raw_author_name.search', author),
    ...(fromYear === undefined ? [] : [`from_publication_date:${fromYear}-01-01`]),
    ...(toYear === undefined ? [] : [`to_publication_date:${toYear}-12-31`]),
    ...(fieldIds.length === 0 ? [] : [`topics.field.id:${fieldIds.join('|')}`]),
  ]
  if (query.trim() === '' && title === undefined && author === undefined) {
    return failure('openalex', 'refused', 'The search is empty.')
  }
  const page = Math.floor(offset / limit) + 1
  const got = await request(access, '/works', {
    ...(query.trim() === '' ? {} : { search: query.slice(0, 500) }),
    ...(filters.length === 0 ? {} : { filter: filters.join(',') }),
    per_page: String(limit),
    page: String(page),
  })
  if ('reason' in got) return got
  const found = parseOpenAlexWorks(got.json, access)
  if (!found.ok) return found
  const next = page * limit
  return found.total !== undefined && next < found.total ? { ...found, nextOffset: next } : found
}

/** Reads a work by DOI, arXiv id, an address of these, PMID, or OpenAlex id (`W2741809807`). */
export async function readOpenAlexWork(
  access: LookupAccess,
  written: string,
): Promise<Lookup<{ readonly work: FoundWork }>> {
  const id = openAlexId(written)
  if (id === undefined)
    return failure('openalex', 'refused', `"${written}" does not identify a work.`)
  const got = await request(access, `/works/${id}`, {})
  if ('reason' in got) return got
  const work = parseWork(got.json, access)
  return work === undefined
    ? failure('openalex', 'malformed', 'The response is not a work.')
    : { ok: true, work }
}

/** The path under which OpenAlex knows an identifier. */
function openAlexId(written: string): string | undefined {
  const own = /^(?:https?:\/\/(?:api\.)?openalex\.org\/(?:works\/)?)?(W\d{1,12})$/i.exec(
    written.trim(),
  )
  const pmid = /^pmid:\s*(\d{1,9})$/i.exec(written.trim())?.[1]
  if (own?.[1] !== undefined) return own[1].toUpperCase()
  if (pmid !== undefined) return `pmid:${pmid}`
  const { doi, arxiv } = parseIdentifiers(written)
  const named =
    doi ?? (arxiv === undefined ? undefined : `10.48550/arxiv.${arxiv.replace(/v\d+$/, '')}`)
  return named === undefined ? undefined : `doi:${encodeURIComponent(named).replaceAll('%2F', '/')}`
}

/** A filter for words; separators of filters are left out. */
function toFilter(filter: string, written = ''): readonly string[] {
  const words = written
    .slice(0, 300)
    .replace(/[,|!:<>"]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return words === '' ? [] : [`${filter}:${words}`]
}

async function request(
  access: LookupAccess,
  path: string,
  parameters: Readonly<Record<string, string>>,
): Promise<ReturnType<typeof parseJsonAnswer>> {
  const base = findBaseUrl(access, 'openalex')
  if (typeof base !== 'string') return base
  const key = findKey(access, 'openalex')
  if (typeof key === 'object') return key
  const known = {
    ...(key === undefined ? {} : { api_key: key }),
    ...(access.contact === undefined ? {} : { mailto: access.contact }),
  }
  const query = String(new URLSearchParams({ ...parameters, ...known }))
  const got = await sendForSuccess(access, 'openalex', {
    url: `${base}${path}${query === '' ? '' : `?${query}`}`,
    accept: 'application/json',
  })
  return 'reason' in got ? got : parseJsonAnswer('openalex', got)
}

/** The works in a response with a list. */
export function parseOpenAlexWorks(json: unknown, access: LookupAccess): Lookup<FoundWorks> {
  if (!isRecord(json) || !Array.isArray(json.results)) {
    return failure('openalex', 'malformed', 'The response has no list of works.')
  }
  const works = toRecords(json.results, 200).flatMap((work) => parseWork(work, access) ?? [])
  const total = isRecord(json.meta) ? toCount(json.meta.count) : undefined
  return {
    ok: true,
    ...omitUndefined({ works, total, leftOut: json.results.length - works.length }),
  }
}

/** A work as the service gives it, with its abstract restored; `undefined` for invalid entries. */
export function parseWork(work: unknown, access: LookupAccess): FoundWork | undefined {
  const record = cslFromOpenAlex(work)
  if (record === undefined || !isRecord(work)) return undefined
  const abstract = restoreAbstract(work.abstract_inverted_index)
  const item = abstract === undefined ? record.item : { ...record.item, abstract }
  const open = isRecord(work.best_oa_location) ? work.best_oa_location : {}
  const found = omitUndefined({
    record: { ...record, item },
    sourceId: toLine(work.id, 60)?.split('/').at(-1),
    url: landingPage(record),
    pdfUrl: webAddress(open.pdf_url),
    citationCount: toCount(work.cited_by_count),
  })
  return withAccessDateOfWork(found, access)
}

const maxAbstractWords = 3_000
const maxAbstractChars = 20_000

/** Restores an abstract from its inverted index; `undefined` if there is none. */
function restoreAbstract(places: unknown): string | undefined {
  if (!isRecord(places)) return undefined
  const words: string[] = []
  for (const [word, positions] of Object.entries(places)) {
    for (const position of Array.isArray(positions) ? positions : []) {
      const place = toCount(position)
      if (place !== undefined && place < maxAbstractWords) words[place] = word
    }
  }
  const text = words.filter((word) => word !== undefined).join(' ')
  return toLine(text, maxAbstractChars)
}
