import { ScholiumError, toFailure } from '../kernel/errors.ts'
import type { RunRecord } from '../kernel/run/run-store.ts'
import type { RunSite } from './run-site.ts'
import { labelsOf, type Principal, requestedBy } from './tokens.ts'

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
