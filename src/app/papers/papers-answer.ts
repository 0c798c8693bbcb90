import type { RunUsage } from '../../observe/run-answer.ts'
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
  RunUsage & {
    /** Only where an earlier run's result was given again. */
    readonly reused?: ReusedPapers
  }
