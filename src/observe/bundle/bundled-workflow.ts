import type { JudgePoints } from './point-check.ts'
import type { RebuildResult } from './result-check.ts'
import type { AnswerForm } from './run-facts.ts'

/** What exporting and verifying a bundle needs to know about the workflow of its run. */
export interface BundledWorkflow extends AnswerForm {
  /** Rebuilds its result from the log. Without it, the result is not compared with the log. */
  readonly rebuildResult?: RebuildResult
  /** Judges the points of its result by code. Without it, their verdicts are not checked. */
  readonly judgePoints?: JudgePoints
}
