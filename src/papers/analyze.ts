import { type PreparePassage, prepareAhead } from '../claims/check/source-passage.ts'
import type { Patch } from '../graph/graph.ts'
import type { Failure } from '../kernel/errors.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import type { Gap } from '../team/gap.ts'
import {
  type AnalysisOutcome,
  analyzePaper,
  failedAnalysis,
  type PaperToAnalyze,
  selectPassages,
} from './analyze-paper.ts'
import { mapInBranches } from './attempt.ts'
import { embedQueries, fitsWhole } from './choose-chunks.ts'
import { measureAnalysisRoom } from './final-budget.ts'
import type { PapersParts } from './parts.ts'
import { emitPaperProgress } from './progress.ts'
import type { Analysis } from './result.ts'
import { findNumber, type PapersState } from './state.ts'

/** After this many failures in a row, no further paper is analysed. */
const maxFailuresInRow = 2

/**
 * The analyzer: analyses each paper that was read, several at once. A model is asked about a paper once all papers
 * `concurrency` or more places before it have ended, and not at all if two neighbours among those failed. Which papers
 * are analysed therefore depends on their order, never on which is faster. The passages of a paper are chosen while
 * models work on earlier papers, and prepared for the check while its own model works.
 * @param prepare prepares passages for the check, once per run
 */
export function analyzeNode(parts: PapersParts, prepare: PreparePassage) {
  return async (state: PapersState, context: RunContext): Promise<Patch<PapersState>> => {
    const papers = papersToAnalyze(state)
    if (papers.length === 0) return {}
    const { concurrency } = state
    const roomTokens = await measureAnalysisRoom(context, papers.length)
    const wanted = { question: state.query, topK: state.topK, roomTokens }
    const isSearched = papers.some(({ reading }) => !fitsWhole(reading, wanted))
    const queries = isSearched ? await embedQueries(state.query, context) : undefined
    const ended = papers.map(() => Promise.withResolvers<AnalysisOutcome | undefined>())
    const asked = papers.map(() => Promise.withResolvers<void>())
    const before = (index: number, distance: number) =>
      Promise.all(ended.slice(0, Math.max(0, index - distance + 1)).map(({ promise }) => promise))
    const parallel = {
      name: 'paper',
      maxConcurrent: 2 * concurrency,
      needs: papers.map((_, index) => indexesBelow(index - 2 * concurrency + 1)),
    }
    const work = async (one: PaperToAnalyze, branch: RunContext, index: number) => {
      if (hasFailuresInRow(await before(index, 2 * concurrency))) return undefined
      await asked[index - concurrency]?.promise
      const seen = await selectPassages(parts, wanted, one, branch, queries)
      if (hasFailuresInRow(await before(index, concurrency))) return undefined
      emitPaperProgress(branch, one.paper, 'analysing')
      const onAsked = () => asked[index]?.resolve()
      const analysing = analyzePaper(parts, state, one, branch, { seen, prepare, onAsked })
      const [analysed] = await Promise.all([
        analysing.finally(onAsked),
        asked[index]?.promise.then(() => prepareAhead(seen.ok ? seen.value.passages : [], prepare)),
      ])
      emitAnalysed(branch, one, analysed)
      return analysed
    }
    const outcomes = await mapInBranches(context, papers, parallel, async (one, branch, index) => {
      let analysed: AnalysisOutcome | undefined
      try {
        analysed = await work(one, branch, index)
        return analysed
      } finally {
        ended[index]?.resolve(analysed)
        asked[index]?.resolve()
      }
    })
    return toPatch(papers, outcomes)
  }
}

/** Papers that were read and have no analysis yet, in order. */
function papersToAnalyze(state: PapersState): readonly PaperToAnalyze[] {
  const { papers, readings, analyses } = state
  return papers.flatMap((paper) => {
    const reading = readings[paper.id]
    const n = findNumber(state, paper.id)
    const isDone = analyses.some(({ paperId }) => paperId === paper.id)
    return reading === undefined || n === undefined || isDone ? [] : [{ paper, n, reading }]
  })
}

function indexesBelow(count: number): readonly number[] {
  return Array.from({ length: Math.max(0, count) }, (_, index) => index)
}

/** Whether two neighbours failed on their own. A run's limit says nothing about the papers after it. */
function hasFailuresInRow(analysed: readonly (AnalysisOutcome | undefined)[]): boolean {
  let inRow = 0
  return analysed.some((one) => {
    const isFailed = one?.failure !== undefined && one.isLimit !== true
    inRow = isFailed ? inRow + 1 : 0
    return inRow >= maxFailuresInRow
  })
}

function emitAnalysed(
  context: RunContext,
  { paper }: PaperToAnalyze,
  { analysis }: AnalysisOutcome,
): void {
  const { confidence, error } = analysis
  if (error === undefined) emitPaperProgress(context, paper, 'analysed', { confidence })
  else emitPaperProgress(context, paper, 'failed', { confidence, reason: error })
}

const skippedReason = 'Not analysed, because the analyses of the two papers before it failed.'

function toPatch(
  papers: readonly PaperToAnalyze[],
  outcomes: readonly (AnalysisOutcome | undefined)[],
): Patch<PapersState> {
  const analyses = papers.map(
    ({ paper }, index) => outcomes[index]?.analysis ?? failedAnalysis(paper, skippedReason),
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

/** The filter: keeps the papers whose analysis saw enough of them, and records why each other was dropped. */
export async function filterPapers(
  state: PapersState,
  context: RunContext,
): Promise<Patch<PapersState>> {
  const kept: string[] = []
  const dropped: PapersState['dropped'][number][] = []
  for (const paper of state.papers) {
    if (findNumber(state, paper.id) === undefined) continue
    const analysis = state.analyses.find(({ paperId }) => paperId === paper.id)
    const reason = findDropReason(analysis, state.threshold)
    if (reason === undefined) kept.push(paper.id)
    else dropped.push({ paperId: paper.id, reason })
    const confidence = analysis?.confidence ?? 0
    if (reason === undefined) emitPaperProgress(context, paper, 'kept', { confidence })
    else emitPaperProgress(context, paper, 'dropped', { confidence, reason })
  }
  return { kept, dropped }
}

function findDropReason(analysis: Analysis | undefined, threshold: number): string | undefined {
  if (analysis === undefined) return 'It was not analysed.'
  if (analysis.error !== undefined) return analysis.error
  const { confidence } = analysis
  if (confidence < threshold) return describeLowConfidence(analysis, threshold)
  return listFindings(analysis).length > 0 ? undefined : 'The analysis found nothing in it.'
}

/** Coverage is low when all queries find the same chunks, however good the paper is. */
function describeLowConfidence({ confidence, chunks }: Analysis, threshold: number): string {
  const passages = chunks === 1 ? '1 passage' : `${chunks} different passages`
  const enough = Math.floor(confidence * 100) / 100
  return `Its confidence of ${confidence.toFixed(2)} is below the threshold of ${threshold}: the queries found ${passages} of it. To keep it: --threshold ${enough}.`
}

/** All findings of an analysis, in the order of its lists. */
export function listFindings(analysis: Analysis) {
  const { methodology, keyFindings, conclusions, limitations, contributions } = analysis
  return [...methodology, ...keyFindings, ...conclusions, ...limitations, ...contributions]
}
