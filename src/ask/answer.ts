import type { JsonObject } from '../kernel/json.ts'
import type { Accounts } from '../kernel/run/accounts.ts'
import type { AskResult } from './result.ts'

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

/** A workflow's result with what the log says of its making. */
export function toAnswer(
  runId: string,
  result: AskResult & JsonObject,
  accounts: Accounts,
  models: Readonly<Record<string, string>>,
): Answer {
  const {
    inputTokens,
    outputTokens,
    embeddingTokens,
    modelCalls,
    toolCalls,
    costUsd,
    wallMs,
    modelMs,
  } = accounts
  // Logs of version 0.1 have no such field.
  const { error = null, ...known } = result as Partial<Pick<AskResult, 'error'>> & AskResult
  return {
    schema: 'scholium.answer/1',
    runId,
    workflow: 'ask',
    ...known,
    error,
    usage: { inputTokens, outputTokens, embeddingTokens, modelCalls, toolCalls },
    costUsd,
    timings: { wallMs, modelMs },
    models,
  }
}
