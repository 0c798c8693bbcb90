import type { JudgePoints } from './point-check.ts'
import type { RebuildResult } from './result-check.ts'
import type { AnswerForm } from './run-facts.ts'

/** What making and verifying a bundle has to know of the workflow of its run. */
export interface BundledWorkflow extends AnswerForm {
  /** Builds its result from the log again. Without it the result is not compared with the log. */
  readonly rebuildResult?: RebuildResult
  /** What code says of the points of its result. Without it their verdicts are not judged again. */
  readonly judgePoints?: JudgePoints
}
