import { resolve } from 'node:path'
import type { AskInput } from '../../ask/question.ts'
import type { Answer } from '../../ask/result.ts'
import { startRun } from '../../kernel/run/run.ts'
import { ownToolsServer } from '../../tools/mcp/own-tools.ts'
import type { AppParts } from '../app-parts.ts'
import { requirePrices } from '../models/require-prices.ts'
import {
  type AskRequest,
  checkAnswerFormat,
  checkClaimPolicy,
  checkDepth,
  checkRetryLimits,
  type ExecutionOptions,
  requireReading,
} from '../options.ts'
import { newRunId } from '../runs/run-id.ts'
import { presentResult } from '../runs/run-result.ts'
import type { Right } from '../trust/right.ts'
import { chooseWeb } from '../trust/rights.ts'
import type { Continued } from './continue-run.ts'

/** @see App.ask */
export async function runAsk(
  parts: AppParts,
  request: AskRequest,
  options: ExecutionOptions,
): Promise<Answer> {
  parts.reader.prepareFor(request.sources ?? [])
  const input = await toAskInput(parts, request, options.grants)
  await parts.readWindows(options)
  const execution = parts.execution(options)
  requirePrices(execution.limits ?? {}, parts.modelSource)
  const runId = newRunId(parts.clock.now())
  const { result } = await startRun(
    await parts.workflow({ tools: request.tools ?? [] }),
    input,
    runId,
    execution,
  )
  return presentResult(parts, runId, result) as Promise<Answer>
}

/**
 * The input of a question's run. The run it continues supplies what the request leaves open.
 * @param grants rights of that run, other than its sources, that this one may have
 * @throws `invalid_input` for an unusable path, setting or run, `run_not_found`
 */
export async function toAskInput(
  parts: AppParts,
  request: AskRequest,
  grants: readonly Right[] = [],
): Promise<AskInput> {
  const { sources = [], sourcesRoot, continue: run, mcp: _mcp, tools: _tools, ...asked } = request
  const files = sources.map((path) => resolve(parts.folder, path))
  for (const path of files) parts.requirePath(path)
  checkRetryLimits(request)
  checkClaimPolicy(request)
  checkAnswerFormat(request)
  const kept: Partial<Continued> =
    run === undefined ? {} : await (await import('./continue-run.ts')).continuedFrom(parts, run)
  const { depth = kept.depth ?? 'standard' } = asked
  checkDepth({ ...asked, depth })
  const web = chooseWeb(parts, { ...kept, asked: asked.web }, grants)
  const given = Object.entries(asked).filter(([, value]) => value !== undefined)
  return {
    claims: 'mark',
    sequential: false,
    ...kept,
    ...(Object.fromEntries(given) as typeof asked),
    depth,
    ...(web === undefined ? {} : { web }),
    files,
    ...(sourcesRoot === undefined ? {} : { filesWithin: resolve(parts.folder, sourcesRoot) }),
    ...chooseTools(parts, request),
  }
}

/**
 * What a question's team may use in addition to the library and the web, as configured now.
 * @throws `invalid_configuration` for something requested but missing, `invalid_input` for an unknown server
 */
export function chooseTools(
  { python, mcp }: Pick<AppParts, 'python' | 'mcp'>,
  request: Pick<AskRequest, 'python' | 'mcp' | 'tools'>,
): Pick<AskInput, 'pictures' | 'python' | 'mcp'> {
  const { tools = [] } = request
  requireReading(tools, 'a question')
  const servers = [...mcp.namesFor(request.mcp), ...(tools.length === 0 ? [] : [ownToolsServer])]
  return {
    pictures: true,
    python: python.isOffered(request.python),
    ...(servers.length === 0 ? {} : { mcp: servers }),
  }
}
