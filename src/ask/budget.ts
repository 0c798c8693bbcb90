import type { ModelRole } from '../kernel/model/model.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { type CallShare, estimateModelCall, reserveFinalShare } from '../team/final-share.ts'
import type { ClaimPolicy } from './result.ts'

/** The part of the budget that only the finalizer and the verifier may use. */
export const finalShare = 'finalizer'

const promptTokens = 8_000

/** Reserves what the finalizer and the verifier need. */
export function reserveFinalBudget(context: RunContext, claims: ClaimPolicy): void {
  reserveFinalShare(context, { writer: finalShare, promptTokens, isChecked: claims !== 'off' })
}

/** What one call of a role may use. */
function estimateCall(context: RunContext, role: ModelRole): CallShare {
  return estimateModelCall(context, role, promptTokens)
}

/** Model and tool calls of a research step: twice those of a researcher who searches once, and of the critic. */
const callsPerStep = 8
/** Model calls among them, of either. */
const modelCallsPerStep = { researcher: 4, critic: 2 } as const

/**
 * Lets research steps start in parallel only while the rest of the run's limits would suffice for all of them, so that
 * a limit ends the last steps instead of all of them half-done. A single step may always start. The log does not depend
 * on when a step starts.
 */
export class BudgetGate {
  private readonly context: RunContext
  private readonly waiting: (() => void)[] = []
  private running = 0

  constructor(context: RunContext) {
    this.context = context
  }

  /** Does the work when there is room for it, first come, first served. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.waiting.length === 0 && this.hasCapacity()) this.running++
    else await new Promise<void>((begin) => this.waiting.push(begin))
    try {
      return await work()
    } finally {
      this.running--
      while (this.waiting.length > 0 && this.hasCapacity()) {
        this.running++
        this.waiting.shift()?.()
      }
    }
  }

  private hasCapacity(): boolean {
    return this.running === 0 || fitsBudget(this.context, this.running + 1)
  }
}

/** Whether what is left is enough for this number of research steps. */
function fitsBudget(context: RunContext, count: number): boolean {
  const { budget } = context.services
  const amount = (unit: 'tokens' | 'costUsd') =>
    modelCallsPerStep.researcher * estimateCall(context, 'researcher')[unit] +
    modelCallsPerStep.critic * estimateCall(context, 'critic')[unit]
  return [budget, budget.ofRun].every((account) => {
    const left = account.remaining()
    return (
      left.steps >= count * callsPerStep &&
      left.tokens >= count * amount('tokens') &&
      left.costUsd >= count * amount('costUsd')
    )
  })
}
