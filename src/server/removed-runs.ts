import { withRecord } from './home-record.ts'
import type { RunSite } from './run-site.ts'
import type { Principal } from './tokens.ts'

/**
 * Deletes a run, and records in the home who did: a line of JSON in `removed-runs.jsonl`, without anything of the run but its id.
 * @throws `run_not_found`, `run_busy`
 */
export async function removeRun(
  { app, running }: Pick<RunSite, 'app' | 'running'>,
  runId: string,
  { name }: Principal,
): Promise<void> {
  // A run is not deleted if that cannot be recorded.
  await withRecord(app.home.path, 'removed-runs.jsonl', async () => {
    await app.removeRun(runId)
    running.leaveQueue(runId)
    return [{ runId, removedBy: name, removedAt: Date.now() }]
  })
}
