import type { JsonObject } from '../kernel/json.ts'
import type { Accounts } from '../kernel/run/accounts.ts'

/** What every public answer says of its run's making, from the log. */
export interface RunUsage {
  readonly usage: {
    readonly inputTokens: number
    readonly outputTokens: number
    readonly embeddingTokens: number
    readonly modelCalls: number
    readonly toolCalls: number
  }
  /** In US dollars. null: the price of a model is not known. */
  readonly costUsd: number | null
  /** In milliseconds. */
  readonly timings: { readonly wallMs: number; readonly modelMs: number }
  /** The model of each role. */
  readonly models: Readonly<Record<string, string>>
}

/** What an answer is made of. */
export interface AnswerParts {
  /** The form of the workflow's answers. Default: `scholium.answer/1`. A result that names its own form keeps it. */
  readonly schema: string | undefined
  readonly runId: string
  readonly workflow: string
  readonly result: JsonObject
  readonly accounts: Accounts
  readonly models: JsonObject
}

/** The public answer of a run: its result with what the log says of its making. */
export function toRunAnswer(parts: AnswerParts): JsonObject {
  const { schema = 'scholium.answer/1', runId, workflow, result, accounts, models } = parts
  const { costUsd, wallMs, modelMs, ...usage } = accounts
  return {
    schema,
    runId,
    workflow,
    ...result,
    usage,
    costUsd,
    timings: { wallMs, modelMs },
    models,
  }
}
