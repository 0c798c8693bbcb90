import type { Patch } from '../../graph/graph.ts'
import type { PapersState } from './state.ts'

/** What a run leaves to one that goes on from it. */
export type EarlierPapers = { readonly runId: string } & Pick<
  PapersState,
  'papers' | 'readings' | 'citations' | 'analyses' | 'passages'
>

/**
 * What a run in this state leaves to one that goes on from it: papers with their readings, numbers and analyses. What failed is
 * left out, so that it is tried again.
 */
export function earlierPapers(
  runId: string,
  { papers, readings, citations, analyses, passages }: PapersState,
): EarlierPapers {
  return {
    runId,
    papers,
    readings,
    citations,
    analyses: analyses.filter(({ error }) => error === undefined),
    passages,
  }
}

/** What goes into the state of a run that goes on from another. */
export function earlierPatch({ runId, ...left }: EarlierPapers): Patch<PapersState> {
  return { earlierRun: runId, ...left }
}
