import { ScholiumError } from './errors.ts'
import type { Usage } from './event.ts'

/** @throws `invalid_input` for a limit that is no number from 0 up */
export function checkLimits(limits: Limits): void {
  for (const [name, value] of Object.entries(limits)) {
    if (value === undefined || (typeof value === 'number' && value >= 0)) continue
    throw new ScholiumError('invalid_input', `${name} has to be a number from 0 up, not ${value}.`)
  }
}

/** What a run may use up. An absent limit does not bind. */
export interface Limits {
  /** Model and tool calls. */
  readonly maxSteps?: number
  /** Input and output tokens together. */
  readonly maxTokens?: number
  readonly maxCostUsd?: number
  /** Of work, pauses between sessions left out. */
  readonly maxWallMs?: number
}

/** An upper bound of what one attempt can use. */
export interface Reservation {
  readonly steps: number
  readonly tokens: number
  /** null: unknown; then a dollar limit does not bind it. */
  readonly costUsd: number | null
}

/** A reservation that was granted; settled exactly once with what was really used. */
export interface Grant {
  readonly reservation: Reservation
  settle(used: Usage): void
}

interface Amount {
  steps: number
  tokens: number
  costUsd: number
}

/** What is left of each bound; `Infinity` where nothing binds. */
export type Remaining = Readonly<Amount>

/**
 * The account of a run. Attempts reserve an upper bound before they are made and settle afterwards, so that no number of
 * parallel branches can together pass a limit.
 */
export class Budget {
  readonly limits: Limits
  private readonly spent: Amount = { steps: 0, tokens: 0, costUsd: 0 }
  private readonly reserved: Amount = { steps: 0, tokens: 0, costUsd: 0 }
  private readonly shares = new Map<string, Amount>()
  private waiting: (() => void)[] = []
  private openGrants = 0

  constructor(limits: Limits) {
    this.limits = limits
  }

  /** Counts what a log says was used before. */
  recordSpent(steps: number, usage: Usage): void {
    this.spent.steps += steps
    this.spent.tokens += usage.inputTokens + usage.outputTokens
    this.spent.costUsd += usage.costUsd ?? 0
  }

  /** Keeps an amount back for one purpose: only reservations that name it may use it. */
  setAside(share: string, amount: Reservation): void {
    this.shares.set(share, { ...amount, costUsd: amount.costUsd ?? 0 })
  }

  /**
   * Grants an attempt, waiting while running attempts of other branches hold what it needs.
   * @throws `limit_reached` when nobody holds a reservation and it still does not fit; `cancelled` when the signal is aborted
   *   while it waits.
   */
  async reserve(
    reservation: Reservation,
    options: { readonly share?: string | undefined; readonly signal?: AbortSignal } = {},
  ): Promise<Grant> {
    const { share, signal } = options
    for (;;) {
      const short = this.shortOf(reservation, share)
      if (short === undefined) return this.grant(reservation)
      if (this.openGrants === 0) throw limitReached(short, reservation, this.remaining(share))
      await this.nextSettlement(signal)
    }
  }

  private nextSettlement(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => reject(new ScholiumError('cancelled', 'The run was interrupted.'))
      if (signal?.aborted) return onAbort()
      signal?.addEventListener('abort', onAbort, { once: true })
      this.waiting.push(() => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      })
    })
  }

  /** What is left for a purpose: its own share and what no other share keeps back. */
  remaining(share?: string): Remaining {
    const kept = { steps: 0, tokens: 0, costUsd: 0 }
    for (const [name, amount] of this.shares) if (name !== share) add(kept, amount, 1)
    const { maxSteps = Infinity, maxTokens = Infinity, maxCostUsd = Infinity } = this.limits
    return {
      steps: maxSteps - this.spent.steps - this.reserved.steps - kept.steps,
      tokens: maxTokens - this.spent.tokens - this.reserved.tokens - kept.tokens,
      costUsd: maxCostUsd - this.spent.costUsd - this.reserved.costUsd - kept.costUsd,
    }
  }

  private shortOf(reservation: Reservation, share: string | undefined): keyof Limits | undefined {
    const left = this.remaining(share)
    if (reservation.steps > left.steps) return 'maxSteps'
    if (reservation.tokens > left.tokens) return 'maxTokens'
    // An unknown price is refused at the start, unless a token limit stands in for the dollars.
    if (reservation.costUsd !== null && reservation.costUsd > left.costUsd) return 'maxCostUsd'
    return undefined
  }

  private grant(reservation: Reservation): Grant {
    const amount = { ...reservation, costUsd: reservation.costUsd ?? 0 }
    add(this.reserved, amount, 1)
    this.openGrants++
    let isOpen = true
    return {
      reservation,
      settle: (used) => {
        if (!isOpen) return
        isOpen = false
        add(this.reserved, amount, -1)
        this.openGrants--
        this.recordSpent(reservation.steps, used)
        const woken = this.waiting
        this.waiting = []
        for (const wake of woken) wake()
      },
    }
  }
}

function add(total: Amount, amount: Amount, sign: 1 | -1): void {
  total.steps += sign * amount.steps
  total.tokens += sign * amount.tokens
  total.costUsd += sign * amount.costUsd
}

const limitNames: Record<keyof Limits, { readonly option: string; readonly unit: string }> = {
  maxSteps: { option: '--max-steps', unit: 'model and tool calls' },
  maxTokens: { option: '--max-tokens', unit: 'tokens' },
  maxCostUsd: { option: '--max-cost-usd', unit: 'dollars' },
  maxWallMs: { option: '--max-seconds', unit: 'time' },
}

/** The error that says which limit was reached. */
export function limitReached(
  limit: keyof Limits,
  reservation: Reservation,
  remaining: Remaining,
): ScholiumError {
  const { option, unit } = limitNames[limit]
  const amounts = {
    maxSteps: [reservation.steps, remaining.steps],
    maxTokens: [reservation.tokens, remaining.tokens],
    maxCostUsd: [reservation.costUsd, remaining.costUsd],
    maxWallMs: [null, 0],
  } as const
  const [asked, left] = amounts[limit]
  const need =
    asked === null ? '' : ` The next call may need ${asked}, and ${Math.max(0, left)} are left.`
  return new ScholiumError('limit_reached', `The limit on ${unit} was reached.${need}`, {
    hint: `Allow more with ${option}.`,
    details: { limit, asked, left: Number.isFinite(left) ? left : null },
  })
}
