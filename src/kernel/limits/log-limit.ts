import type { StepScope } from '../step/step-scope.ts'
import { limitReached } from './limit-reached.ts'
import type { Limits } from './limits.ts'

/** How many bytes a run may record where no limit says otherwise: more than a hundred times what a question or 20 papers do. */
export const defaultMaxLogBytes = 256_000_000

/** A megabyte, as settings and messages count. */
export const bytesPerMb = 1_000_000

/** How many bytes of log a run may have. */
export function resolveMaxLogBytes({ maxLogBytes = defaultMaxLogBytes }: Limits): number {
  return maxLogBytes
}

/**
 * Rejects when the run has recorded what it may. Asked before work begins, never when it ends: what was done, and perhaps
 * paid, is recorded whole.
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
