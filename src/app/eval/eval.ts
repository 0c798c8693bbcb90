import type { AppOptions } from '../options.ts'
import type { EvalOptions, EvalReport, EvalRequest } from './eval-options.ts'

/**
 * Asks every question of a set, each as a run of its own, and scores the answers. The folder holds what was done, so that the
 * same call goes on where an earlier one ended, however it ended.
 *
 * @throws `invalid_input` for a file, a folder or a limit that cannot be used and for questions with one id; `cancelled`;
 * `store_failed`
 */
export async function evaluate(
  app: AppOptions,
  request: EvalRequest,
  options: EvalOptions = {},
): Promise<EvalReport> {
  return (await import('./eval-questions.ts')).evaluateQuestions(app, request, options)
}

export {
  engineNames,
  engineNotes,
  formatCost,
  formatRate,
  scoreColumns,
} from '../../eval/report/scores.ts'
export type { EvalOptions, EvalProgress, EvalReport, EvalRequest } from './eval-options.ts'
