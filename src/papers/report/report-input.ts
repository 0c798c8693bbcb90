import type { PapersResult } from '../result.ts'

/**
 * What a report is made of: a result with what the log says of its making. A path of a paper may be absolute, or relative to the
 * report's own folder.
 */
export type ReportInput = PapersResult & {
  readonly schema: 'scholium.papers/1'
  readonly runId: string
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
  /** Only where an earlier run's result was given again. */
  readonly reused?: {
    readonly by: 'same' | 'meaning'
    readonly query: string
    readonly createdAt: string
    readonly similarity?: number
  }
}
