import { doiOf, identifiersOf } from '../bibliography/identifiers.ts'
import { canonicalUrl } from '../markup/canonical-url.ts'
import type { Source } from '../source.ts'
import type { Reference } from './read-report.ts'

const ways = ['path', 'url', 'doi', 'arxiv', 'title'] as const

/** By what a reference was found to be a source, the surest first. */
export type FoundBy = (typeof ways)[number]

/** A source that a report may cite. */
export type Candidate = Pick<Source, 'id' | 'title' | 'path' | 'url' | 'csl'>

/** What a reference was found to be. Several sources where nothing tells them apart, such as copies. */
export interface Location<Found extends Candidate> {
  readonly by: FoundBy
  readonly sources: readonly Found[]
}

/** The sources that a reference means: by path, address, DOI, arXiv id, or title; `undefined` where none is among the candidates. */
export function locate<Found extends Candidate>(
  reference: Reference,
  candidates: readonly Found[],
): Location<Found> | undefined {
  const wanted = keysOfReference(reference)
  for (const by of ways) {
    const sources = candidates.filter((candidate) => matches[by](wanted, candidate))
    if (sources.length > 0) return { by, sources }
  }
  return undefined
}

interface Wanted {
  readonly paths: readonly string[]
  readonly urls: ReadonlySet<string | undefined>
  readonly dois: ReadonlySet<string | undefined>
  readonly arxivs: ReadonlySet<string | undefined>
  readonly words: string
}

function keysOfReference({ words, urls, paths, label }: Reference): Wanted {
  const pieces = [...urls, ...words.split(/\s+/)]
  const records = [words, ...urls].map((text) => identifiersOf(recordOf(text)))
  return {
    paths: paths.map((path) => path.replace(/^(?:\.{1,2}\/)+/, '')),
    urls: new Set(urls.flatMap((url) => canonicalUrl(url) ?? [])),
    dois: new Set(pieces.flatMap((piece) => doiOf(piece.replace(/^[(<[]|[)>\]]+$/g, '')) ?? [])),
    arxivs: new Set(records.flatMap(({ arxiv }) => arxiv?.id ?? [])),
    words: ` ${bare(words === '' ? label : words)} `,
  }
}

function recordOf(text: string): Parameters<typeof identifiersOf>[0] {
  const own = /^https?:\/\//i.test(text) ? { URL: text } : { note: text }
  return { id: '', type: 'document', ...own } as Parameters<typeof identifiersOf>[0]
}

/** A title of fewer characters, or of one word, may stand in other titles too. */
const shortestTitle = 10

const matches: Readonly<Record<FoundBy, (wanted: Wanted, candidate: Candidate) => boolean>> = {
  path: ({ paths }, { path }) =>
    path !== undefined && paths.some((end) => path === end || path.endsWith(`/${end}`)),
  url: ({ urls }, { url, csl }) =>
    [url, csl.URL].some((own) => own !== undefined && urls.has(canonicalUrl(own))),
  doi: ({ dois }, { csl }) => dois.size > 0 && dois.has(identifiersOf(csl).doi),
  arxiv: ({ arxivs }, { csl }) => arxivs.size > 0 && arxivs.has(identifiersOf(csl).arxiv?.id),
  title({ words }, { title }) {
    const own = bare(title)
    return own.length >= shortestTitle && own.includes(' ') && words.includes(` ${own} `)
  },
}

function bare(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
