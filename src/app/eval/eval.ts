import type { AppOptions } from '../options.ts'
import type { EvalOptions, EvalReport, EvalRequest } from './eval-options.ts'

/**
 * Asks every question of a set, each as a run of its own, and scores the answers. The folder stores the progress, so
 * that the same call continues an earlier one, however it ended.
 *
 * @throws `invalid_input` for an invalid file, folder or limit and for duplicate ids; `cancelled`; `store_failed`
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
