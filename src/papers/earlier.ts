import type { Patch } from '../graph/graph.ts'
import type { PapersState } from './state.ts'

/** What a run leaves to one that goes on from it. */
export type EarlierPapers = { readonly runId: string } & Pick<
  PapersState,
  'query' | 'papers' | 'readings' | 'citations' | 'analyses' | 'passages'
>

/**
 * What a run in this state leaves to one that goes on from it: papers with their readings, numbers and analyses. What failed is
 * left out, so that it is tried again.
 */
export function earlierPapers(
  runId: string,
  { query, papers, readings, citations, analyses, passages }: PapersState,
): EarlierPapers {
  return {
    runId,
    query,
    papers,
    readings,
    citations,
    analyses: analyses.filter(({ error }) => error === undefined),
    passages,
  }
}

/** What goes into the state of a run that goes on from another, with another query where that is one. */
export function earlierPatch(
  { runId, query: before, ...left }: EarlierPapers,
  query: string,
): Patch<PapersState> {
  const isOther = query !== before && left.analyses.length > 0
  const detail = `The papers of run ${runId} were found and analysed for another query: ${before}`
  return {
    earlierRun: runId,
    ...left,
    ...(isOther ? { gaps: [{ kind: 'forked_question', detail }] } : {}),
  }
}
