import { ScholiumError } from '../../kernel/errors.ts'
import type { RunStatus } from '../../kernel/run/event.ts'
import type { RunRecord, RunStore } from '../../kernel/run/run-store.ts'
import type { AppParts } from '../app-parts.ts'
import { findRunId } from './run-id.ts'

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

/** Which runs to remove. */
export interface CleanupRequest {
  /** Runs that ended before this are removed, in milliseconds since 1970. */
  readonly endedBeforeMs: number
  /** How many of the newest ended runs are kept regardless of age. Default 0. */
  readonly keep?: number
  /** Whether to only report what would be removed. Default false. */
  readonly isDryRun?: boolean
}

/** The outcome of a clean-up. */
export interface Cleanup {
  readonly removed: readonly RunRecord[]
  /** Old runs that were kept, and why. */
  readonly spared: readonly { readonly run: RunRecord; readonly reason: string }[]
  readonly isDryRun: boolean
}

const ended: readonly RunStatus[] = ['answered', 'partial', 'unanswered', 'failed']

/** Removes old runs with everything they recorded, except runs that can be resumed or that a kept fork needs. */
export async function cleanUpRuns(store: RunStore, request: CleanupRequest): Promise<Cleanup> {
  const { endedBeforeMs, keep = 0, isDryRun = false } = request
  const runs = await store.list()
  const over = runs.filter(({ status }) => ended.includes(status))
  const old = new Set(over.slice(keep).filter(({ updatedAt }) => updatedAt < endedBeforeMs))
  const kept = runs.filter((run) => !old.has(run))
  const needed = findAncestors(kept, runs)
  const removed: RunRecord[] = []
  const spared: { run: RunRecord; reason: string }[] = []
  // A fork is younger than what it left, so it goes first.
  for (const run of old) {
    const fork = needed.get(run.runId)
    if (fork !== undefined) spared.push({ run, reason: `its fork ${fork} is kept` })
    else if (isDryRun || (await remove(store, run, spared))) removed.push(run)
  }
  return { removed, spared, isDryRun }
}

/** The runs that others were forked from, with one that needs each. */
function findAncestors(
  kept: readonly RunRecord[],
  runs: readonly RunRecord[],
): ReadonlyMap<string, string> {
  const parents = new Map(runs.map(({ runId, parent }) => [runId, parent?.runId]))
  const needed = new Map<string, string>()
  for (const { runId } of kept) {
    let at = runId
    for (let parent = parents.get(at); parent !== undefined; parent = parents.get(at)) {
      needed.set(parent, at)
      at = parent
    }
  }
  return needed
}

/** A run that was resumed or forked in the meantime is kept. */
async function remove(
  store: RunStore,
  run: RunRecord,
  spared: { run: RunRecord; reason: string }[],
): Promise<boolean> {
  try {
    await store.remove(run.runId)
    return true
  } catch (error) {
    const code = error instanceof ScholiumError ? error.code : undefined
    if (code === 'run_not_found') return false
    if (code !== 'run_busy') throw error
    spared.push({ run, reason: (error as Error).message })
    return false
  }
}
