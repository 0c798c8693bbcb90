import { resumeRun } from '../../kernel/run/run.ts'
import type { AppParts } from '../app-parts.ts'
import { requirePrices } from '../models/require-prices.ts'
import type { ExecutionOptions } from '../options.ts'
import { requireGranted } from '../trust/rights.ts'
import { recordedConditions } from './recorded-conditions.ts'
import { findRunId } from './run-id.ts'
import { createModels, modelsOfRun, withWindows } from './run-models.ts'
import { presentResult, type RunResult } from './run-result.ts'

/** @see App.resume */
export async function resumeRecorded(
  parts: AppParts,
  run: string,
  options: ExecutionOptions,
): Promise<RunResult> {
  const runId = await findRunId(parts.store, run)
  await requireGranted(parts, runId, options)
  const bound = await parts.workflows.bind(runId, options.grants ?? [], options.tools)
  const recorded = await recordedConditions(parts.store, runId)
  const models = bound.models
    ? withWindows(createModels(parts, bound.models), recorded)
    : await modelsOfRun(parts, runId)
  // A service that has moved is the same model: the run keeps the addresses that it began with.
  const { baseUrls } = recorded
  const execution = parts.execution(options, models, { ...bound, baseUrls })
  requirePrices({ ...recorded.limits, ...execution.limits }, models, bound.roles)
  const { result } = await resumeRun(await bound.workflow(), runId, execution)
  return presentResult(parts, runId, result)
}
