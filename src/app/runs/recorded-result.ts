import type { JsonObject } from '../../kernel/json.ts'
import type { RunEvent } from '../../kernel/run/event.ts'
import { resultSoFar } from '../../kernel/run/state-at.ts'
import type { AppParts } from '../app-parts.ts'
import type { RunResult } from './run-kind.ts'
import { workflowOf } from './workflow-of.ts'

/** What a run came to, or a session that waits by now; `undefined` for another one that has not ended. */
export async function recordedResult(
  parts: AppParts,
  runId: string,
): Promise<RunResult | undefined> {
  let finished: RunEvent | undefined
  for await (const event of parts.store.events(runId, { types: ['run.finished', 'run.resumed'] })) {
    finished = event.type === 'run.finished' ? event : undefined
  }
  const kind = await workflowOf(parts, runId)
  if (finished === undefined) {
    const soFar = await resultSoFar(await kind.workflow(), parts.store, runId)
    return soFar === undefined ? undefined : kind.present(runId, soFar)
  }
  return kind.present(runId, finished.output as JsonObject)
}
