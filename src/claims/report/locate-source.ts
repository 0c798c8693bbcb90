import { findIdentifiers } from '../../bibliography/identifiers.ts'
import { canonicalUrl } from '../../citations/markup/canonical-url.ts'
import type { CslItem, Source } from '../../citations/source.ts'
import type { Reference } from './read-report.ts'

/** The most reliable first: a path may be mistyped, and a title may be another work's. */
const ways = ['doi', 'arxiv', 'url', 'path', 'title'] as const

/** How a reference was matched to a source, the most reliable first. */
export type FoundBy = (typeof ways)[number]

/** A source that a report may cite. */
export type Candidate = Pick<Source, 'id' | 'title' | 'path' | 'url' | 'csl'>

/** The sources that a reference may mean; several if it is ambiguous. */
export interface SourceMatch<Found extends Candidate> {
  readonly by: FoundBy
  readonly sources: readonly Found[]
}

/** How to find the source of a reference. `paths` are absolute, relative to each folder they may start from. */
export interface WantedSource {
  readonly paths: readonly string[]
  readonly pathEnds: readonly string[]
  readonly urls: ReadonlySet<string | undefined>
  readonly dois: ReadonlySet<string | undefined>
  readonly arxivs: ReadonlySet<string | undefined>
  /** Text that may contain a title: single spaces, lower case, no accents. */
  readonly words: string
  readonly year: number | undefined
}

/** Reads how to find a reference's source. `absolute` gives the absolute forms of a path it names. */
export function toWantedSource(
  { words, urls, paths }: Reference,
  absolute: (path: string) => readonly string[] = () => [],
): WantedSource {
  const records = [toRecord({ note: words }), ...urls.map((URL) => toRecord({ URL }))]
  const known = records.map((record) => findIdentifiers(record))
  return {
    paths: paths.flatMap(absolute),
    pathEnds: paths.filter((path) => !/^(?:\/|\.\.|[a-z]:)/i.test(path)).map(withoutDot),
    urls: new Set(urls.flatMap((url) => canonicalUrl(url) ?? [])),
    dois: new Set(known.flatMap(({ doi }) => doi ?? [])),
    arxivs: new Set(known.flatMap(({ arxiv }) => arxiv?.id ?? [])),
    words: toPlain(words.slice(0, maxWordsChars)),
    year: findYear(words),
  }
}

/** Of an entry, in characters. */
const maxWordsChars = 2_000

/**
 * Finds the sources a reference means by DOI, arXiv id, address, path or title; `undefined` if none of the candidates
 * matches.
 */
export function locateSource<Found extends Candidate>(
  wanted: WantedSource,
  candidates: readonly Found[],
): SourceMatch<Found> | undefined {
  for (const by of ways) {
    const found = candidates.filter((candidate) => matches[by](wanted, candidate))
    const sources = [...new Map(found.map((source) => [source.id, source])).values()]
    if (sources.length > 0) return { by, sources }
  }
  return undefined
}

const matches: Readonly<Record<FoundBy, (wanted: WantedSource, candidate: Candidate) => boolean>> =
  {
    doi: ({ dois }, { csl }) => dois.size > 0 && dois.has(findIdentifiers(csl).doi),
    arxiv: ({ arxivs }, { csl }) => arxivs.size > 0 && arxivs.has(findIdentifiers(csl).arxiv?.id),
    url: ({ urls }, { url, csl }) =>
      urls.size > 0 &&
      [url, csl.URL].some((own) => own !== undefined && urls.has(canonicalUrl(own))),
    path: (wanted, candidate) =>
      candidate.path !== undefined &&
      hasAddress(wanted, candidate.path) &&
      !contradicts(wanted, candidate),
    title: (wanted, candidate) =>
      hasTitle(wanted.words, candidate.title) &&
      hasYear(wanted, candidate.csl) &&
      !contradicts(wanted, candidate),
  }

function hasAddress({ paths, pathEnds }: WantedSource, path: string): boolean {
  return paths.includes(path) || pathEnds.some((end) => path.endsWith(`/${end}`))
}

/** Whether both have a DOI, an arXiv id, or an address on the same site, and they differ. */
function contradicts({ dois, arxivs, urls }: WantedSource, { url, csl }: Candidate): boolean {
  const { doi, arxiv } = findIdentifiers(csl)
  const own = [url, csl.URL].flatMap((address) => (address && canonicalUrl(address)) || [])
  const hosts = new Set(own.map((address) => new URL(address).host))
  const sameSite = [...urls].filter((address) => address && hosts.has(new URL(address).host))
  return (
    (dois.size > 0 && doi !== undefined && !dois.has(doi)) ||
    (arxivs.size > 0 && arxiv !== undefined && !arxivs.has(arxiv.id)) ||
    (sameSite.length > 0 && !own.some((address) => urls.has(address)))
  )
}

/** A title of fewer characters or of one word may be part of other titles. */
const shortestTitle = 10

/** Whether an entry contains a title as a whole, between punctuation, and not as part of a longer one. */
function hasTitle(words: string, title: string): boolean {
  const own = toPlain(title).match(/[\p{L}\p{N}]+/gu) ?? []
  if (own.length < 2 || own.join(' ').length < shortestTitle) return false
  const shown = own.slice(0, mostTitleWords)
  if (!toLetters(words).includes(shown.join(''))) return false
  // PDFs may have spaces within words: "REAC T : Synergizing".
  const isLong = shown.join('').length >= shortestSpaced
  const inOrder = isLong
    ? [...shown.join('')].join('[^\\p{L}\\p{N}]{0,5}')
    : shown.join('[^\\p{L}\\p{N}]{1,5}')
  return new RegExp(
    `(?:^|[.,:;)—–-])[\\s"“”'‘*_(]*${inOrder}[\\s"”’'*_]*(?:$|[.,;)?!—–(])`,
    'u',
  ).test(words)
}

const mostTitleWords = 60

/** In characters; only longer titles are compared without spaces. */
const shortestSpaced = 20

function toLetters(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '')
}

/** The candidate that has most words of its title in an entry, at least half of them and two; `undefined` if none has. */
export function findNearest<Found extends Candidate>(
  { words }: WantedSource,
  candidates: readonly Found[],
): Found | undefined {
  const said = new Set(words.match(longWord))
  let nearest: { readonly candidate: Found; readonly share: number } | undefined
  for (const candidate of candidates) {
    const own = [...new Set(toPlain(candidate.title).match(longWord))]
    const count = own.filter((word) => said.has(word)).length
    const share = count / own.length
    if (count >= 2 && share >= 0.5 && share > (nearest?.share ?? 0)) nearest = { candidate, share }
  }
  return nearest?.candidate
}

const longWord = /[\p{L}\p{N}]{4,}/gu

/** A preprint and its published version may be a year apart. */
function hasYear({ year }: WantedSource, { issued }: CslItem): boolean {
  const own = Number(issued?.['date-parts']?.[0]?.[0])
  return year === undefined || !Number.isInteger(own) || Math.abs(year - own) <= 1
}

/** The year in an entry, if there is exactly one. */
function findYear(words: string): number | undefined {
  const years = new Set(words.match(/(?<![\d.:/-])(?:1[5-9]|20)\d\d(?![\d.:/-]*\d)/g) ?? [])
  return years.size === 1 ? Number([...years][0]) : undefined
}

function withoutDot(path: string): string {
  return path.replace(/^(?:\.\/)+/, '')
}

function toRecord(fields: Pick<CslItem, 'URL' | 'note'>): CslItem {
  return { id: '', type: 'document', ...fields }
}

function toPlain(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
}
