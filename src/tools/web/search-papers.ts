import * as z from 'zod'
import { isSameWork } from '../../bibliography/same-work.ts'
import type { CslItem } from '../../citations/source.ts'
import { defineTool, type Tool } from '../../kernel/agent/tool.ts'
import type { Json } from '../../kernel/json.ts'
import type { LookupAccess } from '../../sources/lookup/access.ts'
import type { Lookup, LookupFailure } from '../../sources/lookup/outcome.ts'
import { searchArxiv } from '../../sources/lookup/papers/arxiv.ts'
import { searchCrossref } from '../../sources/lookup/papers/crossref.ts'
import type { FoundWork, FoundWorks, WorkSearch } from '../../sources/lookup/papers/found-work.ts'
import { searchOpenAlex } from '../../sources/lookup/papers/openalex.ts'
import { searchSemanticScholar } from '../../sources/lookup/papers/semantic-scholar.ts'
import type { FoundPlace } from './places.ts'
import { findUnavailable, nothingFound } from './unavailable.ts'
import { lookupAccess, type WebSources } from './web-sources.ts'

type PaperSearch = (access: LookupAccess, search: WorkSearch) => Promise<Lookup<FoundWorks>>

const paperSearches: readonly PaperSearch[] = [
  searchArxiv,
  searchSemanticScholar,
  searchOpenAlex,
  searchCrossref,
]

const year = z.number().int().min(1000).max(2999).optional()
const maxSnippetChars = 500

/** Searches works in arXiv, Semantic Scholar, OpenAlex and Crossref at once; duplicates are merged. */
export function searchPapersTool(web: WebSources): Tool {
  return defineTool({
    name: 'search_papers',
    description:
      'Searches scholarly works in arXiv, Semantic Scholar, OpenAlex and Crossref. Gives results under numbers. A result is not a source: read it with read_page before you use it.',
    input: z.strictObject({
      query: z.string().trim().min(1).max(300).describe('What the work is about, in a few words.'),
      author: z.string().trim().min(1).max(100).optional().describe('A name of an author.'),
      fromYear: year.describe('The first year of publication.'),
      toYear: year.describe('The last year of publication.'),
      limit: z.number().int().min(1).max(20).optional().describe('How many; 8 by default.'),
    }),
    effect: 'read',
    untrusted: 'results',
    timeoutMs: 90_000,
    async execute({ query, author, fromYear, toYear, limit = 8 }, { signal }): Promise<Json> {
      const access = lookupAccess(web, signal)
      const search: WorkSearch = {
        query,
        limit,
        ...(author === undefined ? {} : { author }),
        ...(fromYear === undefined ? {} : { fromYear }),
        ...(toYear === undefined ? {} : { toYear }),
      }
      const answers = await Promise.all(paperSearches.map((ask) => ask(access, search)))
      signal.throwIfAborted()
      const failures = answers.filter((answer): answer is LookupFailure => !answer.ok)
      const unavailable = findUnavailable(failures)
      if (failures.length === answers.length) {
        const told = failures.map(({ source, reason }) => `${source}: ${reason}`).join('; ')
        return nothingFound(`No paper service responded: ${told}`, 'Ask again later.', unavailable)
      }
      const works = mergeWorks(answers.flatMap((answer) => (answer.ok ? [answer.works] : [])))
      const results = works.flatMap(foundPaper).slice(0, limit)
      return { query, results, unavailable: unavailable as unknown as Json }
    },
  })
}

/** A work that can be read somewhere. */
function foundPaper({ item, url, pdfUrl, ...more }: MergedWork): readonly FoundPlace[] {
  const address = url ?? pdfUrl
  const { abstract = '', title = '', ...rest } = item
  if (address === undefined || title === '') return []
  const { author = [], issued } = item
  const names = author.map(({ literal, family = '' }) => literal ?? family)
  const place = {
    url: address,
    title,
    ...(pdfUrl === undefined ? {} : { pdfUrl }),
    csl: { ...rest, title },
  }
  return [
    {
      place,
      title,
      authors: names.length > 4 ? [...names.slice(0, 3), 'and others'] : names,
      ...(issued?.['date-parts']?.[0]?.[0] === undefined
        ? {}
        : { year: issued['date-parts'][0][0] }),
      snippet: abstract.slice(0, maxSnippetChars),
      ...more,
    },
  ]
}

/** A work found by one or several services. */
interface MergedWork {
  /** The most complete reference, completed from the others. */
  readonly item: CslItem
  readonly url?: string
  readonly pdfUrl?: string
  readonly citationCount?: number
  /** What a service says about a retraction. */
  readonly retraction?: string
  /** The services that know it, in the given order. */
  readonly sources: readonly FoundWork['record']['source'][]
}

/**
 * Merges works of several services by {@link isSameWork}. Order: the first of each service, then the second of each, so
 * that every service's best come first.
 * @param lists one per service, best first
 */
export function mergeWorks(lists: readonly (readonly FoundWork[])[]): readonly MergedWork[] {
  const merged: MergedWork[] = []
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  for (let rank = 0; rank < longest; rank++) {
    for (const list of lists) {
      const work = list[rank]
      if (work === undefined) continue
      const known = merged.findIndex(({ item }) => isSameWork(item, work.record.item))
      const one = known < 0 ? undefined : merged[known]
      if (one === undefined) merged.push(toMergedWork(work))
      else merged[known] = mergeTwo(one, work)
    }
  }
  return merged
}

function toMergedWork({ record, url, pdfUrl, citationCount }: FoundWork): MergedWork {
  const { item, source, retraction } = record
  return { item, sources: [source], ...pickGiven({ url, pdfUrl, citationCount, retraction }) }
}

function mergeTwo(one: MergedWork, work: FoundWork): MergedWork {
  const other = toMergedWork(work)
  const counts = [one.citationCount, other.citationCount].filter((count) => count !== undefined)
  return {
    ...other,
    ...one,
    item: { ...other.item, ...one.item },
    sources: [...new Set([...one.sources, ...other.sources])],
    ...(counts.length === 0 ? {} : { citationCount: Math.max(...counts) }),
  }
}

function pickGiven<Value extends object>(value: Value) {
  const entries = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(entries) as {
    readonly [name in keyof Value]?: NonNullable<Value[name]>
  }
}
