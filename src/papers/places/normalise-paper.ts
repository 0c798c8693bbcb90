import { cslItemFrom } from '../../bibliography/csl-item.ts'
import { doiOf, identifiersOf } from '../../bibliography/identifiers.ts'
import { nameFrom } from '../../bibliography/metadata-record.ts'
import { workId } from '../../bibliography/work-id.ts'
import type { CslItem, CslName, Source } from '../../citations/source.ts'
import { type FoundWork, webAddress } from '../../sources/lookup/papers/found-work.ts'
import { countOf, isRecord, lineOf, listOf, present } from '../../sources/lookup/values.ts'
import type { Paper } from './paper.ts'
import { authorNames } from './paper-authors.ts'
import { isoDate, paperDate } from './paper-date.ts'

const maxTitleChars = 1_000
const maxAbstractChars = 20_000
const maxCategories = 50

/** What is known of a paper beside its reference. */
export interface PaperDetails {
  /** The place that found it. */
  readonly place: string
  /** What it is called where neither an arXiv id nor a DOI is known: `s2:…`, `file:…`. Without one it is no paper. */
  readonly ownId?: string | undefined
  readonly categories?: readonly string[] | undefined
  readonly url?: string | undefined
  readonly pdfUrl?: string | undefined
  readonly citationCount?: number | undefined
  readonly retraction?: string | undefined
  readonly path?: string | undefined
  readonly sourceId?: Paper['sourceId'] | undefined
}

/** A paper from its reference; `undefined` for what has no title or nothing by which it is known. */
export function paperOf(item: CslItem, details: PaperDetails): Paper | undefined {
  const { place, ownId, categories = [], ...more } = details
  const title = lineOf(item.title, maxTitleChars)
  const { arxiv, doi } = identifiersOf(item)
  const version = arxiv?.version === undefined ? '' : `v${arxiv.version}`
  const arxivId = arxiv === undefined ? undefined : `${arxiv.id}${version}`
  const id = workId({ arxiv, doi }) ?? ownId
  if (title === undefined || id === undefined) return undefined
  const { abstract: _, ...csl } = item
  const pdfUrl = secured(more.pdfUrl) ?? (arxivId && `https://arxiv.org/pdf/${arxivId}`)
  return {
    id,
    title,
    authors: (item.author ?? []).map(displayName).filter((name) => name !== ''),
    abstract: lineOf(item.abstract, maxAbstractChars) ?? '',
    published: isoDate(
      ...((item.issued?.['date-parts']?.[0] ?? []) as [number?, number?, number?]),
    ),
    categories,
    foundBy: [place],
    csl: { ...csl, title },
    ...present({ ...more, arxivId, doi, url: secured(more.url), pdfUrl }),
  }
}

/** A paper from what a look-up found. */
export function paperFromWork(
  work: FoundWork & { readonly categories?: readonly string[] },
  place: string,
): Paper | undefined {
  const { record, sourceId, url, pdfUrl, citationCount, categories } = work
  const prefix = { 'semantic-scholar': 's2', openalex: 'openalex', arxiv: 'arxiv', crossref: 'doi' }
  const ownId = sourceId === undefined ? undefined : `${prefix[record.source]}:${sourceId}`
  const { retraction } = record
  return paperOf(record.item, { place, ownId, categories, url, pdfUrl, citationCount, retraction })
}

/** A paper from what is in the library. */
export function paperFromSource(
  source: Pick<Source, 'id' | 'csl' | 'title' | 'url' | 'path'>,
  place: string,
): Paper {
  const { id, csl, url, path } = source
  const title = lineOf(csl.title) ?? lineOf(source.title) ?? 'Untitled'
  const details = { place, ownId: fileId(id), url: webAddress(csl.URL) ?? url, path, sourceId: id }
  // Of what is here nothing has to be fetched; with a title and an id it is a paper.
  const { pdfUrl: _, ...paper } = paperOf({ ...csl, title }, details) as Paper
  return paper
}

/** What a file is called whose work is not known. */
export function fileId(contentHash: string): string {
  return `file:${contentHash.slice(0, 16)}`
}

/** Papers among entries of any shape, and how many entries were none. */
export function normalisePapers(
  entries: readonly unknown[],
  place: string,
): { readonly papers: readonly Paper[]; readonly leftOut: number } {
  const papers = entries.flatMap((entry) => normalisePaper(entry, place) ?? [])
  return { papers, leftOut: entries.length - papers.length }
}

/** A paper from a record of arXiv's papers as programs around arXiv write them; `undefined` for what is none. */
export function normalisePaper(entry: unknown, place: string): Paper | undefined {
  if (!isRecord(entry)) return undefined
  const field = (...names: readonly string[]): unknown =>
    names.map((name) => (Object.hasOwn(entry, name) ? entry[name] : undefined)).find(isGiven)
  const text = (...names: readonly string[]) => lineOf(field(...names), 2_000)
  const pdfUrl = webAddress(text('pdf_url', 'pdfUrl', 'pdf', 'pdf_link')) ?? linkOf(entry, 'pdf')
  const url =
    webAddress(text('entry_id', 'abs_url', 'html_url', 'url', 'link', 'id')) ??
    linkOf(entry, 'html')
  const written = text('arxiv_id', 'arxivId', 'paper_id', 'paperId', 'short_id', 'id', 'entry_id')
  const number = [written, url, pdfUrl].map(arxivNumber).find((found) => found !== undefined)
  const names = authorNames(field('authors', 'author'))
  const date = paperDate(
    field(
      'published',
      'published_date',
      'publication_date',
      'publicationDate',
      'date',
      'submitted',
      'year',
    ),
  )
  const item = cslItemFrom(
    {
      type: 'article',
      genre: 'Preprint',
      title: lineOf(field('title', 'name'), maxTitleChars),
      author: names.map((name) => nameFrom(name)),
      issued: date === '' ? undefined : { 'date-parts': [date.split('-').map(Number)] },
      publisher: number === undefined ? undefined : 'arXiv',
      number: number === undefined ? undefined : `arXiv:${number}`,
      DOI: doiOf(text('doi', 'DOI')),
      URL: number === undefined ? url : `https://arxiv.org/abs/${number}`,
      abstract: lineOf(field('abstract', 'summary', 'description'), maxAbstractChars),
    },
    number === undefined ? (url ?? '') : `arXiv:${number}`,
  )
  const categories = categoriesIn(field('categories', 'category', 'primary_category', 'subjects'))
  const citationCount = countOf(field('citationCount', 'citation_count', 'cited_by_count'))
  const paper = paperOf(item, { place, categories, url: item.URL, pdfUrl, citationCount })
  return paper === undefined ? undefined : { ...paper, authors: names }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

/** An arXiv id in something written: alone, with `arxiv:` before it, or in an address. */
function arxivNumber(written: string | undefined): string | undefined {
  if (written === undefined) return undefined
  const isUrl = /^https?:\/\//i.test(written)
  const number = `arXiv:${written.replace(/^arxiv:\s*/i, '').replace(/\.pdf$/i, '')}`
  const { arxiv } = identifiersOf({
    id: '',
    type: 'article',
    ...(isUrl ? { URL: written } : { number }),
  })
  if (arxiv === undefined) return undefined
  return `${arxiv.id}${arxiv.version === undefined ? '' : `v${arxiv.version}`}`
}

function linkOf(
  entry: Readonly<Record<string, unknown>>,
  kind: 'pdf' | 'html',
): string | undefined {
  for (const link of listOf(entry.links, 20)) {
    const { href, title, type } = isRecord(link) ? link : { href: link, title: '', type: '' }
    const address = webAddress(href)
    const isPdf = /pdf/i.test(`${String(lineOf(title))}${String(lineOf(type))}${address}`)
    if (address !== undefined && isPdf === (kind === 'pdf')) return address
  }
  return undefined
}

/** Categories from a list, or a text with spaces or commas between them. */
function categoriesIn(value: unknown): readonly string[] {
  const parts =
    typeof value === 'string'
      ? value.slice(0, 2_000).split(/[\s,;|[\]'"]+/)
      : listOf(value, maxCategories)
  const terms = parts.flatMap((part) => lineOf(isRecord(part) ? part.term : part, 40) ?? [])
  return [...new Set(terms.filter((term) => /^[a-z-]+(?:\.[a-z-]+)?$/i.test(term)))].slice(
    0,
    maxCategories,
  )
}

/** A name as people write it. */
export function displayName(name: CslName): string {
  if (name.literal !== undefined) return name.literal
  const particles = [name['dropping-particle'], name['non-dropping-particle']]
  return [name.given, ...particles, name.family, name.suffix]
    .filter((part) => part !== undefined)
    .join(' ')
}

/** arXiv is asked over https, however old records write its address. */
function secured(url: string | undefined): string | undefined {
  return url?.replace(/^http:\/\/((?:[a-z]+\.)?arxiv\.org)(?=[/:]|$)/i, 'https://$1')
}
