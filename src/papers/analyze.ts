import { type PreparePassage, prepareAhead } from '../claims/check/source-passage.ts'
import type { Patch } from '../graph/graph.ts'
import type { Failure } from '../kernel/errors.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import type { Gap } from '../team/gap.ts'
import {
  type Analysed,
  analyzePaper,
  minimalAnalysis,
  type PaperToAnalyze,
  seePaper,
} from './analyze-paper.ts'
import { workOnEach } from './branches.ts'
import { embedQueries } from './choose-chunks.ts'
import type { PapersParts } from './parts.ts'
import { tellPaper } from './progress.ts'
import { numberOf, type PapersState } from './state.ts'

/** Failures in a row after which no further paper is analysed. */
const failuresInRow = 2

/**
 * The analyzer: each paper that was read and not analysed, several at once. A model is asked about a paper when all that stand
 * `concurrency` or more places before it have ended, and not at all where two neighbours among those failed: so which papers are
 * analysed depends on the papers' order and never on which of them is faster. What it sees of a paper is chosen while models work
 * on those before, and not until these were asked; it is made ready for the check while its own works.
 * @param prepare makes passages ready, once in a run
 */
export function analyzeNode(parts: PapersParts, prepare: PreparePassage) {
  return async (state: PapersState, context: RunContext): Promise<Patch<PapersState>> => {
    const papers = papersToAnalyze(state)
    if (papers.length === 0) return {}
    const { concurrency } = state
    const queries = await embedQueries(context)
    const ended = papers.map(() => Promise.withResolvers<Analysed | undefined>())
    const asked = papers.map(() => Promise.withResolvers<void>())
    const before = (index: number, distance: number) =>
      Promise.all(ended.slice(0, Math.max(0, index - distance + 1)).map(({ promise }) => promise))
    const parallel = {
      name: 'paper',
      atOnce: 2 * concurrency,
      needs: papers.map((_, index) => earlierThan(index - 2 * concurrency + 1)),
    }
    const work = async (one: PaperToAnalyze, branch: RunContext, index: number) => {
      if (areBroken(await before(index, 2 * concurrency))) return undefined
      await asked[index - concurrency]?.promise
      const seen = await seePaper(parts, state, one, branch, queries)
      if (areBroken(await before(index, concurrency))) return undefined
      tellPaper(branch, one.paper, 'analysing')
      const onAsked = () => asked[index]?.resolve()
      const analysing = analyzePaper(parts, state, one, branch, { seen, prepare, onAsked })
      const [analysed] = await Promise.all([
        analysing.finally(onAsked),
        asked[index]?.promise.then(() => prepareAhead(seen.ok ? seen.value.passages : [], prepare)),
      ])
      tellAnalysed(branch, one, analysed)
      return analysed
    }
    const outcomes = await workOnEach(context, papers, parallel, async (one, branch, index) => {
      let analysed: Analysed | undefined
      try {
        analysed = await work(one, branch, index)
        return analysed
      } finally {
        ended[index]?.resolve(analysed)
        asked[index]?.resolve()
      }
    })
    return patchOf(papers, outcomes)
  }
}

/** Papers that were read and of which there is no analysis yet, in order. */
function papersToAnalyze(state: PapersState): readonly PaperToAnalyze[] {
  const { papers, readings, analyses } = state
  return papers.flatMap((paper) => {
    const reading = readings[paper.id]
    const n = numberOf(state, paper.id)
    const isDone = analyses.some(({ paperId }) => paperId === paper.id)
    return reading === undefined || n === undefined || isDone ? [] : [{ paper, n, reading }]
  })
}

function earlierThan(count: number): readonly number[] {
  return Array.from({ length: Math.max(0, count) }, (_, index) => index)
}

/** Whether two neighbours failed by themselves; that a limit ended them says nothing of those behind them. */
function areBroken(analysed: readonly (Analysed | undefined)[]): boolean {
  let inRow = 0
  return analysed.some((one) => {
    const isFailed = one?.failure !== undefined && one.isLimit !== true
    inRow = isFailed ? inRow + 1 : 0
    return inRow >= failuresInRow
  })
}

function tellAnalysed(
  context: RunContext,
  { paper }: PaperToAnalyze,
  { analysis }: Analysed,
): void {
  const { confidence, error } = analysis
  if (error === undefined) tellPaper(context, paper, 'analysed', { confidence })
  else tellPaper(context, paper, 'failed', { confidence, reason: error })
}

const brokenReason = 'Not analysed: the analyses of two papers in a row before it had failed.'

function patchOf(
  papers: readonly PaperToAnalyze[],
  outcomes: readonly (Analysed | undefined)[],
): Patch<PapersState> {
  const analyses = papers.map(
    ({ paper }, index) => outcomes[index]?.analysis ?? minimalAnalysis(paper, brokenReason),
  )
  const known = outcomes.filter((one) => one !== undefined)
  const limit = known.find(({ isLimit }) => isLimit === true)?.failure
  const failures = known.flatMap(({ failure, isLimit }) =>
    failure === undefined || isLimit === true ? [] : [failure],
  )
  const isAllLost = failures.length > 0 && analyses.every(({ error }) => error !== undefined)
  const failed = analyses.filter(({ error }) => error !== undefined)
  return {
    analyses,
    passages: known.flatMap(({ passages }) => passages),
    errors: failed.map(({ title, error }) => `${title}: ${error}`),
    gaps: [...limitGap(limit), ...failedGaps(failed), ...known.flatMap(({ gaps }) => gaps)],
    ...(limit === undefined ? {} : { limit }),
    ...(isAllLost ? { error: failures[0] as Failure } : {}),
  }
}

function limitGap(limit: Failure | undefined): readonly Gap[] {
  return limit === undefined ? [] : [{ kind: 'limit', detail: limit.message }]
}

function failedGaps(
  failed: readonly { readonly title: string; readonly error?: string }[],
): readonly Gap[] {
  return failed.map(({ title, error = '' }) => ({
    kind: 'tool_failed',
    detail: error,
    source: title,
  }))
}
