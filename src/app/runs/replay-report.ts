import type { RunResult } from './run-result.ts'

/** What a replay came to. */
export interface ReplayReport {
  readonly runId: string
  readonly answer: RunResult
  readonly isIdentical: boolean
  /** What was recorded. */
  readonly recorded: RunResult
  /** How many steps were answered from the record. */
  readonly steps: number
  /** Recorded steps that the code no longer asks for. */
  readonly unclaimed: readonly string[]
}
