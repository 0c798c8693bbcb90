import type { Reservation } from './limit-reached.ts'

/** What is counted against limits. An unknown price counts as no dollars. */
export interface Amount {
  steps: number
  tokens: number
  costUsd: number
}

/** What each limit counts that is reserved from. */
export const unitOf = { maxSteps: 'steps', maxTokens: 'tokens', maxCostUsd: 'costUsd' } as const

/** A reservation as an amount. */
export function amountOf({ steps, tokens, costUsd }: Reservation): Amount {
  return { steps, tokens, costUsd: costUsd ?? 0 }
}

/** Adds an amount to a total. */
export function add(total: Amount, amount: Amount): void {
  total.steps += amount.steps
  total.tokens += amount.tokens
  total.costUsd += amount.costUsd
}
