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
