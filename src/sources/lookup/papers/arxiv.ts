import { cslFromArxiv } from '../../../bibliography/metadata-arxiv.ts'
import {
  createXmlReader,
  findElement,
  findElements,
  textContent,
  type XmlElement,
} from '../../xml.ts'
import { findBaseUrl, type LookupAccess } from '../access.ts'
import { failure, type Lookup, type LookupFailure } from '../outcome.ts'
import { type Answer, send, toFailure } from '../send.ts'
import { omitUndefined, toCount, toLine } from '../values.ts'
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

/** An arXiv paper; its `sourceId` includes the version: `2301.00001v2`. */
export interface ArxivPaper extends FoundWork {
  readonly categories: readonly string[]
  /** When this version was submitted, in ISO 8601. */
  readonly updatedAt?: string
  /** The authors' comment: pages, a conference, a withdrawal. */
  readonly comment?: string
}

/** A page of papers. */
export interface ArxivPapers extends FoundWorks {
  readonly works: readonly ArxivPaper[]
}

/** arXiv allows 2,000, more than anybody reads. */
const maxPapers = 100

/** Searches arXiv. */
export async function searchArxiv(
  access: LookupAccess,
  search: ArxivSearch,
): Promise<Lookup<ArxivPapers>> {
  const query = toArxivQuery(search)
  if (query === '') return failure('arxiv', 'refused', 'The search is empty.')
  const { offset = 0, limit, sortBy = 'relevance' } = search
  return request(access, {
    search_query: query,
    start: String(offset),
    max_results: String(clampLimit(limit, maxPapers)),
    sortBy,
    sortOrder: 'descending',
  })
}

/** Reads papers by id or address; the latest version if none is given. Unknown papers and invalid ids are in `missing`. */
export async function readArxivPapers(
  access: LookupAccess,
  ids: readonly string[],
): Promise<Lookup<ArxivPapers & { readonly missing: readonly string[] }>> {
  const wanted = ids
    .slice(0, maxPapers)
    .map((written) => ({ written, id: parseIdentifiers(written).arxiv }))
  const known = wanted.flatMap(({ id }) => id ?? [])
  if (known.length === 0) {
    return failure('arxiv', 'refused', `None of these is an arXiv id: ${ids.join(', ')}`, {
      hint: 'Give ids such as 2301.00001 or math/0309136, with or without a version.',
    })
  }
  const found = await request(access, {
    id_list: known.join(','),
    max_results: String(known.length),
  })
  if (!found.ok) return found
  const got = new Set(
    found.works.flatMap(({ sourceId = '' }) => [sourceId, withoutVersion(sourceId)]),
  )
  const missing = wanted.filter(({ id }) => id === undefined || !got.has(id))
  return { ...found, missing: missing.map(({ written }) => written) }
}

async function request(
  access: LookupAccess,
  parameters: Readonly<Record<string, string>>,
): Promise<Lookup<ArxivPapers>> {
  const base = findBaseUrl(access, 'arxiv')
  if (typeof base !== 'string') return base
  const query = new URLSearchParams(parameters)
  const got = await send(access, 'arxiv', {
    url: `${base}/api/query?${query}`,
    accept: 'application/atom+xml',
  })
  if ('reason' in got) return got
  return parseArxivFeed(got, access)
}

/** The papers in a response. Errors also come as a feed, and maintenance as a page with status 200. */
export async function parseArxivFeed(
  answer: Answer,
  access: LookupAccess,
): Promise<Lookup<ArxivPapers>> {
  const { text } = answer
  if (/^\s*rate exceeded/i.test(text)) {
    const told = toFailure(access, 'arxiv', { ...answer, status: 429 })
    return told ?? failure('arxiv', 'rate_limited', 'arXiv: Rate exceeded.')
  }
  if (/<(?:!doctype html|html)/i.test(text.slice(0, 1_000))) {
    return (
      toFailure(access, 'arxiv', answer) ??
      failure('arxiv', 'maintenance', 'arXiv returned a web page instead of data.')
    )
  }
  const feed = await parseFeed(text)
  if (feed === undefined) {
    return (
      toFailure(access, 'arxiv', answer) ??
      failure('arxiv', 'malformed', 'arXiv returned a response that is not an Atom feed.')
    )
  }
  return (
    findError(feed) ?? toFailure(access, 'arxiv', answer) ?? (await parsePapers(feed, text, access))
  )
}

async function parseFeed(text: string): Promise<XmlElement | undefined> {
  const readXml = await createXmlReader()
  try {
    const feed = findElement(readXml(text), 'feed')
    // A truncated feed would parse without its totals.
    return /<\/feed>\s*$/.test(text) ? feed : undefined
  } catch {
    return undefined
  }
}

function findError(feed: XmlElement): LookupFailure | undefined {
  const error = findElements(feed.children, 'entry').find((entry) =>
    textContent(findElement(entry.children, 'id')).includes('/api/errors'),
  )
  if (error === undefined) return undefined
  const said =
    toLine(textContent(findElement(error.children, 'summary'))) ?? 'an error without a message'
  return failure('arxiv', 'refused', `arXiv: ${said}`)
}

async function parsePapers(
  feed: XmlElement,
  atom: string,
  access: LookupAccess,
): Promise<Lookup<ArxivPapers>> {
  const entries = findElements(feed.children, 'entry')
  const more = new Map(entries.map((entry) => [parseId(entry), entry]))
  const records = await cslFromArxiv(atom).catch((error: unknown) => String(error))
  if (typeof records === 'string') return failure('arxiv', 'malformed', records)
  const works = records.map((record) => {
    const id = String(record.item.number).replace(/^arXiv:/, '')
    const paper = omitUndefined({
      record,
      sourceId: id,
      url: landingPage(record),
      ...parseDetails(more.get(id)),
    })
    return withAccessDateOfWork(paper, access)
  })
  const total = toCount(textContent(findElement(feed.children, 'totalResults')))
  const offset = toCount(textContent(findElement(feed.children, 'startIndex'))) ?? 0
  if (entries.length === 0 && total !== undefined && total > offset) {
    const detail = `arXiv reports ${total} papers, but returned none from ${offset} on.`
    return failure('arxiv', 'malformed', detail, {
      hint: 'Try again: this happens occasionally with arXiv.',
    })
  }
  const next = offset + entries.length
  const hasMore = total !== undefined && next < total && entries.length > 0
  const leftOut = entries.length - works.length
  return {
    ok: true,
    ...omitUndefined({ works, total, nextOffset: hasMore ? next : undefined, leftOut }),
  }
}

function parseId(entry: XmlElement): string {
  return /arxiv\.org\/abs\/(\S+)$/.exec(textContent(findElement(entry.children, 'id')))?.[1] ?? ''
}

function parseDetails(entry: XmlElement | undefined): Omit<ArxivPaper, 'record'> {
  const among = entry?.children ?? []
  const text = (name: string) => toLine(textContent(findElement(among, name)), 2_000)
  const links = findElements(among, 'link')
  const pdf = links.find(({ attributes }) => attributes.title === 'pdf')
  return omitUndefined({
    categories: findElements(among, 'category').flatMap((one) => one.attributes.term ?? []),
    updatedAt: text('updated'),
    comment: text('comment'),
    pdfUrl: webAddress(pdf?.attributes.href),
  })
}

function withoutVersion(id: string): string {
  return id.replace(/v\d+$/, '')
}

/** A search in arXiv. */
export interface ArxivSearch extends WorkSearch {
  readonly abstract?: string
  /** Any of these: `cs.CL`, `math.*`. */
  readonly categories?: readonly string[]
  /** Whether one word of `query` suffices. Default `false`: all are required. */
  readonly isAnyWordEnough?: boolean
  /** Default `relevance`; the others sort newest first. */
  readonly sortBy?: 'relevance' | 'lastUpdatedDate' | 'submittedDate'
}

/**
 * A search in arXiv's query syntax: all words of a field are required, quoted words as a phrase, a person's name as a
 * whole. Special characters are left out. Empty if nothing is searched.
 * @see https://info.arxiv.org/help/api/user-manual.html#query_details
 */
export function toArxivQuery(search: ArxivSearch): string {
  const { fromYear, toYear, categories = [] } = search
  const queryTerms = toTerms('all', search.query)
  const parts = [
    ...(search.isAnyWordEnough === true ? joinWithOr(queryTerms) : queryTerms),
    ...toTerms('ti', search.title),
    ...toTerms('abs', search.abstract),
    ...phrase('au', search.author),
  ]
  const inCategories = categories
    .filter((category) => /^[a-z-]+(?:\.(?:[A-Za-z-]+|\*))?$/.test(category))
    .map((category) => `cat:${category}`)
  if (inCategories.length > 0) parts.push(`(${inCategories.join(' OR ')})`)
  if (parts.length > 0 && (fromYear !== undefined || toYear !== undefined)) {
    const [from, to] = [formatYear(fromYear, 1991), formatYear(toYear, 2999)]
    parts.push(`submittedDate:[${from}01010000 TO ${to}12312359]`)
  }
  return parts.join(' AND ')
}

function joinWithOr(terms: readonly string[]): readonly string[] {
  return terms.length < 2 ? terms : [`(${terms.join(' OR ')})`]
}

const maxTerms = 20

function toTerms(field: string, written = ''): readonly string[] {
  const parts = written.slice(0, 500).match(/"[^"]+"|[^\s"]+/g) ?? []
  // arXiv's operators are words in capitals, which mean nothing in a question.
  const words = parts.filter((part) => !/^(?:AND|OR|ANDNOT|TO)$/.test(part))
  return words.slice(0, maxTerms).flatMap((part) => phrase(field, part))
}

/** One word as it is, several as a phrase; hyphens split words as in arXiv's index. */
function phrase(field: string, written = ''): readonly string[] {
  const words = written.slice(0, 300).match(/[\p{L}\p{M}\p{N}]+(?:[.'’][\p{L}\p{N}]+)*/gu) ?? []
  if (words.length === 0) return []
  return [words.length === 1 ? `${field}:${words[0]}` : `${field}:"${words.join(' ')}"`]
}

function formatYear(year: number | undefined, otherwise: number): string {
  const known = year !== undefined && year >= 1000 && year <= 9999 ? Math.trunc(year) : otherwise
  return String(known)
}
