import type { CitedSource, Claim, Coverage } from '../citations/claim.ts'
import type { AskError, Gap } from '../team/gap.ts'

/**
 * How to treat unsupported claims. `mark`: keep them, with their verdicts; `strict`: rewrite each once with its
 * passages, else leave it out; `off`: check nothing.
 */
export type ClaimPolicy = 'mark' | 'strict' | 'off'

/**
 * How much work goes into an answer. `quick`: one agent searches and writes it; `standard`: a team with the critics that are needed;
 * `thorough`: a team whose every step a critic judges. The claims of the answer are checked in all three.
 */
export type Depth = 'quick' | 'standard' | 'thorough'

/**
 * The format of an answer. `full`: sentences with citations; `short`: only a number, a few words or a comma-separated
 * list; its claims are the sentences it was made from.
 */
export type AnswerFormat = 'full' | 'short'

/** A figure that a calculation created. */
export type Figure = {
  /** Its number for models, from 1. */
  readonly figure: number
  readonly mediaType: 'image/svg+xml'
  /** In pixels. */
  readonly width: number
  readonly height: number
  /** Self-contained: without scripts, links and external styles. */
  readonly svg: string
}

/** How a question ended. `unanswered`: the sources do not say, or the critics' limit was reached. */
export type AskStatus = 'answered' | 'partial' | 'unanswered' | 'failed'

/** Why a run stopped. `ended_early`: a person wanted the answer so far. */
export type StopReason =
  | 'answered'
  | 'gaps'
  | 'no_evidence'
  | 'retry_limit'
  | 'plan_refused'
  | 'limit'
  | 'ended_early'
  | 'error'

/** What the workflow itself knows of an answer; usage, cost and times are added from the log. */
export type AskResult = {
  readonly status: AskStatus
  readonly stopReason: StopReason
  readonly question: string
  /** Markdown; citations as `[n]`. */
  readonly answer: string
  /** The cited text that a short answer was made from: its sentences are the claims. */
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
  /** The expert's figures, at most twelve; absent if there are none. */
  readonly figures?: readonly Figure[]
  /** What ended the work, or what it had to do without; `null` if nothing failed. */
  readonly error: AskError | null
}

/** The result of `ask` for people and programs; its format is public. */
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
  /** `null` if a model's price is unknown. */
  readonly costUsd: number | null
  readonly timings: { readonly wallMs: number; readonly modelMs: number }
  /** The model of each role. */
  readonly models: Readonly<Record<string, string>>
} & AskResult
