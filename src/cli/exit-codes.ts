import type { ErrorCode } from '../kernel/errors.ts'
import type { RunStatus } from '../kernel/run/event.ts'

/** The exit code for each error. */
export const exitCodes: Readonly<Record<ErrorCode, number>> = {
  invalid_input: 2,
  invalid_configuration: 2,
  run_not_found: 2,
  invalid_graph: 1,
  invalid_agent_file: 2,
  template_failed: 1,
  tool_failed: 1,
  model_failed: 1,
  model_unavailable: 1,
  model_output_malformed: 1,
  limit_reached: 1,
  step_changed: 1,
  step_repeated: 1,
  step_missing: 1,
  step_failed: 1,
  outcome_unknown: 1,
  run_busy: 1,
  run_incompatible: 1,
  fenced: 1,
  store_failed: 1,
  internal: 1,
  waiting: 3,
  cancelled: 130,
}

/** The exit code for each status of an ended run. */
export const statusExitCodes: Readonly<Record<RunStatus, number>> = {
  answered: 0,
  partial: 3,
  unanswered: 3,
  waiting: 3,
  failed: 1,
  running: 1,
  interrupted: 130,
}
