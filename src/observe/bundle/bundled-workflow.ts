import type { JudgePoints } from './point-check.ts'
import type { RebuildResult } from './result-check.ts'

/** What making and verifying a bundle has to know of the workflow of its run. */
export interface BundledWorkflow {
  /** The form of its public answers: `scholium.papers/1`. */
  readonly answerSchema: string
  /**
   * Whether the ends of its nodes add to the citations before them, which begin with those of the input's `earlier`. Default: they
   * take their place.
   */
  readonly addsCitations?: boolean
  /** Builds its result from the log again. Without it the result is not compared with the log. */
  readonly rebuildResult?: RebuildResult
  /** What code says of the points of its result. Without it their verdicts are not judged again. */
  readonly judgePoints?: JudgePoints
}
