import type { JsonObject } from '../kernel/json.ts'
import type { Accounts } from '../kernel/run/accounts.ts'

/** What every public answer says about its run, from the log. */
export interface RunUsage {
  readonly usage: {
    readonly inputTokens: number
    readonly outputTokens: number
    readonly embeddingTokens: number
    readonly modelCalls: number
    readonly toolCalls: number
  }
  /** In US dollars; null if a model's price is unknown. */
  readonly costUsd: number | null
  /** In milliseconds. */
  readonly timings: { readonly wallMs: number; readonly modelMs: number }
  /** The model of each role. */
  readonly models: Readonly<Record<string, string>>
}

/** The parts of a public answer. */
export interface AnswerParts {
  /** Schema of the workflow's answers. Default: `scholium.answer/1`. A result that names its own schema keeps it. */
  readonly schema: string | undefined
  readonly runId: string
  readonly workflow: string
  readonly result: JsonObject
  readonly accounts: Accounts
  readonly models: JsonObject
}

/** The public answer of a run: its result, with usage and models from the log. */
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
