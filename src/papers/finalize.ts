import type { CitedSource, Claim } from '../citations/claim.ts'
import { noEvidenceText, nothingFoundText, saysNothing } from '../citations/role-requests.ts'
import { measureCoverage } from '../claims/check/check-claim.ts'
import { toInertMarkdown } from '../claims/verify/inert-markdown.ts'
import { isWrong } from '../claims/verify/opinions.ts'
import type { Patch } from '../graph/graph.ts'
import type { Failure } from '../kernel/errors.ts'
import { wasEndedEarly } from '../kernel/limits/limit-reached.ts'
import { noticeOvershoot } from '../kernel/limits/with-limits.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import type { AskError, Gap } from '../team/gap.ts'
import { adviceFor } from './advice.ts'
import { listFindings } from './analyze.ts'
import { finalShare } from './final-budget.ts'
import type {
  Finding,
  PaperEntry,
  PaperStance,
  PaperStatus,
  PapersResult,
  PapersStop,
  Synthesis,
} from './result.ts'
import { extraFields, findNumber, keptPapers, type PapersState } from './state.ts'

/** Ends a run: the result, what is missing, and why it stopped. */
export async function finalizePapers(
  state: PapersState,
  node: RunContext,
): Promise<Patch<PapersState>> {
  const context = node.child('final', { share: finalShare, isTimeless: true })
  const passed = await noticeOvershoot(context)
  const isBuiltIn = node.services.models.forRole('synthesizer').effect === 'pure'
  return { result: createResult(state, passed, isBuiltIn) }
}

/**
 * Creates a run's result from its final state.
 * @param passed which limits were exceeded, as text
 * @param isBuiltIn whether the synthesizer is the built-in engine instead of a language model
 */
export function createResult(
  state: PapersState,
  passed: string | undefined,
  isBuiltIn: boolean,
): PapersResult {
  const gaps = [
    ...state.gaps,
    ...(passed === undefined ? [] : [{ kind: 'limit' as const, detail: passed }]),
    ...findClaimGaps(state),
  ]
  const kind = findEndKind(state)
  const synthesis = (kind === 'no_evidence' ? null : state.synthesis) ?? emptySynthesis
  const isAnswer = kind === 'answer'
  const claims = isAnswer ? state.summaryClaims : []
  return {
    ...toOutcome(state, kind, gaps),
    question: state.query,
    category: state.category,
    answer: isAnswer ? synthesis.summary : endText(state, kind),
    reasoning: describeReasoning(state, isBuiltIn),
    citations: listCitedSources(state),
    claims,
    coverage: measureCoverage(claims),
    coverageOfPoints: measureCoverage(toCountedClaims(state, synthesis)),
    papers: toPaperEntries(state),
    analyses: state.analyses,
    dropped: state.dropped,
    synthesis,
    refused: state.refused,
    references: state.references,
    search: state.search,
    gaps,
    errors: state.errors,
    error: toAskError(state.error),
    ...toMore(state),
  }
}

/** The result of a run that failed outside its nodes. */
export function createFailedResult(state: PapersState, failure: Failure): PapersResult {
  const text = toInertMarkdown(`papers failed: ${failure.message}`)
  return {
    status: 'failed',
    stopReason: 'error',
    question: state.query,
    category: state.category,
    answer: text,
    reasoning: text,
    citations: [],
    claims: [],
    coverage: measureCoverage([]),
    coverageOfPoints: measureCoverage([]),
    papers: toPaperEntries(state),
    analyses: state.analyses,
    dropped: state.dropped,
    synthesis: emptySynthesis,
    refused: [],
    references: [],
    search: state.search,
    gaps: [...state.gaps, { kind: 'error', detail: failure.message }],
    errors: [...state.errors, failure.message],
    error: toAskError(failure),
    ...toMore(state),
  }
}

function toMore(state: PapersState): Pick<PapersResult, 'more'> {
  const more = extraFields(state)
  return more === undefined ? {} : { more }
}

const emptySynthesis: Synthesis = {
  consensus: [],
  contradictions: [],
  gaps: [],
  summary: '',
  confidence: 0,
}

function endText(state: PapersState, kind: ReturnType<typeof findEndKind>): string {
  // Titles and reasons are untrusted text.
  if (kind === 'no_papers' || kind === 'none_kept') return toInertMarkdown(adviceFor(state, kind))
  if (kind === 'failed') return toInertMarkdown(`No synthesis: ${state.error?.message ?? ''}`)
  return kind === 'cut_off' ? nothingFoundText : noEvidenceText
}

/** Explains in sentences how the synthesis was made. */
function describeReasoning(state: PapersState, isBuiltIn: boolean): string {
  const { papers, readings, analyses, kept, threshold, draft, limit, topK } = state
  const read = papers.filter(({ id }) => readings[id] !== undefined).length
  const analysed = analyses.filter(({ error }) => error === undefined).length
  return [
    `Of ${papers.length} papers ${read} could be read, ${analysed} were analysed from up to ${topK} passages each, and ${kept.length} kept with a confidence of at least ${threshold}.`,
    ...(limit === null ? [] : [limit.message]),
    ...(isBuiltIn ? [builtInText] : []),
    ...(kept.length > 0 && draft === null
      ? ['The synthesizer returned no synthesis, so code combined the supported findings.']
      : []),
  ].join(' ')
}

const builtInText =
  'The built-in engine is not a language model: it copied sentences that contain certain words and compared papers by words only. It does not recognise paraphrases.'

/** The kept papers as sources of the result. */
function listCitedSources(state: PapersState): readonly CitedSource[] {
  return keptPapers(state)
    .map(({ n, paper }): CitedSource => {
      const { title, url, path, csl, id } = paper
      const sourceId = state.readings[id]?.sourceId as CitedSource['sourceId']
      const place = {
        ...(url === undefined ? {} : { url }),
        ...(path === undefined ? {} : { path }),
      }
      return { n, sourceId, title, ...place, csl }
    })
    .toSorted((one, other) => one.n - other.n)
}

/** Turns every finding and stance into a claim, to be counted. */
function toCountedClaims(state: PapersState, synthesis: Synthesis): readonly Claim[] {
  const findings = keptPapers(state).flatMap(({ n, analysis }) =>
    listFindings(analysis).map((finding) => toClaim(finding, n)),
  )
  const { consensus, contradictions, gaps } = synthesis
  const stances = [
    ...consensus.flatMap((point) => point.stances),
    ...contradictions.flatMap(({ sideA, sideB }) => [...sideA.stances, ...sideB.stances]),
    ...gaps.flatMap((gap) => gap.stances),
  ]
  return [...findings, ...stances.map((stance) => toClaim({ ...stance, text: '' }, stance.n))]
}

function toClaim(
  { text, verdict, evidence, judge, reason }: Finding | (PaperStance & { readonly text: string }),
  n: number,
): Claim {
  return { text, citations: [n], verdict, evidence, judge, reason }
}

function toAskError(failure: Failure | null): AskError | null {
  if (failure === null) return null
  const { code, message, hint = null, retryable } = failure
  return { code, message, hint, retryable }
}

/**
 * How a run ended: with an answer; without papers; with no usable paper; with papers that do not address the query; at a
 * limit before anything was found; with a failure.
 */
type EndKind = 'answer' | 'no_papers' | 'none_kept' | 'no_evidence' | 'cut_off' | 'failed'

/** Determines how the run ended. */
function findEndKind(state: PapersState): EndKind {
  const { papers, kept, synthesis, limit, error, gaps } = state
  if (gaps.some(({ kind }) => kind === 'no_evidence')) return 'no_evidence'
  const isSaying = synthesis !== null && !saysNothing(synthesis.summary)
  if (isSaying) return 'answer'
  if (synthesis !== null && hasPoints(state)) return 'answer'
  if (limit !== null) return 'cut_off'
  if (error !== null) return 'failed'
  if (papers.length === 0) return 'no_papers'
  return kept.length === 0 ? 'none_kept' : 'no_evidence'
}

function hasPoints({ synthesis }: PapersState): boolean {
  const { consensus = [], contradictions = [] } = synthesis ?? {}
  return consensus.length + contradictions.length > 0
}

/**
 * The status and stop reason. If a temporary failure prevented any result, the run counts as failed, so that it can be
 * resumed.
 */
function toOutcome(
  { limit, error }: PapersState,
  kind: EndKind,
  gaps: readonly Gap[],
): { readonly status: PapersResult['status']; readonly stopReason: PapersStop } {
  if (kind === 'failed') return { status: 'failed', stopReason: 'error' }
  const atLimit = limit !== null && wasEndedEarly(limit) ? 'ended_early' : 'limit'
  if (kind === 'cut_off') return { status: 'unanswered', stopReason: atLimit }
  if (kind !== 'answer') return { status: 'unanswered', stopReason: kind }
  if (error !== null) return { status: 'partial', stopReason: 'error' }
  if (limit !== null) return { status: 'partial', stopReason: atLimit }
  const isPartial = gaps.some((gap) => partialGaps.has(gap.kind))
  return isPartial
    ? { status: 'partial', stopReason: 'gaps' }
    : { status: 'answered', stopReason: 'answered' }
}

const partialGaps: ReadonlySet<Gap['kind']> = new Set([
  'no_evidence',
  'tool_failed',
  'unsupported_answer',
  'claim_dropped',
  'cut_off',
])

/** Gaps found at the end: sentences of the summary that are not supported. */
export function findClaimGaps({ summaryClaims }: PapersState): readonly Gap[] {
  const lost = summaryClaims.filter(({ verdict }) => verdict === 'not_found')
  const wrong = summaryClaims.filter(isWrong)
  if (wrong.length === 0 && lost.length * 2 <= summaryClaims.length) return []
  const bad = new Set([...lost, ...wrong]).size
  const detail = `Of ${summaryClaims.length} sentences of the summary, ${bad} ${bad === 1 ? 'is' : 'are'} not supported by the papers they cite, or cite none.`
  return [{ kind: 'unsupported_answer', detail }]
}

/** The papers of the result, each with its number and final status. */
function toPaperEntries(state: PapersState): readonly PaperEntry[] {
  return state.papers.map((paper): PaperEntry => {
    const { id } = paper
    const n = findNumber(state, id)
    const reading = state.readings[id]
    const analysis = state.analyses.find(({ paperId }) => paperId === id)
    const { status, reason } = findPaperStatus(state, id)
    return {
      ...paper,
      ...(n === undefined ? {} : { n }),
      status,
      ...(analysis === undefined ? {} : { confidence: analysis.confidence }),
      ...(reading === undefined
        ? {}
        : {
            pageCount: reading.pageCount,
            chunkCount: reading.chunks.length,
            referenceCount: reading.referenceCount,
          }),
      ...(reason === undefined ? {} : { reason }),
    }
  })
}

function findPaperStatus(
  state: PapersState,
  id: string,
): { readonly status: PaperStatus; readonly reason?: string } {
  if (state.kept.includes(id)) return { status: 'kept' }
  const unread = state.unread.find(({ paperId }) => paperId === id)
  if (unread !== undefined) return { status: unread.status, reason: unread.reason }
  const analysis = state.analyses.find(({ paperId }) => paperId === id)
  const failed = analysis?.error
  if (failed !== undefined) return { status: 'failed', reason: failed }
  const dropped = state.dropped.find(({ paperId }) => paperId === id)
  if (dropped !== undefined) return { status: 'dropped', reason: dropped.reason }
  return { status: 'found', reason: 'The run ended before it was processed.' }
}
