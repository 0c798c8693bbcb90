import { ScholiumError, toFailure } from '../kernel/errors.ts'
import type { RunRecord } from '../kernel/run/run-store.ts'
import type { RunSite } from './run-site.ts'
import { labelsOf, type Principal, requestedBy } from './tokens.ts'

/**
 * Interrupts a run that is executed here or waits for its turn. One that is not executed stays as it is.
 * @throws `run_busy` for a run that another process executes
 */
export async function interruptRun(
  site: Pick<RunSite, 'app' | 'resuming' | 'running'>,
  runId: string,
  by: Principal,
): Promise<void> {
  if (await site.running.cancel(runId, requestedBy(by))) return
  checkElsewhere(await site.app.showRun(runId))
  if (site.running.placeInQueue(runId) !== undefined) await recordInterruption(site, { runId }, by)
}

/** Records that a run which nobody executes was interrupted, so that no server continues it by itself. */
export async function recordInterruption(
  { resuming, running }: Pick<RunSite, 'resuming' | 'running'>,
  { runId }: Pick<RunRecord, 'runId'>,
  by: Principal,
): Promise<void> {
  running.leaveQueue(runId)
  const signal = AbortSignal.abort(requestedBy(by))
  await resuming.resume(runId, { signal, ...labelsOf(by) }).catch((error: unknown) => {
    if (toFailure(error).code !== 'cancelled') throw error
  })
}

/** @throws `run_busy` for a run that another process executes */
export function checkElsewhere({ runId, status }: RunRecord): void {
  if (status !== 'running') return
  throw new ScholiumError('run_busy', `Run ${runId} is executed by another process.`, {
    hint: 'Interrupt it there.',
  })
}
