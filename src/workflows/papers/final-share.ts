import type { ModelRole } from '../../kernel/model.ts'
import { costOf } from '../../kernel/model-content.ts'
import type { RunContext } from '../../kernel/run-context.ts'
import type { PapersClaimPolicy } from './state.ts'

/** The part of the budget that only the synthesizer and the verifier of its points may use. */
export const finalShare = 'synthesizer'

/** A prompt's bytes are what is reserved: those of some papers' findings. */
const promptTokens = 24_000
/** One call of each, or the synthesizer's second one where its first answer had no form. */
const finalSteps = 2

interface Share {
  readonly tokens: number
  readonly costUsd: number
}

/**
 * Keeps back what the synthesis and its check need, so that a run at its limit can still be brought to one. A limit that is less
 * than twice that keeps back what the synthesis needs, and one that is less than twice that nothing: code then puts it together.
 */
export function setAsideFinalShare(context: RunContext, claims: PapersClaimPolicy): void {
  const { budget } = context.services
  const { maxSteps, maxTokens, maxCostUsd } = budget.limits
  const writing = callOf(context, 'synthesizer')
  const checking = claims === 'off' ? { tokens: 0, costUsd: 0 } : callOf(context, 'verifier')
  const amount = (unit: keyof Share, limit: number | undefined) =>
    affordable(writing[unit] + checking[unit], limit) || affordable(writing[unit], limit)
  budget.setAside(finalShare, {
    steps: affordable(finalSteps, maxSteps),
    tokens: amount('tokens', maxTokens),
    costUsd: amount('costUsd', maxCostUsd),
  })
}

function callOf(context: RunContext, role: ModelRole): Share {
  const { effect, price, maxOutputTokens } = context.services.models.forRole(role)
  return {
    tokens: effect === 'pure' ? 0 : promptTokens + maxOutputTokens,
    costUsd: costOf(promptTokens, maxOutputTokens, price) ?? 0,
  }
}

function affordable(amount: number, limit: number | undefined): number {
  return limit === undefined || amount * 2 > limit ? 0 : amount
}
