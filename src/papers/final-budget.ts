import { outputShare } from '../kernel/limits/output-cap.ts'
import { computeCostUsd } from '../kernel/model/model-content.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { reserveFinalShare } from '../team/final-share.ts'
import type { PapersClaimPolicy } from './state.ts'

/** The share of the budget reserved for the synthesizer and the verifier of its points. */
export const finalShare = 'synthesizer'

/** Enough for the findings of a few papers; anything beyond depends on what is left by then. */
const promptTokens = 24_000
/** Size of the synthesizer's prompt without the papers, in bytes: instructions, answer format, question. */
const instructionBytes = 12_000

/** Reserves what the synthesis and its check need. */
export function reserveFinalBudget(context: RunContext, claims: PapersClaimPolicy): void {
  reserveFinalShare(context, { writer: finalShare, promptTokens, isChecked: claims !== 'off' })
}

/** How many bytes of papers fit into the synthesizer's prompt under the run's limits, as a step; `most` if no limit binds. */
export async function measurePapersRoom(context: RunContext, most: number): Promise<number> {
  const { bytes } = await context.step('room', 'pure', { most }, async () => ({
    bytes: Math.floor(
      Math.max(0, Math.min(most, availablePromptTokens(context) - instructionBytes)),
    ),
  }))
  return bytes
}

/** A prompt is reserved at one token per byte. */
function availablePromptTokens(context: RunContext): number {
  const { models, budget } = context.services
  const synthesizer = models.forRole('synthesizer')
  if (synthesizer.effect === 'pure') return Infinity
  const { price } = synthesizer
  const outputTokens = outputShare(synthesizer)
  const { tokens, costUsd } = budget.remaining(finalShare)
  const dearest = computeCostUsd(1_000_000, 0, price) ?? 0
  const written = computeCostUsd(0, outputTokens, price) ?? 0
  const affordable = dearest === 0 ? Infinity : ((costUsd - written) / dearest) * 1_000_000
  return Math.min(tokens - outputTokens, affordable)
}
