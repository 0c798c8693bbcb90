import type { CitedSource, Claim, Coverage } from '../citations/claim.ts'
import type { AskError, Gap } from '../team/gap.ts'

/**
 * What becomes of claims that do not hold. `mark`: they are delivered with their verdicts; `strict`: rewritten once with their
 * passages, else left out; `off`: nothing is checked.
 */
export type ClaimPolicy = 'mark' | 'strict' | 'off'

/**
 * How much work goes into an answer. `quick`: one agent searches and writes it; `standard`: a team with the critics that are needed;
 * `thorough`: a team whose every step a critic judges. The claims of the answer are checked in all three.
 */
export type Depth = 'quick' | 'standard' | 'thorough'

/**
 * The form of an answer. `full`: sentences with their citations; `short`: a number, a few words or a list with commas and nothing
 * else, whose claims are the sentences from which it was made.
 */
export type AnswerFormat = 'full' | 'short'

/** A drawing that a calculation made. */
export type Figure = {
  /** From 1 on, as the models were told. */
  readonly figure: number
  readonly mediaType: 'image/svg+xml'
  /** In pixels. */
  readonly width: number
  readonly height: number
  /** Self-contained: without scripts, links and styles. */
  readonly svg: string
}

/** How a question ended. `unanswered`: the sources do not say, or the critics' limit was reached. */
export type AskStatus = 'answered' | 'partial' | 'unanswered' | 'failed'

/** Why a run stopped. */
export type StopReason =
  | 'answered'
  | 'gaps'
  | 'no_evidence'
  | 'retry_limit'
  | 'plan_refused'
  | 'limit'
  | 'error'

/** What the workflow itself knows of an answer; usage, cost and times are added from the log. */
export type AskResult = {
  readonly status: AskStatus
  readonly stopReason: StopReason
  readonly question: string
  /** Markdown; citations as `[n]`. */
  readonly answer: string
  /** Of a short answer the cited text from which it was made: the claims are its sentences. */
  readonly basis?: string
  readonly reasoning: string
  readonly citations: readonly CitedSource[]
  readonly claims: readonly Claim[]
  readonly coverage: Coverage
  readonly plan: {
    readonly researchSteps: readonly string[]
    readonly expertSteps: readonly string[]
  }
  readonly retries: {
    readonly planner: number
    readonly researcher: number
    readonly expert: number
  }
  readonly gaps: readonly Gap[]
  /** What the expert drew, the first twelve; absent where it drew nothing. */
  readonly figures?: readonly Figure[]
  /** What ended the work, or what it had to do without; null: nothing failed. */
  readonly error: AskError | null
}

/** The result of `ask` as people and programs get it; its form is public. */
export type Answer = {
  readonly schema: 'scholium.answer/1'
  readonly runId: string
  readonly workflow: 'ask'
  readonly usage: {
    readonly inputTokens: number
    readonly outputTokens: number
    readonly embeddingTokens: number
    readonly modelCalls: number
    readonly toolCalls: number
  }
  /** null: the price of a model is not known. */
  readonly costUsd: number | null
  readonly timings: { readonly wallMs: number; readonly modelMs: number }
  /** The model of each role. */
  readonly models: Readonly<Record<string, string>>
} & AskResult
