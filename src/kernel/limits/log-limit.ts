import type { StepScope } from '../step/step-scope.ts'
import { limitReached } from './limit-reached.ts'
import type { Limits } from './limits.ts'

/** Default limit on the size of a run's log in bytes: over a hundred times what a question or 20 papers record. */
export const defaultMaxLogBytes = 256_000_000

/** A megabyte, as settings and messages count. */
export const bytesPerMb = 1_000_000

/** Maximum size of a run's log in bytes. */
export function resolveMaxLogBytes({ maxLogBytes = defaultMaxLogBytes }: Limits): number {
  return maxLogBytes
}

/**
 * Rejects when the run's log has reached its maximum size. Called before work begins, never when it ends: what was done, and
 * perhaps paid for, is always recorded in full.
 * @throws `limit_reached`
 */
export async function checkLogSize({
  services: { journal, budget },
}: Pick<StepScope, 'services'>): Promise<void> {
  const allowed = resolveMaxLogBytes(budget.ofRun.limits)
  const used = await journal.sizeBytes()
  if (used < allowed) return
  const nothingLeft = { steps: 0, tokens: 0, costUsd: 0 }
  throw limitReached('maxLogBytes', nothingLeft, nothingLeft, '', {
    allowed,
    used,
    held: 0,
    kept: {},
  })
}
