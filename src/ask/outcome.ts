import type { CitedSource, Claim } from '../citations/claim.ts'
import { noEvidenceText, noneReadText, saysNothing } from '../citations/role-requests.ts'
import { measureCoverage } from '../claims/check/check-claim.ts'
import { splitClaims } from '../claims/check/parse-claims.ts'
import { toInertMarkdown } from '../claims/verify/inert-markdown.ts'
import { isWrong } from '../claims/verify/opinions.ts'
import type { Failure } from '../kernel/errors.ts'
import { wasEndedEarly } from '../kernel/limits/limit-reached.ts'
import { citedNumbers } from '../team/evidence.ts'
import type { AskError, Gap } from '../team/gap.ts'
import { statesCalculation, statesResult } from './calculated.ts'
import type { AskResult, AskStatus, StopReason } from './result.ts'
import { assessShortAnswer, hasContent, withBasis } from './short-answer.ts'
import { type AskState, approvedResults, isAnswerApproved } from './state.ts'

/**
 * The kind of the final text: an answer; that the sources say nothing; an answer without evidence, which is withheld;
 * or a fixed text: critics, or a person at the plan, ended the work; a limit was reached before anything was found; or
 * something failed before anything was approved.
 */
export type TextKind =
  | 'answer'
  | 'no_evidence'
  | 'withheld'
  | 'rejected'
  | 'refused'
  | 'cut_off'
  | 'failure'

/** The parts of a result that are not in its state. */
export interface ResultParts {
  /** The claims of an answer with their verdicts; empty for other texts. */
  readonly claims: readonly Claim[]
  /** The sources that an answer cites; empty for other texts. */
  readonly citations: readonly CitedSource[]
  /** Which limits were exceeded, as text. */
  readonly exceeded: string | undefined
}

/** Creates a run's result from its final state: at the end of the run, and when a bundle is verified. */
export function createResult(
  state: AskState,
  { claims, citations, exceeded }: ResultParts,
): AskResult {
  const kind = classifyText(state)
  const checked = withBasis(state)
  const overshoot: Gap[] = exceeded === undefined ? [] : [{ kind: 'limit', detail: exceeded }]
  const gaps = [...state.control.gaps, ...overshoot, ...findGaps(state, kind, claims)]
  return {
    ...determineOutcome(state, kind, gaps),
    question: state.question.text,
    answer: finalText(state, kind),
    ...(kind === 'answer' && checked !== state ? { basis: checked.answer.text } : {}),
    reasoning: state.answer.reasoning,
    citations,
    claims,
    coverage: measureCoverage(claims),
    plan: { researchSteps: state.plan.researchSteps, expertSteps: state.plan.expertSteps },
    retries: state.control.rejections,
    gaps,
    ...(state.answer.figures.length === 0 ? {} : { figures: state.answer.figures }),
    error: toAskError(state.control.error),
  }
}

/** The result of a run with a failure after which there can be no answer. */
export function failedResult(state: AskState, component: string, failure: Failure): AskResult {
  const text = toInertMarkdown(`${component} failed: ${failure.message}`)
  return {
    status: 'failed',
    stopReason: 'error',
    question: state.question.text,
    answer: text,
    reasoning: text,
    citations: [],
    claims: [],
    coverage: measureCoverage([]),
    plan: { researchSteps: state.plan.researchSteps, expertSteps: state.plan.expertSteps },
    retries: state.control.rejections,
    gaps: state.control.gaps,
    error: toAskError(failure),
  }
}

function toAskError(failure: Failure | null): AskError | null {
  if (failure === null) return null
  const { code, message, hint = null, retryable } = failure
  return { code, message, hint, retryable }
}

/** The kind of a state's final text. */
export function classifyText(state: AskState): TextKind {
  const { error, limit, ending } = state.control
  const { text } = state.answer
  const isApproved = isAnswerApproved(state)
  if (error !== null && !isApproved) return 'failure'
  if (error === null && limit === null && ending === 'plan_refused') return 'refused'
  if (error === null && limit === null && !isApproved)
    return isFixedNoEvidence(text) ? 'no_evidence' : 'rejected'
  if (limit !== null && !isApproved && approvedResults(state).length === 0) return 'cut_off'
  if (saysNothing(text)) return 'no_evidence'
  if (!hasContent(state)) return 'withheld'
  return isUngrounded(withBasis(state)) ? 'withheld' : 'answer'
}

/** The text to return for a state whose final text is of this kind. */
function finalText({ answer: { text } }: AskState, kind: TextKind): string {
  if (kind === 'no_evidence' && text === noneReadText) return noneReadText
  return kind === 'no_evidence' || kind === 'withheld' ? noEvidenceText : text
}

/** Whether the input node fixed the text. Older logs have the other text. */
function isFixedNoEvidence(text: string): boolean {
  return text === noneReadText || text === noEvidenceText
}

/**
 * Whether an answer has no evidence. If nothing was to be looked up, it must state the result of a calculation;
 * otherwise it must cite a passage, unless each of its sentences is a calculation.
 */
export function isUngrounded({
  plan,
  research,
  answer: { text, calculations },
}: AskState): boolean {
  if (citedNumbers(text).some((cited) => research.citations.some(({ n }) => n === cited)))
    return false
  if (plan.researchSteps.length === 0)
    return !calculations.some((calculation) => statesResult(text, calculation))
  const isCalculated = ({ plain }: { plain: string }) =>
    calculations.some((calculation) => statesCalculation(plain, calculation))
  const claims = splitClaims(text)
  return claims.length === 0 || !claims.every(isCalculated)
}

/** What is missing, in addition to the gaps noted during the run. */
function findGaps(state: AskState, kind: TextKind, claims: readonly Claim[]): readonly Gap[] {
  return [
    ...researchGaps(state),
    ...withheldGap(state, kind),
    ...shortGap(state, kind),
    ...unsupportedGap(state, claims),
  ]
}

/** Research steps that the sources did not answer, or whose last search failed. */
function researchGaps({ research }: AskState): readonly Gap[] {
  const failed = Object.values(research.researchers).filter(
    ({ failedSearch }) => failedSearch !== '',
  )
  return [
    ...research.results
      .filter(({ result }) => saysNothing(result))
      .map(({ request }): Gap => ({ kind: 'no_evidence', detail: request })),
    ...failed.map(
      ({ failedSearch }): Gap => ({
        kind: 'tool_failed',
        detail: `A search failed: ${failedSearch}`,
      }),
    ),
  ]
}

function withheldGap(state: AskState, kind: TextKind): readonly Gap[] {
  if (kind !== 'withheld') return []
  if (!hasContent(state)) {
    const detail = 'The answer consists only of citation marks, so it is withheld.'
    return [{ kind: 'unsupported_answer', detail }]
  }
  const detail =
    state.plan.researchSteps.length === 0
      ? 'Nothing was looked up and the answer is not the result of a calculation, so it is withheld.'
      : 'The answer cites nothing that was read, so it is withheld.'
  return [{ kind: 'uncited_answer', detail }]
}

function shortGap(state: AskState, kind: TextKind): readonly Gap[] {
  const support = kind === 'answer' ? assessShortAnswer(state) : 'supported'
  if (support === 'supported') return []
  if (support === 'unsupported') {
    const detail = 'The short answer is not contained in the sentences it is based on.'
    return [{ kind: 'unsupported_answer', detail }]
  }
  const detail = `The sentences it is based on were checked, but not whether “${state.answer.text}” follows from them.`
  return [{ kind: 'claims_unverified', detail }]
}

/**
 * Sentences that are wrong ({@link isWrong}) or cite something missing; an answer whose citing sentences were mostly not
 * found; and one whose sentences mostly cite nothing.
 */
function unsupportedGap(
  { research: { citations }, answer: { calculations } }: AskState,
  claims: readonly Claim[],
): readonly Gap[] {
  const citing = claims.filter((claim) => claim.citations.length > 0)
  const lost = citing.filter(({ verdict }) => verdict === 'not_found')
  const wrong = citing.filter(
    (claim) =>
      isWrong(claim) || claim.citations.some((number) => !citations.some(({ n }) => n === number)),
  )
  const isMostlyLost = lost.length * 2 > citing.length
  const bad = isMostlyLost ? new Set([...lost, ...wrong]).size : wrong.length
  const isCalculated = ({ text }: Claim) =>
    calculations.some((calculation) => statesResult(text, calculation))
  const bare = claims.filter((claim) => claim.citations.length === 0 && !isCalculated(claim)).length
  const details = [
    bad > 0
      ? `Of ${citing.length} sentences with a citation, ${bad} ${bad === 1 ? 'is' : 'are'} not supported by the cited passages.`
      : '',
    bare > citing.length && citing.length > 0 ? `${bare} sentences have no citation.` : '',
  ].filter((detail) => detail !== '')
  return details.length === 0 ? [] : [{ kind: 'unsupported_answer', detail: details.join(' ') }]
}

const partialGaps: ReadonlySet<Gap['kind']> = new Set([
  'no_evidence',
  'tool_failed',
  'unsupported_answer',
  'claim_dropped',
  'cut_off',
])

/**
 * How the question ended, and why. A temporary failure of the finalizer leaves the run failed, so that it can be
 * resumed.
 */
function determineOutcome(
  { control: { error, limit } }: AskState,
  kind: TextKind,
  gaps: readonly Gap[],
): { status: AskStatus; stopReason: StopReason } {
  if (kind === 'failure' || error?.retryable === true)
    return { status: 'failed', stopReason: 'error' }
  if (kind === 'rejected') return { status: 'unanswered', stopReason: 'retry_limit' }
  if (kind === 'refused') return { status: 'unanswered', stopReason: 'plan_refused' }
  const isAnswer = kind === 'answer'
  if (error !== null) return { status: isAnswer ? 'partial' : 'unanswered', stopReason: 'error' }
  if (limit !== null)
    return {
      status: isAnswer ? 'partial' : 'unanswered',
      stopReason: wasEndedEarly(limit) ? 'ended_early' : 'limit',
    }
  if (!isAnswer) return { status: 'unanswered', stopReason: 'no_evidence' }
  if (gaps.some((gap) => partialGaps.has(gap.kind)))
    return { status: 'partial', stopReason: 'gaps' }
  return { status: 'answered', stopReason: 'answered' }
}
