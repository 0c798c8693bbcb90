import { resumeRun } from '../../kernel/run/run.ts'
import type { AppParts } from '../app-parts.ts'
import { requirePrices } from '../models/require-prices.ts'
import type { ExecutionOptions } from '../options.ts'
import { requireGranted } from '../trust/rights.ts'
import { recordedConditions } from './recorded-conditions.ts'
import { findRunId } from './run-id.ts'
import type { RunResult } from './run-kind.ts'
import { modelsOfRun } from './run-models.ts'
import { workflowOf } from './workflow-of.ts'

/** @see App.resume */
export async function resumeOf(
  parts: AppParts,
  run: string,
  options: ExecutionOptions,
): Promise<RunResult> {
  const runId = await findRunId(parts.store, run)
  await requireGranted(parts, runId, options)
  const kind = await workflowOf(parts, runId, options.grants ?? [])
  const models = await modelsOfRun(parts, runId)
  const recorded = await recordedConditions(parts.store, runId)
  // A service that has moved is the same model: the run keeps the addresses that it began with.
  const { baseUrls } = recorded
  const execution = parts.execution(options, models, { ...kind, baseUrls })
  requirePrices({ ...recorded.limits, ...execution.limits }, models, kind.roles)
  const { result } = await resumeRun(await kind.workflow(), runId, execution)
  return kind.present(runId, result)
}
