import type { RunContext } from '../../kernel/run-context.ts'
import { setAsideFinal } from '../final-share.ts'
import type { PapersClaimPolicy } from './state.ts'

/** The part of the budget that only the synthesizer and the verifier of its points may use. */
export const finalShare = 'synthesizer'

/** Those of some papers' findings. */
const promptTokens = 24_000

/** Keeps back what the synthesis and its check need. */
export function setAsideFinalShare(context: RunContext, claims: PapersClaimPolicy): void {
  setAsideFinal(context, { writer: finalShare, promptTokens, isChecked: claims !== 'off' })
}
