import { cslFromSemanticScholar } from '../../../bibliography/metadata-semantic-scholar.ts'
import { baseUrlOf, keyOf, type LookupAccess } from '../access.ts'
import { failure, type Lookup, type LookupFailure } from '../outcome.ts'
import { jsonOf, sendForSuccess } from '../send.ts'
import { countOf, isRecord, lineOf, listOf, present } from '../values.ts'
import {
  accessedWork,
  addressOf,
  type FoundWork,
  type FoundWorks,
  limitOf,
  type WorkSearch,
  webAddress,
  writtenIdentifiers,
} from './found-work.ts'

/** A search in Semantic Scholar. */
export interface SemanticScholarSearch extends WorkSearch {
  /** Any of these: `Computer Science`, `Medicine`. */
  readonly fieldsOfStudy?: readonly string[]
}

const MAX_PAPERS = 100
const MAX_BATCH = 500
/** All that a reference needs, and where the text is. */
const fields =
  'title,abstract,authors,year,publicationDate,venue,journal,externalIds,url,publicationTypes,citationCount,openAccessPdf'

/**
 * Searches papers by their relevance.
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
    limit: String(limitOf(search.limit, MAX_PAPERS)),
    ...(years[0] === undefined ? {} : { year: years[0] }),
    ...(fieldsOfStudy.length === 0 ? {} : { fieldsOfStudy: fieldsOfStudy.join(',') }),
  })
  const got = await askSemanticScholar(access, `/graph/v1/paper/search?${parameters}`)
  return 'reason' in got ? got : semanticScholarWorksIn(got.json, access)
}

/** Finds the one paper whose title is nearest to this one. */
export async function matchSemanticScholarTitle(
  access: LookupAccess,
  title: string,
): Promise<Lookup<{ readonly work: FoundWork }>> {
  const parameters = new URLSearchParams({ query: title.slice(0, 300), fields })
  const got = await askSemanticScholar(access, `/graph/v1/paper/search/match?${parameters}`)
  if ('reason' in got) return got
  const found = semanticScholarWorksIn(got.json, access)
  if (!found.ok) return found
  const [work] = found.works
  return work === undefined
    ? failure('semantic-scholar', 'not_found', `No paper has a title like "${title}".`)
    : { ok: true, work }
}

/** Reads a paper by its DOI, its arXiv id, an address of these, or Semantic Scholar's own id. */
export async function readSemanticScholarPaper(
  access: LookupAccess,
  written: string,
): Promise<Lookup<{ readonly work: FoundWork }>> {
  const id = semanticScholarId(written)
  if (id === undefined) return noId(written)
  const path = `/graph/v1/paper/${idInPath(id)}?fields=${fields}`
  const got = await askSemanticScholar(access, path)
  if ('reason' in got) return got
  const work = workIn(got.json, access)
  return work === undefined
    ? failure('semantic-scholar', 'malformed', 'The response is not a paper.')
    : { ok: true, work }
}

/** Reads up to 500 papers at once. What is not known, or is no id, is in `missing`. */
export async function readSemanticScholarPapers(
  access: LookupAccess,
  ids: readonly string[],
): Promise<Lookup<FoundWorks & { readonly missing: readonly string[] }>> {
  const wanted = ids
    .slice(0, MAX_BATCH)
    .map((written) => ({ written, id: semanticScholarId(written) }))
  const known = wanted.filter(({ id }) => id !== undefined)
  if (known.length === 0) return noId(ids.join(', '))
  const got = await askSemanticScholar(access, `/graph/v1/paper/batch?fields=${fields}`, {
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
  const works = got.json.map((paper: unknown) => workIn(paper, access))
  const missing = [
    ...wanted.filter(({ id }) => id === undefined),
    ...known.filter((_one, index) => works[index] === undefined),
  ].map(({ written }) => written)
  return { ok: true, works: works.filter((work) => work !== undefined), leftOut: 0, missing }
}

/** The id by which Semantic Scholar knows something that was written. */
export function semanticScholarId(written: string): string | undefined {
  const own = /(?:^|\/paper\/(?:[^/]*\/)?)([\da-f]{40})(?:[/?#]|$)/.exec(written.trim())?.[1]
  const corpus = /^corpusid:\s*(\d{1,12})$/i.exec(written.trim())?.[1]
  if (own !== undefined) return own
  if (corpus !== undefined) return `CorpusId:${corpus}`
  const { doi, arxiv } = writtenIdentifiers(written)
  if (arxiv !== undefined) return `ARXIV:${arxiv.replace(/v\d+$/, '')}`
  return doi === undefined ? undefined : `DOI:${doi}`
}

/** An id in a path: its slashes stay, as the source wants them. */
export function idInPath(id: string): string {
  return encodeURIComponent(id).replace(/%(?:2F|3A)/g, decodeURIComponent)
}

/** That something is no id of a paper. */
export function noId(written: string): LookupFailure {
  return failure('semantic-scholar', 'refused', `"${written}" does not identify a paper.`, {
    hint: 'Give a DOI, an arXiv id or a Semantic Scholar id.',
  })
}

/** What the source answers to a path, or to a body that is sent there. */
export async function askSemanticScholar(
  access: LookupAccess,
  path: string,
  body?: object,
): Promise<ReturnType<typeof jsonOf>> {
  const base = baseUrlOf(access, 'semantic-scholar')
  if (typeof base !== 'string') return base
  const key = keyOf(access, 'semantic-scholar')
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
  return 'reason' in got ? got : jsonOf('semantic-scholar', got)
}

/** A page of papers: of a search, of an author, of recommendations. A search that finds nothing has no list. */
export function semanticScholarWorksIn(json: unknown, access: LookupAccess): Lookup<FoundWorks> {
  const page = isRecord(json) ? json : {}
  const entries = page.data ?? (page.total === 0 ? [] : undefined)
  if (!Array.isArray(entries)) {
    return failure('semantic-scholar', 'malformed', 'The response has no list of papers.')
  }
  // Pages of its bulk search have 1,000 entries.
  const papers = listOf(entries, 1_000)
  const works = papers.flatMap((paper) => workIn(paper, access) ?? [])
  const counts = { total: countOf(page.total), nextOffset: countOf(page.next) }
  return { ok: true, ...present({ works, ...counts, leftOut: entries.length - works.length }) }
}

/** A paper as the source gives it, `undefined` for what has neither title nor DOI. */
export function workIn(paper: unknown, access: LookupAccess): FoundWork | undefined {
  const record = cslFromSemanticScholar(paper)
  if (record === undefined || !isRecord(paper)) return undefined
  const pdf = isRecord(paper.openAccessPdf) ? paper.openAccessPdf.url : undefined
  const work = present({
    record,
    sourceId: lineOf(paper.paperId, 60),
    url: addressOf(record),
    pdfUrl: webAddress(pdf),
    citationCount: countOf(paper.citationCount),
  })
  return accessedWork(work, access)
}
