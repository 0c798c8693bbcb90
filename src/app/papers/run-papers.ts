import { ScholiumError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { startRun } from '../../kernel/run/run.ts'
import type { AppParts } from '../app-parts.ts'
import { requirePrices } from '../models/require-prices.ts'
import type { ExecutionOptions } from '../options.ts'
import { newRunId } from '../runs/run-id.ts'
import { type PapersAnswer, presentResult } from '../runs/run-result.ts'
import { readConditions } from './papers-conditions.ts'
import { bindPapers } from './papers-definition.ts'
import {
  chooseMcpArxiv,
  type PapersRequest,
  requireSearchTools,
  toPapersInput,
  uploadsIn,
} from './papers-input.ts'
import { openQueryVectors } from './query-vectors.ts'
import { type AskedVector, findReusable } from './reuse-papers.ts'

/** @see App.papers */
export async function runPapers(
  parts: AppParts,
  request: PapersRequest,
  options: ExecutionOptions,
): Promise<PapersAnswer> {
  if (request.continue === undefined && (request.add ?? []).length > 0)
    throw new ScholiumError('invalid_input', 'There is no run to add papers to.', {
      hint: 'Give the run to extend (continue). For a new query, pass the papers as sources.',
    })
  const { tools = [] } = request
  requireSearchTools(tools)
  const uploads = uploadsIn(parts, request)
  const searches = { mcpArxiv: await chooseMcpArxiv(parts, request), tools, uploads }
  const input = await toPapersInput(parts, request, searches, options.grants)
  const bound = bindPapers(parts, await readConditions(parts, input, searches), tools)
  await parts.readWindows(options, parts.modelSource, bound)
  const execution = parts.execution(options, parts.modelSource, bound)
  requirePrices(execution.limits ?? {}, parts.modelSource, bound.roles)
  const { configuration } = execution
  const beginning = {
    workflow: await bound.workflow(),
    packageVersion: execution.packageVersion,
    input,
    configuration,
  }
  const { answer, asked } = request.fresh ? {} : await findReusable(parts, beginning, execution)
  if (answer !== undefined) return answer
  const runId = newRunId(parts.clock.now())
  const given = asked === undefined ? beginning.input : withLookup(beginning.input, asked)
  const { result } = await startRun(beginning.workflow, given, runId, execution)
  if (asked !== undefined)
    await openQueryVectors(parts.home.path).put(runId, asked.model, asked.vector)
  return presentResult(parts, runId, result) as Promise<PapersAnswer>
}

/** An input with what finding out whether the same was asked before has used. */
function withLookup(input: JsonObject, { model, usage }: AskedVector): JsonObject {
  return { ...input, lookup: { model, usage } }
}
