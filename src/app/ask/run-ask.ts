import type { Answer } from '../../ask/result.ts'
import { startRun } from '../../kernel/run/run.ts'
import type { AppParts } from '../app-parts.ts'
import { requirePrices } from '../models/require-prices.ts'
import type { AskRequest, ExecutionOptions } from '../options.ts'
import { newRunId } from '../runs/run-id.ts'
import { presentResult } from '../runs/run-result.ts'
import { askInputOf } from './ask-input.ts'

/** @see App.ask */
export async function runAsk(
  parts: AppParts,
  request: AskRequest,
  options: ExecutionOptions,
): Promise<Answer> {
  parts.reader.prepareFor(request.sources ?? [])
  const input = await askInputOf(parts, request, options.grants)
  const execution = parts.execution(options)
  requirePrices(execution.limits ?? {}, parts.modelSource)
  const runId = newRunId(parts.clock.now())
  const { result } = await startRun(await parts.workflow(), input, runId, execution)
  return presentResult(parts, runId, result) as Promise<Answer>
}
