import { toCslItem } from '../../bibliography/csl-item.ts'
import { findIdentifiers, parseDoi, workId } from '../../bibliography/identifiers.ts'
import { parseName } from '../../bibliography/metadata-record.ts'
import type { CslItem, CslName, Source } from '../../citations/source.ts'
import { type FoundWork, webAddress } from '../../sources/lookup/papers/found-work.ts'
import { isRecord, omitUndefined, toCount, toLine, toList } from '../../sources/lookup/values.ts'
import type { Paper } from '../paper.ts'

const maxTitleChars = 1_000
const maxAbstractChars = 20_000
const maxCategories = 50

/** What is known about a paper in addition to its reference. */
export interface PaperDetails {
  /** The place that found it. */
  readonly place: string
  /** Its id if neither an arXiv id nor a DOI is known: `s2:…`, `file:…`. */
  readonly ownId?: string | undefined
  readonly categories?: readonly string[] | undefined
  readonly url?: string | undefined
  readonly pdfUrl?: string | undefined
  readonly citationCount?: number | undefined
  readonly retraction?: string | undefined
  readonly path?: string | undefined
  readonly sourceId?: Paper['sourceId'] | undefined
}

/** A paper from its reference; `undefined` without a title or an id. */
export function toPaper(item: CslItem, details: PaperDetails): Paper | undefined {
  const { place, ownId, categories = [], ...more } = details
  const title = toLine(item.title, maxTitleChars)
  const { arxiv, doi } = findIdentifiers(item)
  const version = arxiv?.version === undefined ? '' : `v${arxiv.version}`
  const arxivId = arxiv === undefined ? undefined : `${arxiv.id}${version}`
  const id = workId({ arxiv, doi }) ?? ownId
  if (title === undefined || id === undefined) return undefined
  const { abstract: _, ...csl } = item
  const pdfUrl = toHttps(more.pdfUrl) ?? (arxivId && `https://arxiv.org/pdf/${arxivId}`)
  return {
    id,
    title,
    authors: (item.author ?? []).map(displayName).filter((name) => name !== ''),
    abstract: toLine(item.abstract, maxAbstractChars) ?? '',
    published: isoDate(
      ...((item.issued?.['date-parts']?.[0] ?? []) as [number?, number?, number?]),
    ),
    categories,
    foundBy: [place],
    csl: { ...csl, title },
    ...omitUndefined({ ...more, arxivId, doi, url: toHttps(more.url), pdfUrl }),
  }
}

/** A paper from a lookup's result. */
export function paperFromWork(
  work: FoundWork & { readonly categories?: readonly string[] },
  place: string,
): Paper | undefined {
  const { record, sourceId, url, pdfUrl, citationCount, categories } = work
  const prefix = { 'semantic-scholar': 's2', openalex: 'openalex', arxiv: 'arxiv', crossref: 'doi' }
  const ownId = sourceId === undefined ? undefined : `${prefix[record.source]}:${sourceId}`
  const { retraction } = record
  return toPaper(record.item, { place, ownId, categories, url, pdfUrl, citationCount, retraction })
}

/** A paper from a source of the library. */
export function paperFromSource(
  source: Pick<Source, 'id' | 'csl' | 'title' | 'url' | 'path'>,
  place: string,
): Paper {
  const { id, csl, url, path } = source
  const title = toLine(csl.title) ?? toLine(source.title) ?? 'Untitled'
  const details = { place, ownId: fileId(id), url: webAddress(csl.URL) ?? url, path, sourceId: id }
  // A local file needs no download; with a title and an id this is always a paper.
  const { pdfUrl: _, ...paper } = toPaper({ ...csl, title }, details) as Paper
  return paper
}

/** The id of a file whose work is unknown. */
export function fileId(contentHash: string): string {
  return `file:${contentHash.slice(0, 16)}`
}

/** The papers among entries of any shape, and how many entries were none. */
export function normalizePapers(
  entries: readonly unknown[],
  place: string,
): { readonly papers: readonly Paper[]; readonly leftOut: number } {
  const papers = entries.flatMap((entry) => normalizePaper(entry, place) ?? [])
  return { papers, leftOut: entries.length - papers.length }
}

/**
 * A paper from a record as arXiv tools write it; `undefined` for anything else.
 * @param ownId its id if neither an arXiv id nor a DOI is known. Default: it is no paper then
 */
export function normalizePaper(entry: unknown, place: string, ownId?: string): Paper | undefined {
  if (!isRecord(entry)) return undefined
  const field = (...names: readonly string[]): unknown =>
    names.map((name) => (Object.hasOwn(entry, name) ? entry[name] : undefined)).find(isGiven)
  const text = (...names: readonly string[]) => toLine(field(...names), 2_000)
  const pdfUrl = webAddress(text('pdf_url', 'pdfUrl', 'pdf', 'pdf_link')) ?? findLink(entry, 'pdf')
  const url =
    webAddress(text('entry_id', 'abs_url', 'html_url', 'url', 'link', 'id')) ??
    findLink(entry, 'html')
  const written = text('arxiv_id', 'arxivId', 'paper_id', 'paperId', 'short_id', 'id', 'entry_id')
  const number = [written, url, pdfUrl].map(arxivNumber).find((found) => found !== undefined)
  const names = parseAuthors(field('authors', 'author'))
  const date = parseDate(
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
  const item = toCslItem(
    {
      type: 'article',
      genre: number === undefined ? undefined : 'Preprint',
      title: toLine(field('title', 'name'), maxTitleChars),
      author: names.map((name) => parseName(name)),
      issued: date === '' ? undefined : { 'date-parts': [date.split('-').map(Number)] },
      publisher: number === undefined ? undefined : 'arXiv',
      number: number === undefined ? undefined : `arXiv:${number}`,
      DOI: parseDoi(text('doi', 'DOI')),
      URL: number === undefined ? url : `https://arxiv.org/abs/${number}`,
      abstract: toLine(field('abstract', 'summary', 'description'), maxAbstractChars),
    },
    number === undefined ? (url ?? '') : `arXiv:${number}`,
  )
  const categories = parseCategories(
    field('categories', 'category', 'primary_category', 'subjects'),
  )
  const citationCount = toCount(field('citationCount', 'citation_count', 'cited_by_count'))
  const paper = toPaper(item, { place, ownId, categories, url: item.URL, pdfUrl, citationCount })
  return paper === undefined ? undefined : { ...paper, authors: names }
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

/** An arXiv id alone, with `arxiv:` before it, or in an address. */
function arxivNumber(written: string | undefined): string | undefined {
  if (written === undefined) return undefined
  const isUrl = /^https?:\/\//i.test(written)
  const number = `arXiv:${written.replace(/^arxiv:\s*/i, '').replace(/\.pdf$/i, '')}`
  const { arxiv } = findIdentifiers({
    id: '',
    type: 'article',
    ...(isUrl ? { URL: written } : { number }),
  })
  if (arxiv === undefined) return undefined
  return `${arxiv.id}${arxiv.version === undefined ? '' : `v${arxiv.version}`}`
}

function findLink(
  entry: Readonly<Record<string, unknown>>,
  kind: 'pdf' | 'html',
): string | undefined {
  for (const link of toList(entry.links, 20)) {
    const { href, title, type } = isRecord(link) ? link : { href: link, title: '', type: '' }
    const address = webAddress(href)
    const isPdf = /pdf/i.test(`${String(toLine(title))}${String(toLine(type))}${address}`)
    if (address !== undefined && isPdf === (kind === 'pdf')) return address
  }
  return undefined
}

/** Categories from a list, or from a text separated by spaces or commas. */
function parseCategories(value: unknown): readonly string[] {
  const parts =
    typeof value === 'string'
      ? value.slice(0, 2_000).split(/[\s,;|[\]'"]+/)
      : toList(value, maxCategories)
  const terms = parts.flatMap((part) => toLine(isRecord(part) ? part.term : part, 40) ?? [])
  return [...new Set(terms.filter((term) => /^[a-z-]+(?:\.[a-z-]+)?$/i.test(term)))].slice(
    0,
    maxCategories,
  )
}

/** A name in display order. */
export function displayName(name: CslName): string {
  if (name.literal !== undefined) return name.literal
  const particles = [name['dropping-particle'], name['non-dropping-particle']]
  return [name.given, ...particles, name.family, name.suffix]
    .filter((part) => part !== undefined && part !== '')
    .join(' ')
}

/** arXiv is requested over https, even where records have http. */
function toHttps(url: string | undefined): string | undefined {
  return url?.replace(/^http:\/\/((?:[a-z]+\.)?arxiv\.org)(?=[/:]|$)/i, 'https://$1')
}

/** Maximum number of authors kept; the longest lists have some 5,000. */
const maxAuthors = 1_000
const maxNameChars = 200

/**
 * Display names in order, from whatever services give as authors: a list of texts or records, one record, a text
 * separated by commas, semicolons or "and", or a list in JSON or Python syntax. Other values are left out.
 */
export function parseAuthors(value: unknown): readonly string[] {
  if (typeof value === 'string') return splitNames(value)
  if (isRecord(value)) {
    const name = readName(value)
    // Numbered names: {"0": "Ada Quill", "1": …}.
    return name === undefined ? parseAuthors(Object.values(value).slice(0, maxAuthors)) : [name]
  }
  return toList(value, maxAuthors).flatMap((one) => {
    const name = isRecord(one) ? readName(one) : toLine(one, maxNameChars)
    return typeof one === 'number' || name === undefined ? [] : [givenNameFirst(name)]
  })
}

function readName(record: Readonly<Record<string, unknown>>): string | undefined {
  for (const key of ['name', 'full_name', 'fullName', 'display_name', 'author', 'literal']) {
    const name = Object.hasOwn(record, key) ? toLine(record[key], maxNameChars) : undefined
    if (name !== undefined) return givenNameFirst(name)
  }
  const part = (...keys: readonly string[]) =>
    toLine(record[keys.find((key) => Object.hasOwn(record, key)) ?? ''], maxNameChars)
  const family = part('family', 'last', 'lastName', 'last_name')
  if (family === undefined) return undefined
  return [part('given', 'first', 'firstName', 'first_name'), family].filter(Boolean).join(' ')
}

function splitNames(text: string): readonly string[] {
  const line = toLine(text, 100_000)
  if (line === undefined) return []
  const quoted = /^\[.*\]$/.test(line) ? parseQuotedList(line) : []
  if (quoted.length > 0) return quoted.map(givenNameFirst)
  const parts = line.includes(';') ? line.split(';') : line.split(/\s+(?:and|&)\s+/i)
  return parts
    .flatMap((part) => (line.includes(';') ? [part] : splitAtCommas(part)))
    .map((part) => givenNameFirst(part.trim().replace(/^(?:and|&)\s+|,$/gi, '')))
    .filter((name) => /\p{L}/u.test(name) && !/^(?:et al\.?|others)$/i.test(name))
    .slice(0, maxAuthors)
}

/** The quoted texts of a list in JSON or Python syntax. */
function parseQuotedList(line: string): readonly string[] {
  const found = line.slice(0, 50_000).match(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g) ?? []
  return found.map((text) => text.slice(1, -1).trim()).filter((text) => text !== '')
}

const initials = /^(?:\p{Lu}\.?[\s-]?){1,4}$/u

/** Names separated by commas; a comma may also separate family and given name. */
function splitAtCommas(text: string): readonly string[] {
  const parts = text.split(',').map((part) => part.trim())
  const pieces = parts.filter((part) => part !== '')
  if (pieces.length < 2) return pieces
  const isPaired =
    pieces.length % 2 === 0 && pieces.every((one, at) => at % 2 === 0 || initials.test(one))
  const isOneName = pieces.length === 2 && !pieces[0]?.includes(' ')
  if (!isPaired && !isOneName) return pieces
  return pieces.flatMap((one, at) => (at % 2 === 0 ? [`${one}, ${pieces[at + 1] ?? ''}`] : []))
}

/** Turns "family, given" into display order. */
function givenNameFirst(name: string): string {
  const [family = '', given = '', ...rest] = name.slice(0, maxNameChars).split(/,\s*/)
  if (given === '' || rest.length > 1) return name.slice(0, maxNameChars).trim()
  return [given, family, ...rest].join(' ').trim()
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/**
 * A day, month or year in ISO 8601, from whatever services give as a date: ISO with or without time, `2 January 2023`,
 * `Jan 2, 2023`, a year, seconds or milliseconds since 1970, or a record with year, month and day. Empty if it is not a
 * date.
 */
export function parseDate(value: unknown): string {
  if (typeof value === 'number') return fromNumber(value)
  if (isRecord(value)) {
    const part = (name: string) => (Object.hasOwn(value, name) ? toCount(value[name]) : undefined)
    return isoDate(part('year'), part('month'), part('day'))
  }
  const text = toLine(value, 100) ?? ''
  const iso = /^(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2}))?)?(?!\d)/.exec(text)
  if (iso !== null) return isoDate(...toNumbers(iso.slice(1)))
  const year = Number(/\b(1\d{3}|2\d{3})\b/.exec(text)?.[1] ?? Number.NaN)
  const month = months.indexOf(
    /\b([a-z]{3})[a-z]*/gi.exec(withoutWeekday(text))?.[1]?.toLowerCase() ?? '',
  )
  if (month < 0) return /^\d{9,14}$/.test(text) ? fromNumber(Number(text)) : ''
  const day = Number(/(?<!\d)(\d{1,2})(?:st|nd|rd|th)?(?![\d:])/.exec(text)?.[1] ?? Number.NaN)
  return isoDate(year, month + 1, day)
}

/** The valid part of a date: an impossible day is dropped. */
function isoDate(year?: number, month?: number, day?: number): string {
  if (year === undefined || !(year >= 1000 && year <= 2999)) return ''
  if (month === undefined || !(month >= 1 && month <= 12)) return String(year)
  const yearAndMonth = `${year}-${String(month).padStart(2, '0')}`
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate()
  if (day === undefined || !(day >= 1 && day <= lastDay)) return yearAndMonth
  return `${yearAndMonth}-${String(day).padStart(2, '0')}`
}

/** A year, else seconds or milliseconds since 1970. */
function fromNumber(value: number): string {
  if (Number.isInteger(value) && value >= 1000 && value <= 2999) return String(value)
  // arXiv's first paper appeared in 1991; later dates in milliseconds have 12 digits or more.
  const timeMs = value >= 600_000_000_000 ? value : value * 1_000
  if (!(timeMs >= 600_000_000_000 && timeMs < 32_000_000_000_000)) return ''
  return new Date(timeMs).toISOString().slice(0, 10)
}

function withoutWeekday(text: string): string {
  return text.replace(/^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s+/i, '')
}

function toNumbers(parts: readonly (string | undefined)[]): [number?, number?, number?] {
  return parts.filter((part) => part !== undefined).map(Number) as [number?, number?, number?]
}

/** A note on entries that were not papers; empty if there were none. */
export function describeLeftOut(count: number): readonly string[] {
  if (count === 0) return []
  const entries = count === 1 ? '1 entry was' : `${count} entries were`
  return [`${entries} left out, because they have no title or no identifier.`]
}
