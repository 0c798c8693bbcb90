import * as z from 'zod'
import { hashCitation, type Passage, type Source, type SourceId } from '../../citations/source.ts'
import { defineTool, type Tool } from '../../kernel/agent/tool.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { Hash, Json } from '../../kernel/json.ts'
import type { Library } from '../../retrieval/library.ts'

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
/** Passages shown per reading; read_source continues. */
export const passagesPerRead = 6

/** Tools that search, read and quote the library. They know sources by citation number only. */
export function createLibraryTools(scope: LibraryScope): readonly Tool[] {
  return [searchTool(scope), readTool(scope), quoteTool(scope)]
}

const searchInput = z.object({
  query: z.string().trim().min(1).describe('What to look for, in words that the source would use.'),
  limit: z
    .number()
    .int()
    .min(1)
    .max(20)
    .optional()
    .describe(`How many passages; ${defaultHits} when left out.`),
})

function searchTool({ library, sourceIds }: LibraryScope): Tool {
  return defineTool({
    name: 'search_library',
    description:
      'Searches the library and gives the best passages, each under the number of its source.',
    input: searchInput,
    effect: 'read',
    untrusted: 'results',
    async execute({ query, limit = defaultHits }) {
      const hits = await library.search({ query, limit, alsoSourceIds: sourceIds, perSource: 4 })
      return { query, passages: hits.map(({ passage, source }) => toFoundPassage(passage, source)) }
    },
  })
}

const readInput = z.object({
  citation: z.number().int().describe('The number of the source.'),
  page: z.number().int().min(1).optional().describe('The page to begin at.'),
  after: z.string().optional().describe('The passageId to read on from.'),
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
  after: string | undefined,
): number {
  const index = passages.findIndex((passage) =>
    after === undefined ? page === undefined || (passage.page ?? 1) >= page : passage.id === after,
  )
  if (index >= 0) return after === undefined ? index : index + 1
  throw new ScholiumError(
    'tool_failed',
    after === undefined
      ? `The source has no page ${page}.`
      : `The source has no passage "${after}".`,
  )
}

const quoteInput = z.object({
  citation: z.number().int().describe('The number of the source.'),
  text: z.string().trim().min(1).describe('The words, as they should stand there.'),
})

function quoteTool(scope: LibraryScope): Tool {
  return defineTool({
    name: 'quote_source',
    description: 'Says whether words stand in a source exactly like this, and where.',
    input: quoteInput,
    effect: 'read',
    untrusted: 'results',
    async execute({ citation, text }): Promise<Json> {
      const { source, passages } = await open(scope, citation)
      const wanted = collapseSpaces(text)
      const holding = passages
        .filter((passage) => collapseSpaces(passage.text).includes(wanted))
        .slice(0, 2)
      return {
        citation,
        isVerbatim: holding.length > 0,
        passages: holding.map((passage) => toFoundPassage(passage, source)),
      }
    },
  })
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
  return { source, passages: await scope.library.passages(sourceId) }
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
