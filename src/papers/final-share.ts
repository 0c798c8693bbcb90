import { outputShare } from '../kernel/limits/output-cap.ts'
import { costOf } from '../kernel/model/model-content.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { reserveFinalShare } from '../team/final-share.ts'
import type { PapersClaimPolicy } from './state.ts'

/** The part of the budget that only the synthesizer and the verifier of its points may use. */
export const finalShare = 'synthesizer'

/** Those of some papers' findings; what the synthesizer is shown beside follows what is left then. */
const promptTokens = 24_000
/** What a call of the synthesizer takes beside the papers, in bytes: its instructions, the form of its answer, the question. */
const besideBytes = 12_000

/** Keeps back what the synthesis and its check need. */
export function setAsideFinalShare(context: RunContext, claims: PapersClaimPolicy): void {
  reserveFinalShare(context, { writer: finalShare, promptTokens, isChecked: claims !== 'off' })
}

/** How many bytes of papers the synthesizer can be shown with what its limits leave it, recorded; `most` where nothing binds. */
export async function roomForPapers(context: RunContext, most: number): Promise<number> {
  const { bytes } = await context.step('room', 'pure', { most }, async () => ({
    bytes: Math.floor(Math.max(0, Math.min(most, promptRoom(context) - besideBytes))),
  }))
  return bytes
}

/** A prompt is reserved with a token for each of its bytes. */
function promptRoom(context: RunContext): number {
  const { models, budget } = context.services
  const synthesizer = models.forRole('synthesizer')
  if (synthesizer.effect === 'pure') return Infinity
  const { price } = synthesizer
  const outputTokens = outputShare(synthesizer)
  const { tokens, costUsd } = budget.remaining(finalShare)
  const dearest = costOf(1_000_000, 0, price) ?? 0
  const written = costOf(0, outputTokens, price) ?? 0
  const affordable = dearest === 0 ? Infinity : ((costUsd - written) / dearest) * 1_000_000
  return Math.min(tokens - outputTokens, affordable)
}
