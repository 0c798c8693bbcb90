import { outputShare } from '../kernel/limits/output-cap.ts'
import type { ModelRole } from '../kernel/model/model.ts'
import { computeCostUsd } from '../kernel/model/model-content.ts'
import type { RunContext } from '../kernel/run/run-context.ts'

/** One call of the role that writes and one of the verifier, or the writer's second one where its first answer had no form. */
const finalSteps = 2

/** What one call of a role may use. `costUsd` is 0 where the price is not known. */
export interface CallShare {
  readonly tokens: number
  readonly costUsd: number
}

/** For whom a part of the budget is kept back. */
export interface FinalShare {
  /** The role that writes the result, which gives the part its name. */
  readonly writer: ModelRole
  /** A prompt's bytes are what is reserved: so many tokens a prompt. */
  readonly promptTokens: number
  /** Whether the verifier is asked about what was written. */
  readonly isChecked: boolean
}

/**
 * Keeps back what the writer and the verifier need, so that a run at its limit can still be brought to a checked result. A limit
 * that is less than twice that keeps back what the writer needs, and one that is less than twice that nothing: code then puts the
 * result together, and judges alone.
 */
export function reserveFinalShare(
  context: RunContext,
  { writer, promptTokens, isChecked }: FinalShare,
): void {
  const { budget } = context.services
  const { maxSteps, maxTokens, maxCostUsd } = budget.limits
  const writing = estimateModelCall(context, writer, promptTokens)
  const checking = isChecked
    ? estimateModelCall(context, 'verifier', promptTokens)
    : { tokens: 0, costUsd: 0 }
  const amount = (unit: keyof CallShare, limit: number | undefined) =>
    capAtHalf(writing[unit] + checking[unit], limit) || capAtHalf(writing[unit], limit)
  budget.setAside(writer, {
    steps: capAtHalf(finalSteps, maxSteps),
    tokens: amount('tokens', maxTokens),
    costUsd: amount('costUsd', maxCostUsd),
  })
}

/** What one call of a role with a prompt of so many tokens may use. */
export function estimateModelCall(
  context: RunContext,
  role: ModelRole,
  promptTokens: number,
): CallShare {
  const binding = context.services.models.forRole(role)
  const outputTokens = outputShare(binding)
  return {
    tokens: binding.effect === 'pure' ? 0 : promptTokens + outputTokens,
    costUsd: computeCostUsd(promptTokens, outputTokens, binding.price) ?? 0,
  }
}

function capAtHalf(amount: number, limit: number | undefined): number {
  return limit === undefined || amount * 2 > limit ? 0 : amount
}
