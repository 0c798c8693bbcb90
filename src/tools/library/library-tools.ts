import * as z from 'zod'
import { unmarkReferences } from '../../citations/format-passages.ts'
import { hashCitation, type Passage, type Source, type SourceId } from '../../citations/source.ts'
import { defineTool, type Tool } from '../../kernel/agent/tool.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { Hash, Json } from '../../kernel/json.ts'
import { isLayout } from '../../retrieval/chunk.ts'
import type { Hit, Library } from '../../retrieval/library.ts'

/** What the tools need from the run: the unlisted sources it may search, and what its numbers stand for. */
export interface LibraryScope {
  readonly library: Library
  /** The run's own sources. */
  readonly sourceIds: readonly SourceId[]
  /**
   * The source of a number.
   * @throws `invalid_input` for an unknown number
   */
  sourceOf(n: number): SourceId
}

/** A source as a list of titles has it, before a model is shown its number. */
export type ListedSource = {
  readonly sourceId: SourceId
  readonly title: string
  readonly pageCount?: number
}

/** A passage found by a tool, before it has its number. */
export type FoundPassage = {
  readonly passageId: Passage['id']
  readonly sourceId: SourceId
  readonly title: string
  /** See {@link hashCitation}: for the log, of no use to a model. */
  readonly citedAs?: Hash
  readonly start: number
  readonly end: number
  readonly page?: number
  readonly section?: string
  readonly text: string
}

const defaultHits = 8
/** Hits of one source at most where three or more have hits, unless those have too few. */
const hitsPerSource = 4
/** Hits among which those of several sources are looked for, for each one wanted. */
const poolPerHit = 3
/** Passages shown per reading; read_source continues. */
export const passagesPerRead = 6
/** Sources of one list. */
const maxListed = 50

/** Tools that search, list, read and quote the library. They know sources by citation number and title only. */
export function createLibraryTools(scope: LibraryScope): readonly Tool[] {
  return [searchTool(scope), listTool(scope), readTool(scope), quoteTool(scope)]
}

const titleWords = 'Words of the titles wanted, for example of one paper.'

const searchInput = z.object({
  query: z.string().trim().min(1).describe('What to look for, in words that the source would use.'),
  citation: z.number().int().optional().describe('Only in the source with this number.'),
  title: z.string().trim().min(1).optional().describe(titleWords),
  limit: z
    .number()
    .int()
    .min(1)
    .max(20)
    .optional()
    .describe(`How many passages; ${defaultHits} when left out.`),
})

function searchTool(scope: LibraryScope): Tool {
  const { library, sourceIds } = scope
  return defineTool({
    name: 'search_library',
    description:
      'Searches all sources, or those of a number or title, and gives the best passages, each under the number of its source.',
    input: searchInput,
    effect: 'read',
    untrusted: 'results',
    async execute({ query, citation, title, limit = defaultHits }) {
      const only = await chooseSources(scope, citation, title)
      const where = only === undefined ? { alsoSourceIds: sourceIds } : { sourceIds: only }
      const found = await library.search({ query, limit: limit * poolPerHit, ...where })
      const ordered = referencesLast(found)
      const hits = only === undefined ? spreadHits(ordered, limit) : ordered.slice(0, limit)
      return { query, passages: hits.map(({ passage, source }) => toFoundPassage(passage, source)) }
    },
  })
}

/** Passages of a reference list that stay where they rank; others are full of a topic's words and say nothing about it. */
const maxReferenceRank = 2

/** Hits, best first, with reference lists behind all others unless they are among the very best. */
function referencesLast(hits: readonly Hit[]): readonly Hit[] {
  const isLate = ({ passage }: Hit, rank: number): boolean =>
    rank >= maxReferenceRank && referenceSection.test(passage.section ?? '')
  return [...hits.filter((hit, rank) => !isLate(hit, rank)), ...hits.filter(isLate)]
}

const referenceSection =
  /^[\d.\s]*(?:references|bibliography|(?:literature|works) cited|literatur(?:verzeichnis)?|参考文献|المراجع)\s*$/iu

/** The best hits, best first, with those of other sources before a fifth one of the same. */
function spreadHits(hits: readonly Hit[], limit: number): readonly Hit[] {
  const counts = new Map<SourceId, number>()
  const isWithin = hits.map(({ source }) => {
    const count = (counts.get(source.id) ?? 0) + 1
    counts.set(source.id, count)
    return count <= hitsPerSource
  })
  if (counts.size <= 2) return hits.slice(0, limit)
  const within = hits.filter((_, index) => isWithin[index])
  const others = hits.filter((_, index) => !isWithin[index])
  const chosen = new Set([...within, ...others].slice(0, limit))
  return hits.filter((hit) => chosen.has(hit))
}

/** The sources of a number or title; `undefined` for all. @throws `tool_failed` for a title that none has */
async function chooseSources(
  scope: LibraryScope,
  citation: number | undefined,
  title: string | undefined,
): Promise<readonly SourceId[] | undefined> {
  if (citation !== undefined) return [scope.sourceOf(citation)]
  if (title === undefined) return undefined
  const found = (await listSources(scope)).filter((source) => hasTitle(source, title))
  if (found.length > 0) return found.map(({ id }) => id)
  throw new ScholiumError('tool_failed', `No source has "${title}" in its title.`, {
    hint: 'list_sources gives all titles; without "title" every source is searched.',
  })
}

/** The run's own sources, then those of the library. */
export async function listSources({
  library,
  sourceIds,
}: Pick<LibraryScope, 'library' | 'sourceIds'>): Promise<readonly Source[]> {
  const own = await Promise.all(sourceIds.map((id) => library.source(id)))
  const all = [...own.filter((source) => source !== undefined), ...(await library.list())]
  return [...new Map(all.map((source) => [source.id, source])).values()]
}

/** Whether a title has all these words. Titles set in small capitals are read with spaces inside words: "REAC T". */
function hasTitle(source: Source, title: string): boolean {
  const own = source.title.toLowerCase()
  const joined = own.replaceAll(/\s+/g, '')
  return title
    .toLowerCase()
    .split(/\s+/)
    .every((word) => own.includes(word) || joined.includes(word))
}

const listInput = z.object({
  title: z.string().trim().min(1).optional().describe(titleWords),
})

function listTool(scope: LibraryScope): Tool {
  return defineTool({
    name: 'list_sources',
    description: 'Lists the titles of the sources that can be searched.',
    input: listInput,
    effect: 'read',
    untrusted: 'results',
    async execute({ title }): Promise<Json> {
      const all = await listSources(scope)
      const found = title === undefined ? all : all.filter((source) => hasTitle(source, title))
      const sources = found.slice(0, maxListed).map(({ id, title, pageCount }): ListedSource => {
        return { sourceId: id, title, ...(pageCount === undefined ? {} : { pageCount }) }
      })
      return { sources, sourcesInAll: found.length }
    },
  })
}

const readInput = z.object({
  citation: z.number().int().describe('The number of the source.'),
  page: z.number().int().min(1).optional().describe('The page to begin at.'),
  after: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('The position ("at") of the passage to read on from.'),
})

function readTool(scope: LibraryScope): Tool {
  return defineTool({
    name: 'read_source',
    description: 'Reads a source from its beginning, from a page, or on from a passage.',
    input: readInput,
    effect: 'read',
    untrusted: 'results',
    async execute({ citation, page, after }) {
      const { source, passages } = await open(scope, citation)
      const from = findStart(passages, page, after)
      const shown = passages.slice(from, from + passagesPerRead)
      const left = passages.length - from - shown.length
      return {
        citation,
        passages: shown.map((passage) => toFoundPassage(passage, source)),
        passagesLeft: Math.max(0, left),
      }
    },
  })
}

function findStart(
  passages: readonly Passage[],
  page: number | undefined,
  after: number | undefined,
): number {
  const index = passages.findIndex((passage) =>
    after === undefined ? page === undefined || (passage.page ?? 1) >= page : passage.start > after,
  )
  if (index >= 0) return index
  if (after !== undefined || page === undefined) return passages.length
  throw new ScholiumError('tool_failed', `The source has no page ${page}.`)
}

const quoteInput = z.object({
  citation: z.number().int().describe('The number of the source.'),
  text: z.string().trim().min(1).describe('The words, as they should stand there.'),
})

function quoteTool(scope: LibraryScope): Tool {
  return defineTool({
    name: 'quote_source',
    description:
      'Says whether words stand in a source exactly like this, with the passages that hold them or, where they do not, the closest one.',
    input: quoteInput,
    effect: 'read',
    untrusted: 'results',
    async execute({ citation, text }): Promise<Json> {
      const { source, passages } = await open(scope, citation)
      const wanted = collapseSpaces(unmarkReferences(text))
      const holding = passages
        .filter((passage) => collapseSpaces(passage.text).includes(wanted))
        .slice(0, 2)
      const isVerbatim = holding.length > 0
      const shown = isVerbatim ? holding : await findClosest(scope, source.id, text)
      return {
        citation,
        isVerbatim,
        passages: shown.map((passage) => toFoundPassage(passage, source)),
      }
    },
  })
}

async function findClosest(
  { library }: LibraryScope,
  sourceId: SourceId,
  query: string,
): Promise<readonly Passage[]> {
  const hits = await library.search({ query, limit: 1, sourceIds: [sourceId] })
  return hits.map(({ passage }) => passage)
}

function collapseSpaces(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

async function open(
  scope: LibraryScope,
  citation: number,
): Promise<{ source: Source; passages: readonly Passage[] }> {
  const sourceId = scope.sourceOf(citation)
  const source = await scope.library.source(sourceId)
  if (source === undefined) {
    throw new ScholiumError('tool_failed', `The source [${citation}] is no longer in the library.`)
  }
  const passages = await scope.library.passages(sourceId)
  return { source, passages: passages.filter((passage) => !isLayout(passage)) }
}

/** A passage in the form that tools return. */
export function toFoundPassage(passage: Passage, source: Source): FoundPassage {
  const { id, sourceId, start, end, page, section, text } = passage
  return {
    passageId: id,
    sourceId,
    title: source.title,
    citedAs: hashCitation(source),
    start,
    end,
    ...(page === undefined ? {} : { page }),
    ...(section === undefined ? {} : { section }),
    text,
  }
}
