import type { Answer } from '../../ask/result.ts'
import type { Accounts } from '../../kernel/run/accounts.ts'
import type { PapersResult } from '../../papers/result.ts'

/** Why a synthesis was not made anew: an earlier run asked the same, or what means the same. */
export type ReusedPapers = {
  readonly by: 'same' | 'meaning'
  /** What the earlier run was asked. */
  readonly query: string
  /** When it began, in ISO 8601. */
  readonly createdAt: string
  /** Of one that means the same: the cosine of the two queries, 0.95 to 1. */
  readonly similarity?: number
}

/** A synthesis of papers as people and programs get it; its form is public. Usage, cost and times are those of its own run. */
export type PapersAnswer = {
  readonly schema: 'scholium.papers/1'
  readonly runId: string
  readonly workflow: 'papers'
} & PapersResult &
  Pick<Answer, 'usage' | 'costUsd' | 'timings' | 'models'> & {
    /** Only where an earlier run's result was given again. */
    readonly reused?: ReusedPapers
  }

/** A workflow's result with what the log says of its making. */
export function toPapersAnswer(
  runId: string,
  result: PapersResult,
  accounts: Accounts,
  models: Readonly<Record<string, string>>,
): PapersAnswer {
  const { inputTokens, outputTokens, embeddingTokens, modelCalls, toolCalls, costUsd } = accounts
  const { wallMs, modelMs } = accounts
  return {
    schema: 'scholium.papers/1',
    runId,
    workflow: 'papers',
    ...result,
    usage: { inputTokens, outputTokens, embeddingTokens, modelCalls, toolCalls },
    costUsd,
    timings: { wallMs, modelMs },
    models,
  }
}
