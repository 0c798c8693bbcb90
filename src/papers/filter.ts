import type { Patch } from '../graph/graph.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { tellPaper } from './progress.ts'
import type { Analysis } from './result.ts'
import { numberOf, type PapersState } from './state.ts'

/** The filter: keeps the papers whose analysis saw enough of them, and says of each other why it was dropped. */
export async function filterPapers(
  state: PapersState,
  context: RunContext,
): Promise<Patch<PapersState>> {
  const kept: string[] = []
  const dropped: PapersState['dropped'][number][] = []
  for (const paper of state.papers) {
    if (numberOf(state, paper.id) === undefined) continue
    const analysis = state.analyses.find(({ paperId }) => paperId === paper.id)
    const reason = whyDropped(analysis, state.threshold)
    if (reason === undefined) kept.push(paper.id)
    else dropped.push({ paperId: paper.id, reason })
    const confidence = analysis?.confidence ?? 0
    if (reason === undefined) tellPaper(context, paper, 'kept', { confidence })
    else tellPaper(context, paper, 'dropped', { confidence, reason })
  }
  return { kept, dropped }
}

function whyDropped(analysis: Analysis | undefined, threshold: number): string | undefined {
  if (analysis === undefined) return 'It was not analysed.'
  if (analysis.error !== undefined) return analysis.error
  const { confidence } = analysis
  if (confidence < threshold) return tooLittleSeen(analysis, threshold)
  return findingsOf(analysis).length > 0 ? undefined : 'The analysis found nothing in it.'
}

/** Little of a paper is seen where the four queries find the same stretches of it, however good it is. */
function tooLittleSeen({ confidence, chunks }: Analysis, threshold: number): string {
  const stretches = chunks === 1 ? '1 stretch' : `${chunks} different stretches`
  const enough = Math.floor(confidence * 100) / 100
  return `Its confidence of ${confidence.toFixed(2)} is below the threshold of ${threshold}: the four queries found ${stretches} of it. To keep it: --threshold ${enough}.`
}

/** All that an analysis says, in the order of its lists. */
export function findingsOf(analysis: Analysis) {
  const { methodology, keyFindings, conclusions, limitations, contributions } = analysis
  return [...methodology, ...keyFindings, ...conclusions, ...limitations, ...contributions]
}
