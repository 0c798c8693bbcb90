import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { App } from '../app.ts'
import type { Principal } from './tokens.ts'

/**
 * Deletes a run, and records in the home who did: a line of JSON in `removed-runs.jsonl`, without anything of the run but its id.
 * @throws `run_not_found`, `run_busy`
 */
export async function removeRun(app: App, runId: string, { name }: Principal): Promise<void> {
  // A run is not deleted if that cannot be recorded.
  const log = await open(join(app.home.path, 'removed-runs.jsonl'), 'a', 0o600)
  try {
    await app.removeRun(runId)
    const line = JSON.stringify({ runId, removedBy: name, removedAt: Date.now() })
    await log.appendFile(`${line}\n`)
    await log.sync()
  } finally {
    await log.close()
  }
}
