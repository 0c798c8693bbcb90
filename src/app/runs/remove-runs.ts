import type { AppParts } from '../app-parts.ts'
import { findRunId } from './run-id.ts'
import { type Cleanup, type CleanupRequest, cleanUpRuns } from './trace-cleanup.ts'

/** @see App.removeRun */
export async function removeRun(parts: AppParts, run: string): Promise<string> {
  const runId = await findRunId(parts.store, run)
  await parts.store.remove(runId)
  await parts.workflows.forget([runId])
  return runId
}

/** @see App.cleanUpRuns */
export async function removeOldRuns(parts: AppParts, request: CleanupRequest): Promise<Cleanup> {
  const cleanup = await cleanUpRuns(parts.store, request)
  if (!cleanup.isDryRun) await parts.workflows.forget(cleanup.removed.map(({ runId }) => runId))
  return cleanup
}
