import type { ModelRole } from '../kernel/model/model.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { type CallShare, setAsideFinal, shareOfCall } from '../team/final-share.ts'
import type { ClaimPolicy } from './result.ts'

/** The part of the budget that only the finalizer and the verifier may use. */
export const finalShare = 'finalizer'

const promptTokens = 8_000

/** Keeps back what the finalizer and the verifier need. */
export function setAsideFinalShare(context: RunContext, claims: ClaimPolicy): void {
  setAsideFinal(context, { writer: finalShare, promptTokens, isChecked: claims !== 'off' })
}

/** What one call of a role may use. */
export function callOf(context: RunContext, role: ModelRole): CallShare {
  return shareOfCall(context, role, promptTokens)
}
