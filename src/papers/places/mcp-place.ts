import type { JsonObject } from '../../kernel/json.ts'
import type { Paper, PaperPlace, PaperQuery, PlaceOutcome } from '../paper.ts'
import { wantedCategory } from './category-fields.ts'
import { callServerTool, findRecords, type PaperServerSettings } from './mcp-server.ts'
import { mergePapers } from './merge-papers.ts'
import { describeLeftOut, normalizePapers } from './normalize-paper.ts'

/** The name of the place, which also marks its papers. */
export const mcpPlaceName = 'arXiv over MCP'
/** Additional entries requested, since some are unusable; servers return at most 50. */
const spareEntries = 5
const maxEntries = 50

/** arXiv through an MCP server with `search_papers(query, max_results, categories?, sort_by?)`. */
export function mcpPlace(settings: PaperServerSettings): PaperPlace {
  return {
    name: mcpPlaceName,
    search: (query, signal) => searchServer(settings, query, signal),
  }
}

async function searchServer(
  settings: PaperServerSettings,
  wanted: PaperQuery,
  signal: AbortSignal,
): Promise<PlaceOutcome> {
  const category = wantedCategory(wanted)
  const answer = await callServerTool(
    settings,
    'search_papers',
    (has) => createSearchInput(wanted, category, has),
    signal,
  )
  if (!answer.ok) return answer
  const records = findRecords(answer.result)
  if (!records.ok) {
    const detail = `MCP server "${settings.server}" returned no papers. ${records.detail}`
    return { ok: false, reason: 'malformed', detail }
  }
  const { papers, leftOut } = normalizePapers(records.entries, mcpPlaceName)
  const { cut } = answer.result
  return selectPapers(papers, leftOut, wanted, cut === undefined ? [] : [cut])
}

/**
 * The papers of a search result that fit the search, each work once.
 * @param leftOut how many entries were not papers
 */
export function selectPapers(
  papers: readonly Paper[],
  leftOut: number,
  wanted: PaperQuery,
  furtherNotes: readonly string[] = [],
): Extract<PlaceOutcome, { ok: true }> {
  const category = wantedCategory(wanted)
  const inCategory = papers.filter((paper) => isInCategory(paper, category))
  const notes = [
    ...describeLeftOut(leftOut),
    ...otherCategoryNotes(papers.length - inCategory.length, category),
    ...furtherNotes,
  ]
  return {
    ok: true,
    papers: mergePapers([inCategory]).slice(0, wanted.limit),
    ...(notes.length === 0 ? {} : { notes }),
  }
}

/** Input for the parameters that the tool has; without a category parameter, arXiv's query syntax is used. */
function createSearchInput(
  { query, limit }: PaperQuery,
  category: string | undefined,
  has: (parameter: string) => JsonObject | undefined,
): JsonObject {
  const name = has('categories') !== undefined ? 'categories' : 'category'
  const schema = has(name)
  const isInQuery = category !== undefined && schema === undefined
  const takesText = schema?.type === 'string'
  const count = Math.min(limit + spareEntries, maxEntries)
  return {
    [has('query') === undefined && has('topic') !== undefined ? 'topic' : 'query']: isInQuery
      ? `(${query}) AND cat:${category}`
      : query,
    ...(has('max_results') === undefined ? {} : { max_results: count }),
    ...(category === undefined || isInQuery ? {} : { [name]: takesText ? category : [category] }),
    ...(has('sort_by') === undefined ? {} : { sort_by: 'relevance' }),
  }
}

/** A paper without categories is assumed to match. */
function isInCategory({ categories }: Paper, category: string | undefined): boolean {
  return category === undefined || categories.length === 0 || categories.includes(category)
}

function otherCategoryNotes(count: number, category: string | undefined): readonly string[] {
  if (count === 0) return []
  const papers = count === 1 ? '1 paper was' : `${count} papers were`
  return [`${papers} left out, because they are not in the category ${category}.`]
}
