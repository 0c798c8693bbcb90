import { outputShare } from '../kernel/limits/output-cap.ts'
import type { ModelRole } from '../kernel/model/model.ts'
import { computeCostUsd } from '../kernel/model/model-content.ts'
import type { RunContext } from '../kernel/run/run-context.ts'

/** One call of the writer and one of the verifier, or a second one of the writer if its first answer was malformed. */
const finalSteps = 2

/** What one call of a role may use. `costUsd` is 0 if the price is unknown. */
export interface CallShare {
  readonly tokens: number
  readonly costUsd: number
}

/** What the final part of the budget is reserved for. */
export interface FinalShare {
  /** The role that writes the result; the reserved share has its name. */
  readonly writer: ModelRole
  /** Tokens to reserve for each prompt. */
  readonly promptTokens: number
  /** Whether the verifier checks the result. */
  readonly isChecked: boolean
}

/**
 * Reserves what the writer and the verifier need, so that a run at its limit can still produce a checked result. If that is more
 * than half of a limit, only the writer's part is reserved; if that is too, nothing is: code then assembles and checks the
 * result alone.
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

/** What one call of a role may use with a prompt of `promptTokens` tokens. */
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
