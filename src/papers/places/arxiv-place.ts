import { readContentWords } from '../../retrieval/words.ts'
import type { LookupAccess } from '../../sources/lookup/access.ts'
import type { LookupFailure } from '../../sources/lookup/outcome.ts'
import {
  type ArxivPaper,
  type ArxivSearch,
  searchArxiv,
} from '../../sources/lookup/papers/arxiv.ts'
import { lookupAccess, type WebSources } from '../../tools/web/web-sources.ts'
import type { Paper, PaperPlace, PaperQuery, PlaceOutcome } from '../paper.ts'
import { wantedCategory } from './category-fields.ts'
import { describeLeftOut, paperFromWork } from './normalize-paper.ts'

const name = 'arXiv'
/** Maximum number of pages; arXiv requires a pause of three seconds between them. */
const maxPages = 5
/** Additional entries requested, since some are unusable. */
const spareEntries = 5

/**
 * arXiv itself: requests pages until there are enough papers. If no paper has all words of the query, papers with some
 * of them are searched.
 */
export function arxivPlace(web: WebSources): PaperPlace {
  return {
    name,
    async search(query, signal) {
      const access = lookupAccess(web, signal)
      const strict = arxivSearch(query, false)
      const found = await searchPages(access, strict, query.limit, signal)
      const isWider = found.ok && found.papers.length === 0 && splitWords(query.query).length > 1
      if (!isWider) return found
      const wider = await searchPages(access, arxivSearch(query, true), query.limit, signal)
      if (!wider.ok || wider.papers.length === 0) return wider
      const note = 'No paper contains all words of the query; these contain some of them.'
      return { ...wider, notes: [note, ...(wider.notes ?? [])] }
    },
  }
}

function arxivSearch(query: PaperQuery, isAnyWordEnough: boolean): ArxivSearch {
  const category = wantedCategory(query)
  const words = splitWords(query.query)
  return {
    query: words.length === 0 ? query.query : words.join(' '),
    isAnyWordEnough,
    limit: query.limit + spareEntries,
    ...(category === undefined ? {} : { categories: [category] }),
  }
}

/** Quoted phrases and content words. */
function splitWords(query: string): readonly string[] {
  const parts = query.slice(0, 500).match(/"[^"]+"|[^\s"]+/g) ?? []
  return parts.filter((part) => readContentWords(part).length > 0)
}

async function searchPages(
  access: LookupAccess,
  search: ArxivSearch,
  limit: number,
  signal: AbortSignal,
): Promise<PlaceOutcome> {
  const papers = new Map<string, Paper>()
  let leftOut = 0
  let offset: number | undefined = 0
  for (let page = 0; page < maxPages && offset !== undefined && papers.size < limit; page++) {
    const found = await searchArxiv(access, { ...search, offset })
    signal.throwIfAborted()
    if (!found.ok) {
      // The first pages are useful by themselves.
      if (papers.size === 0) return failed(found)
      return outcome([...papers.values()], limit, [
        ...describeLeftOut(leftOut),
        incompleteNote(found),
      ])
    }
    leftOut += found.leftOut + addUsable(papers, found.works)
    offset = found.nextOffset
  }
  return outcome([...papers.values()], limit, describeLeftOut(leftOut))
}

/** Adds usable works; returns how many were unusable. */
function addUsable(papers: Map<string, Paper>, works: readonly ArxivPaper[]): number {
  let leftOut = 0
  for (const work of works) {
    const paper = paperFromWork(work, name)
    if (paper === undefined) leftOut++
    else if (!papers.has(paper.id)) papers.set(paper.id, paper)
  }
  return leftOut
}

function outcome(papers: readonly Paper[], limit: number, notes: readonly string[]): PlaceOutcome {
  const kept = papers.slice(0, limit)
  return { ok: true, papers: kept, ...(notes.length === 0 ? {} : { notes }) }
}

function failed({ reason, detail, hint }: LookupFailure): PlaceOutcome {
  return { ok: false, reason, detail, hint }
}

function incompleteNote({ detail }: LookupFailure): string {
  return `Further pages could not be loaded: ${detail}`
}
