import type { CodeResult } from '../../code/result.ts'
import { accountsOf } from '../../kernel/run/accounts.ts'
import type { RunStore } from '../../kernel/run/run-store.ts'
import { recordedConditions } from '../runs/recorded-conditions.ts'

/** What a session came to, as people and programs get it; its form is public. */
export type CodeAnswer = {
  readonly schema: 'scholium.code/1'
  readonly runId: string
  readonly workflow: 'code'
} & CodeResult & {
    readonly usage: {
      readonly inputTokens: number
      readonly outputTokens: number
      readonly embeddingTokens: number
      readonly modelCalls: number
      readonly toolCalls: number
    }
    /** null: not known. */
    readonly costUsd: number | null
    readonly timings: { readonly wallMs: number; readonly modelMs: number }
    readonly models: Readonly<Record<string, string>>
  }

/** A session's result with what the log says of its making. */
export async function codeAnswerOf(
  store: RunStore,
  runId: string,
  result: CodeResult,
): Promise<CodeAnswer> {
  const accounts = await accountsOf(store.events(runId, { withOutput: false }))
  const { inputTokens, outputTokens, embeddingTokens, modelCalls, toolCalls } = accounts
  const { costUsd, wallMs, modelMs } = accounts
  const { models } = await recordedConditions(store, runId)
  return {
    schema: 'scholium.code/1',
    runId,
    workflow: 'code',
    ...result,
    usage: { inputTokens, outputTokens, embeddingTokens, modelCalls, toolCalls },
    costUsd,
    timings: { wallMs, modelMs },
    models,
  }
}
