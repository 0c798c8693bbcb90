import { z } from 'zod'
import type { Answer, AskStatus } from '../ask/result.ts'
import type { Claim, Coverage } from '../citations/claim.ts'
import { fromInertMarkdown } from '../claims/verify/inert-markdown.ts'
import type { Failure } from '../kernel/errors.ts'
import type { AskError } from '../team/gap.ts'
import type { EvalQuestion } from './question.ts'
import { findLabel, isExactMatch, isRightForGaia, tokenF1, toPlainAnswer } from './score-answer.ts'

/** How correct an answer is; `null` if the correct answer is unknown, or for `label` if the set has none. */
export type Scores = {
  readonly exactMatch: boolean | null
  readonly gaia: boolean | null
  /** 0 to 1. */
  readonly f1: number | null
  readonly label: boolean | null
}

/** A question with its result: a line of `results.jsonl`. */
export type EvalResult = {
  readonly schema: 'scholium.eval-result/1'
  readonly id: string
  readonly set: string
  /** `null` if no run was started. */
  readonly runId: string | null
  readonly question: string
  readonly answers: readonly string[]
  /** As answered: Markdown with citations. */
  readonly answer: string
  /** As it was scored. */
  readonly scored: string
  readonly status: AskStatus
  readonly stopReason: string
  readonly scores: Scores
  readonly claims: readonly Pick<Claim, 'text' | 'citations' | 'verdict'>[]
  readonly coverage: Coverage
  /** `null` if a price or the usage is unknown. */
  readonly costUsd: number | null
  /** Working time, without pauses between sessions; `null` if no run was started. */
  readonly seconds: number | null
  readonly usage: Answer['usage']
  readonly error: AskError | null
}

const nothingChecked: Coverage = {
  claims: 0,
  checked: 0,
  uncited: 0,
  verbatim: 0,
  supported: 0,
  altered: 0,
  partial: 0,
  contradicted: 0,
  notFound: 0,
  numbersNotFound: 0,
  unavailable: 0,
  unchecked: 0,
}

const nothingUsed: Answer['usage'] = {
  inputTokens: 0,
  outputTokens: 0,
  embeddingTokens: 0,
  modelCalls: 0,
  toolCalls: 0,
}

/** The result of a question with an answer, including an honest "not found". */
export function toResult(question: EvalQuestion, answer: Answer): EvalResult {
  const { status, stopReason, coverage, costUsd, usage, error, timings, runId } = answer
  const scored = toPlainAnswer(
    fromInertMarkdown(answer.answer),
    new Set(answer.citations.map(({ n }) => n)),
  )
  return {
    ...toHead(question, runId),
    answer: answer.answer,
    scored,
    status,
    stopReason,
    scores: scoreAnswer(question, status, scored),
    claims: answer.claims.map(({ text, citations, verdict }) => ({ text, citations, verdict })),
    coverage,
    costUsd,
    seconds: timings.wallMs / 1000,
    usage,
    error,
  }
}

/** The result of a question whose run failed. @param runId `null` if there is no such run */
export function toFailedResult(
  question: EvalQuestion,
  { code, message, hint, retryable }: Failure,
  runId: string | null,
): EvalResult {
  return {
    ...toHead(question, runId),
    answer: '',
    scored: '',
    status: 'failed',
    stopReason: 'error',
    scores: scoreAnswer(question, 'failed', ''),
    claims: [],
    coverage: nothingChecked,
    costUsd: runId === null ? 0 : null,
    seconds: null,
    usage: nothingUsed,
    error: { code, message, hint: hint ?? null, retryable },
  }
}

function toHead({ id, set, question, answers }: EvalQuestion, runId: string | null) {
  return { schema: 'scholium.eval-result/1', id, set, runId, question, answers } as const
}

/** Without an answer nothing is correct, whatever the text says. */
function scoreAnswer({ answers, labels }: EvalQuestion, status: AskStatus, given: string): Scores {
  if (answers.length === 0) return { exactMatch: null, gaia: null, f1: null, label: null }
  const isGiven = status === 'answered' || status === 'partial'
  const label = findLabel(given, labels)
  const isLabelled = label !== undefined && answers.some((gold) => isExactMatch(label, gold))
  return {
    exactMatch: isGiven && answers.some((gold) => isExactMatch(given, gold)),
    gaia: isGiven && answers.some((gold) => isRightForGaia(given, gold)),
    f1: isGiven ? Math.max(...answers.map((gold) => tokenF1(given, gold))) : 0,
    label: labels.length === 0 ? null : isGiven && isLabelled,
  }
}

/** How many claims are supported and how many were checked, from which a set's shares are computed. */
export function countClaims({ coverage }: EvalResult) {
  const { claims, checked, verbatim, supported } = coverage
  return { claims, checked, supported: verbatim + supported }
}

/** Whether a retry may succeed: the question failed for a temporary external reason. */
export function mayPass({ status, error }: EvalResult): boolean {
  return status === 'failed' && error?.retryable === true
}

const count = z.number().min(0)
const rate = z.boolean().nullable()

/** The schema of a line of `results.jsonl`; unknown members are kept. */
export const resultForm = z.looseObject({
  schema: z.literal('scholium.eval-result/1'),
  id: z.string(),
  set: z.string(),
  runId: z.string().nullable(),
  question: z.string(),
  answers: z.array(z.string()),
  answer: z.string(),
  scored: z.string(),
  status: z.enum(['answered', 'partial', 'unanswered', 'failed']),
  stopReason: z.string(),
  scores: z.object({ exactMatch: rate, gaia: rate, f1: count.max(1).nullable(), label: rate }),
  claims: z.array(
    z.object({ text: z.string(), citations: z.array(z.number()), verdict: z.string() }),
  ),
  coverage: z.looseObject({ claims: count, checked: count, verbatim: count, supported: count }),
  costUsd: count.nullable(),
  seconds: count.nullable(),
  usage: z.object({
    inputTokens: count,
    outputTokens: count,
    embeddingTokens: count,
    modelCalls: count,
    toolCalls: count,
  }),
  error: z
    .object({
      code: z.string(),
      message: z.string(),
      hint: z.string().nullable(),
      retryable: z.boolean(),
    })
    .nullable(),
}) as unknown as z.ZodType<EvalResult>
