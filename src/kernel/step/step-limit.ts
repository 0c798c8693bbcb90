import { ScholiumError, toFailure } from '../errors.ts'
import { type Reservation, toResumable } from '../limits/limit-reached.ts'
import type { Grant } from '../limits/limits.ts'
import type { ReservationHolder } from '../limits/reservation-holder.ts'
import { withDeadline } from '../run/deadline.ts'
import type { StepScope } from './step-scope.ts'

/** Adds to a limit's error the command that resumes this run with a higher limit. Other errors are returned unchanged. */
export function withResumeHint(scope: StepScope, error: unknown): unknown {
  if (!(error instanceof ScholiumError) || error.code !== 'limit_reached') return error
  const { journal, budget } = scope.services
  const { part = '' } = error.details
  return toResumable(error, journal.runId, budget.allowedWallMs(String(part)))
}

/** Runs `work` and records at `key` if a limit prevents it. @throws `limit_reached`, and what `work` throws */
export async function recordingLimit<T>(
  scope: StepScope,
  key: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    const error = withResumeHint(scope, thrown)
    if (error instanceof ScholiumError && error.code === 'limit_reached')
      await scope.recordLimit(key, error)
    throw error
  }
}

/** Reserves budget, waiting for other holders no longer than the time limit of the run or part allows. */
export async function reserveInTime(
  scope: StepScope,
  reservation: Reservation,
  holder: ReservationHolder,
): Promise<Grant> {
  const { share, signal } = scope
  const { budget } = scope.services
  const wall = scope.remainingWall()
  const reserve = (until: AbortSignal) =>
    budget.reserve(reservation, { share, signal: until, holder })
  if (wall === undefined) return reserve(signal)
  return withDeadline(signal, Math.max(0, wall.ms), reserve).catch((error: unknown) => {
    const isLate = toFailure(error).code === 'cancelled' && !signal.aborted
    throw isLate ? scope.wallLimit(wall.path) : error
  })
}
