import { cslFromSemanticScholar } from '../../../bibliography/metadata-semantic-scholar.ts'
import { findBaseUrl, findKey, type LookupAccess } from '../access.ts'
import { failure, type Lookup, type LookupFailure } from '../outcome.ts'
import { parseJsonAnswer, sendForSuccess } from '../send.ts'
import { isRecord, omitUndefined, toCount, toLine, toList } from '../values.ts'
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

/** A search in Semantic Scholar. */
export interface SemanticScholarSearch extends WorkSearch {
  /** Any of these: `Computer Science`, `Medicine`. */
  readonly fieldsOfStudy?: readonly string[]
}

const maxPapers = 100
const maxBatch = 500
/** Everything a reference needs, and the full text's address. */
const fields =
  'title,abstract,authors,year,publicationDate,venue,journal,externalIds,url,publicationTypes,citationCount,openAccessPdf'

/**
 * Searches papers by relevance.
 * @see https://api.semanticscholar.org/api-docs/graph
 */
export async function searchSemanticScholar(
  access: LookupAccess,
  search: SemanticScholarSearch,
): Promise<Lookup<FoundWorks>> {
  const { fromYear, toYear, offset = 0, fieldsOfStudy = [] } = search
  const query = [search.query, search.title, search.author].filter(Boolean).join(' ').trim()
  if (query === '') return failure('semantic-scholar', 'refused', 'The search is empty.')
  const years =
    fromYear === undefined && toYear === undefined ? [] : [`${fromYear ?? ''}-${toYear ?? ''}`]
  const parameters = new URLSearchParams({
    query: query.slice(0, 300),
    fields,
    offset: String(offset),
    limit: String(clampLimit(search.limit, maxPapers)),
    ...(years[0] === undefined ? {} : { year: years[0] }),
    ...(fieldsOfStudy.length === 0 ? {} : { fieldsOfStudy: fieldsOfStudy.join(',') }),
  })
  const got = await requestSemanticScholar(access, `/graph/v1/paper/search?${parameters}`)
  return 'reason' in got ? got : parseSemanticScholarWorks(got.json, access)
}

/** Finds the paper with the closest title. */
export async function matchSemanticScholarTitle(
  access: LookupAccess,
  title: string,
): Promise<Lookup<{ readonly work: FoundWork }>> {
  const parameters = new URLSearchParams({ query: title.slice(0, 300), fields })
  const got = await requestSemanticScholar(access, `/graph/v1/paper/search/match?${parameters}`)
  if ('reason' in got) return got
  const found = parseSemanticScholarWorks(got.json, access)
  if (!found.ok) return found
  const [work] = found.works
  return work === undefined
    ? failure('semantic-scholar', 'not_found', `No paper has a title like "${title}".`)
    : { ok: true, work }
}

/** Reads a paper by DOI, arXiv id, an address of these, or Semantic Scholar id. */
export async function readSemanticScholarPaper(
  access: LookupAccess,
  written: string,
): Promise<Lookup<{ readonly work: FoundWork }>> {
  const id = semanticScholarId(written)
  if (id === undefined) return refuseId(written)
  const path = `/graph/v1/paper/${encodeId(id)}?fields=${fields}`
  const got = await requestSemanticScholar(access, path)
  if ('reason' in got) return got
  const work = parseWork(got.json, access)
  return work === undefined
    ? failure('semantic-scholar', 'malformed', 'The response is not a paper.')
    : { ok: true, work }
}

/** Reads up to 500 papers. Unknown papers and invalid ids are in `missing`. */
export async function readSemanticScholarPapers(
  access: LookupAccess,
  ids: readonly string[],
): Promise<Lookup<FoundWorks & { readonly missing: readonly string[] }>> {
  const wanted = ids
    .slice(0, maxBatch)
    .map((written) => ({ written, id: semanticScholarId(written) }))
  const known = wanted.filter(({ id }) => id !== undefined)
  if (known.length === 0) return refuseId(ids.join(', '))
  const got = await requestSemanticScholar(access, `/graph/v1/paper/batch?fields=${fields}`, {
    ids: known.map(({ id }) => id),
  })
  if ('reason' in got) return got
  if (!Array.isArray(got.json) || got.json.length !== known.length) {
    return failure(
      'semantic-scholar',
      'malformed',
      'The response is not a list of the requested papers.',
    )
  }
  const works = got.json.map((paper: unknown) => parseWork(paper, access))
  const missing = [
    ...wanted.filter(({ id }) => id === undefined),
    ...known.filter((_one, index) => works[index] === undefined),
  ].map(({ written }) => written)
  return { ok: true, works: works.filter((work) => work !== undefined), leftOut: 0, missing }
}

/** Semantic Scholar's id for an identifier. */
export function semanticScholarId(written: string): string | undefined {
  const own = /(?:^|\/paper\/(?:[^/]*\/)?)([\da-f]{40})(?:[/?#]|$)/.exec(written.trim())?.[1]
  const corpus = /^corpusid:\s*(\d{1,12})$/i.exec(written.trim())?.[1]
  if (own !== undefined) return own
  if (corpus !== undefined) return `CorpusId:${corpus}`
  const { doi, arxiv } = parseIdentifiers(written)
  if (arxiv !== undefined) return `ARXIV:${arxiv.replace(/v\d+$/, '')}`
  return doi === undefined ? undefined : `DOI:${doi}`
}

/** Encodes an id for a path; the service wants its slashes unescaped. */
export function encodeId(id: string): string {
  return encodeURIComponent(id).replace(/%(?:2F|3A)/g, decodeURIComponent)
}

/** The failure for an invalid paper id. */
export function refuseId(written: string): LookupFailure {
  return failure('semantic-scholar', 'refused', `"${written}" does not identify a paper.`, {
    hint: 'Give a DOI, an arXiv id or a Semantic Scholar id.',
  })
}

/** The service's response to a path, or to a body posted to it. */
export async function requestSemanticScholar(
  access: LookupAccess,
  path: string,
  body?: object,
): Promise<ReturnType<typeof parseJsonAnswer>> {
  const base = findBaseUrl(access, 'semantic-scholar')
  if (typeof base !== 'string') return base
  const key = findKey(access, 'semantic-scholar')
  if (typeof key === 'object') return key
  const headers = {
    ...(key === undefined ? {} : { 'x-api-key': key }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const sent = body === undefined ? {} : { method: 'POST' as const, body: JSON.stringify(body) }
  const got = await sendForSuccess(access, 'semantic-scholar', {
    url: base + path,
    headers,
    accept: 'application/json',
    ...sent,
  })
  return 'reason' in got ? got : parseJsonAnswer('semantic-scholar', got)
}

/** A page of papers: from a search, an author, recommendations. A search without results has no list. */
export function parseSemanticScholarWorks(json: unknown, access: LookupAccess): Lookup<FoundWorks> {
  const page = isRecord(json) ? json : {}
  const entries = page.data ?? (page.total === 0 ? [] : undefined)
  if (!Array.isArray(entries)) {
    return failure('semantic-scholar', 'malformed', 'The response has no list of papers.')
  }
  // Pages of its bulk search have 1,000 entries.
  const papers = toList(entries, 1_000)
  const works = papers.flatMap((paper) => parseWork(paper, access) ?? [])
  const counts = { total: toCount(page.total), nextOffset: toCount(page.next) }
  return {
    ok: true,
    ...omitUndefined({ works, ...counts, leftOut: entries.length - works.length }),
  }
}

/** A paper as the service gives it; `undefined` without title and DOI. */
export function parseWork(paper: unknown, access: LookupAccess): FoundWork | undefined {
  const record = cslFromSemanticScholar(paper)
  if (record === undefined || !isRecord(paper)) return undefined
  const pdf = isRecord(paper.openAccessPdf) ? paper.openAccessPdf.url : undefined
  const work = omitUndefined({
    record,
    sourceId: toLine(paper.paperId, 60),
    url: landingPage(record),
    pdfUrl: webAddress(pdf),
    citationCount: toCount(paper.citationCount),
  })
  return withAccessDateOfWork(work, access)
}
