import { assumedWindowTokens, outputShare } from '../kernel/limits/output-cap.ts'
import type { ModelBinding } from '../kernel/model/model.ts'
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

/** Instructions, answer format and question, in tokens of a context window. */
const instructionTokens = 3_000
/** Other models count up to a third more tokens in a text than `cl100k_base`, with which papers are counted. */
const windowShare = 0.75
/** Maximum tokens of a paper in the analyzer's prompt, whatever its model can take: about 60 pages. */
const maxPaperTokens = 40_000
/** Bytes per token of text, at most; a budget reserves one token per byte. */
const bytesPerToken = 4
/** An analysis and the check of its findings may together use this many times what its prompt has. */
const usesPerPaper = 3

/** How many tokens fit into a role's prompt in addition to its instructions. */
function windowRoomTokens(model: ModelBinding): number {
  const { windowTokens = assumedWindowTokens } = model.sizes ?? {}
  return Math.max(0, windowShare * (windowTokens - outputShare(model) - instructionTokens))
}

/**
 * How many tokens of each of `papers` papers the analyzer can be shown, within its model's context window and the run's limits,
 * as a step. 0 for the built-in engine, which is shown the passages that searches find.
 */
export async function measureAnalysisRoom(context: RunContext, papers: number): Promise<number> {
  const { tokens } = await context.step('room', 'pure', { papers }, async () => {
    const analyzer = context.services.models.forRole('analyzer')
    if (analyzer.effect === 'pure') return { tokens: 0 }
    const affordable = availablePromptTokens(context, analyzer) / (papers * usesPerPaper)
    const room = Math.min(maxPaperTokens, windowRoomTokens(analyzer), affordable / bytesPerToken)
    return { tokens: Math.max(0, Math.floor(room)) }
  })
  return tokens
}

/**
 * How many bytes of papers fit into the synthesizer's prompt, within its model's context window and the run's limits, as a step;
 * `most` if neither binds.
 */
export async function measurePapersRoom(context: RunContext, most: number): Promise<number> {
  const { bytes } = await context.step('room', 'pure', { most }, async () => {
    const synthesizer = context.services.models.forRole('synthesizer')
    if (synthesizer.effect === 'pure') return { bytes: most }
    const affordable = availablePromptTokens(context, synthesizer, finalShare) - instructionBytes
    const room = Math.min(most, affordable, windowRoomTokens(synthesizer) * bytesPerToken)
    return { bytes: Math.max(0, Math.floor(room)) }
  })
  return bytes
}

/** A prompt is reserved at one token per byte. */
function availablePromptTokens(context: RunContext, model: ModelBinding, share?: string): number {
  const { price } = model
  const outputTokens = outputShare(model)
  const { tokens, costUsd } = context.services.budget.remaining(share)
  const dearest = computeCostUsd(1_000_000, 0, price) ?? 0
  const written = computeCostUsd(0, outputTokens, price) ?? 0
  const affordable = dearest === 0 ? Infinity : ((costUsd - written) / dearest) * 1_000_000
  return Math.min(tokens - outputTokens, affordable)
}
