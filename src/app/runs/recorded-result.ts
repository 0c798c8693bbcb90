import type { JsonObject } from '../../kernel/json.ts'
import type { RunEvent } from '../../kernel/run/event.ts'
import { resultSoFar } from '../../kernel/run/state-at.ts'
import type { AppParts } from '../app-parts.ts'
import { presentResult, type RunResult } from './run-result.ts'

/** What a run that has ended came to, or so far a session that waits; `undefined` for another one that has not ended. */
export async function recordedResult(
  parts: AppParts,
  runId: string,
): Promise<RunResult | undefined> {
  let finished: RunEvent | undefined
  for await (const event of parts.store.events(runId, { types: ['run.finished', 'run.resumed'] })) {
    finished = event.type === 'run.finished' ? event : undefined
  }
  if (finished !== undefined) return presentResult(parts, runId, finished.output as JsonObject)
  const bound = await parts.workflows.bind(runId)
  const soFar = await resultSoFar(await bound.workflow(), parts.store, runId)
  return soFar === undefined ? undefined : presentResult(parts, runId, soFar)
}
