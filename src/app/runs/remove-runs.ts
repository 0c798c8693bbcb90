import type { AppParts } from '../app-parts.ts'
import { findRunId } from './run-id.ts'
import { type Cleanup, type CleanupRequest, cleanUpRuns } from './trace-cleanup.ts'

/** @see App.removeRun */
export async function removeRun(parts: AppParts, run: string): Promise<string> {
  const runId = await findRunId(parts.store, run)
  await parts.store.remove(runId)
  await forgetQueries(parts, [runId])
  return runId
}

/** @see App.cleanUpRuns */
export async function removeOldRuns(parts: AppParts, request: CleanupRequest): Promise<Cleanup> {
  const cleanup = await cleanUpRuns(parts.store, request)
  if (!cleanup.isDryRun)
    await forgetQueries(
      parts,
      cleanup.removed.map(({ runId }) => runId),
    )
  return cleanup
}

/** What beside the log is kept of runs goes with them. */
async function forgetQueries(parts: AppParts, runIds: readonly string[]): Promise<void> {
  const { queryVectorsOf } = await import('../papers/query-vectors.ts')
  await queryVectorsOf(parts.home.path).remove(runIds)
}
