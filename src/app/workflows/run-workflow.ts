import type { JsonObject } from '../../kernel/json.ts'
import { startRun } from '../../kernel/run/run.ts'
import type { AppParts } from '../app-parts.ts'
import { requirePrices } from '../models/require-prices.ts'
import type { ExecutionOptions } from '../options.ts'
import { newRunId } from '../runs/run-id.ts'
import { createModels } from '../runs/run-models.ts'
import { presentResult, type WorkflowAnswer } from '../runs/run-result.ts'
import type { BoundWorkflow } from './bound-workflow.ts'
import type { DefinedWorkflow } from './define-workflow.ts'
import { checkValue } from './own-schema.ts'

/** The result of your own workflow or agent: its output, with the run's usage, cost and times. */
export type WorkflowRun<Output> = Omit<WorkflowAnswer, 'output'> & { readonly output: Output }

/** Starts a run of a workflow that was given to the app, and drives it to its end. */
export async function runBound(
  parts: AppParts,
  bound: BoundWorkflow,
  input: JsonObject,
  options: ExecutionOptions,
): Promise<WorkflowAnswer> {
  const models = bound.models === undefined ? parts.modelSource : createModels(parts, bound.models)
  await parts.readWindows(options, models, bound)
  const execution = parts.execution(options, models, bound)
  requirePrices(execution.limits ?? {}, models, bound.roles)
  const runId = newRunId(parts.clock.now())
  const { result } = await startRun(await bound.workflow(), input, runId, execution)
  return (await presentResult(parts, runId, result)) as WorkflowAnswer
}

/** Starts a run of a workflow that the app was created with. @see App.run */
export async function runOwn<Input, Output>(
  parts: AppParts,
  workflow: DefinedWorkflow<Input, Output>,
  input: Input,
  options: ExecutionOptions,
): Promise<WorkflowRun<Output>> {
  const bound = parts.workflows.findOwn(workflow)
  await checkValue(workflow.schemas.input, input, 'The input')
  const answer = await runBound(parts, bound, input as JsonObject, options)
  return { ...answer, output: answer.output as Output }
}
