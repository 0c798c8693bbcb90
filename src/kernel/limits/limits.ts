import { AsyncLocalStorage } from 'node:async_hooks'
import { ScholiumError } from '../errors.ts'
import type { Usage } from '../run/event.ts'
import {
  type LimitBalance,
  type LimitName,
  limitReached,
  type Remaining,
  type Reservation,
} from './limit-reached.ts'
import { extendReservation, type FittedReservation, shrinkReservation } from './output-range.ts'
import { nextSettlement, ReservationHolder } from './reservation-holder.ts'

/**
 *
 * @throws `invalid_input` for a limit that is not a number of at least 0
 */
export function checkLimits(limits: Limits): void {
  for (const [name, value] of Object.entries(limits)) {
    if (value === undefined || (typeof value === 'number' && value >= 0)) continue
    throw new ScholiumError(
      'invalid_input',
      `${name} must be a number of at least 0, not ${value}.`,
    )
  }
}

/** What a run, or a part of one, may use. Absent limits do not apply. */
export interface Limits {
  /** Model and tool calls. */
  readonly maxSteps?: number
  /** Input and output tokens together. */
  readonly maxTokens?: number
  readonly maxCostUsd?: number
  /** Working time, without pauses between sessions. */
  readonly maxWallMs?: number
  /** Size of the whole run's log: see `resolveMaxLogBytes`. */
  readonly maxLogBytes?: number
}

/** A granted reservation; must be settled exactly once, with the real usage. */
export interface Grant {
  readonly reservation: Reservation
  /** Maximum length of the reserved answer in tokens; absent if no limit applies. */
  readonly outputTokens?: number
  settle(used: Usage): void
}

/** The usage of one attempt at a step, as logged. */
export interface Spent {
  readonly key: string
  readonly steps: number
  readonly usage: Usage
}

/** A reservation that has not been settled. */
interface OpenGrant {
  readonly amount: Amount
  readonly holder: ReservationHolder
}

/** What the accounts of a run share. */
interface Book {
  readonly waiting: Set<() => void>
  readonly past: Spent[]
  readonly parts: Map<string, Budget>
  /** The attempt whose function is running. */
  readonly inside: AsyncLocalStorage<ReservationHolder>
}

/**
 * The account of a run, or of a part with its own limits. Attempts reserve an upper bound before they start and settle
 * afterwards, so that parallel branches cannot exceed a limit together. Reservations and usage of a part also count in the
 * account that contains it.
 */
export class Budget {
  readonly limits: Limits
  /** When its work started, by the clock: minus the work of earlier executions, plus excluded pauses. */
  startedAtMs: number
  /** The path of the part; empty for the run. */
  readonly path: string
  private readonly around: Budget | undefined
  private readonly book: Book
  private readonly spent: Amount = { steps: 0, tokens: 0, costUsd: 0 }
  private readonly open = new Set<OpenGrant>()
  private readonly shares = new Map<string, Amount>()

  constructor(limits: Limits, startedAtMs = 0, part?: { around: Budget; path: string }) {
    this.limits = limits
    this.startedAtMs = startedAtMs
    this.path = part?.path ?? ''
    this.around = part?.around
    this.book = part?.around.book ?? {
      waiting: new Set(),
      past: [],
      parts: new Map(),
      inside: new AsyncLocalStorage(),
    }
  }

  /** The account of the whole run. */
  get ofRun(): Budget {
    return this.around?.ofRun ?? this
  }

  /** The account of the part at `path`, one per path, with the usage that the log records for it. */
  part(path: string, limits: Limits, startedAtMs: number): Budget {
    const known = this.book.parts.get(path)
    if (known !== undefined) return known
    const part = new Budget(limits, startedAtMs, { around: this, path })
    this.book.parts.set(path, part)
    for (const { key, steps, usage } of this.book.past)
      if (key.startsWith(`${path}/`)) part.addSpent(steps, usage)
    return part
  }

  /** Counts usage recorded in a log. */
  recordSpent(spent: Spent): void {
    this.addSpent(spent.steps, spent.usage)
    this.book.past.push(spent)
  }

  /** Excludes a pause from the time limits of the run and its parts. */
  leaveOut(pauseMs: number): void {
    for (const account of [this.ofRun, ...this.book.parts.values()]) account.startedAtMs += pauseMs
  }

  /** Counts usage without a grant, or beyond the settled amount. */
  charge(used: Usage): void {
    for (let account: Budget | undefined = this; account; account = account.around)
      account.addSpent(0, used)
  }

  /** Sets an amount aside for one purpose: only reservations that name it may use it. */
  setAside(share: string, amount: Reservation): void {
    this.shares.set(share, toAmount(amount))
  }

  /** Whether steps, tokens or dollars are limited here. */
  get isBounded(): boolean {
    const { maxSteps, maxTokens, maxCostUsd } = this.limits
    const isOwn = maxSteps !== undefined || maxTokens !== undefined || maxCostUsd !== undefined
    return isOwn || this.around?.isBounded === true
  }

  /** A new holder of reservations, inside the attempt whose function is running. */
  newHolder(): ReservationHolder {
    return new ReservationHolder(this.book.inside.getStore())
  }

  /** Runs the function of an attempt; reservations inside it belong to the attempt. */
  runInside<T>(holder: ReservationHolder, run: () => T): T {
    return this.isBounded ? this.book.inside.run(holder, run) : run()
  }

  /**
   * Grants a reservation, waiting while others hold what it needs and may release it. A long answer gets its part of the
   * remaining budget; if nobody can release anything, the answer may be shorter than usual.
   * @throws `limit_reached` if nobody can release what is missing; `cancelled` if the signal is aborted while it waits
   */
  async reserve(
    reservation: Reservation,
    options: {
      readonly share?: string | undefined
      readonly signal?: AbortSignal
      readonly holder?: ReservationHolder
    } = {},
  ): Promise<Grant> {
    const { share, signal, holder = this.newHolder() } = options
    for (;;) {
      const short = this.shortOf(reservation, share)
      if (short.length === 0)
        return this.grant(extendReservation(reservation, this.leastRemaining(share)), holder)
      holder.startWaiting()
      const final = short.find(({ account }) => !account.mayBeFreed())
      if (final !== undefined) {
        holder.stopWaiting()
        const shorter = shrinkReservation(reservation, this.leastRemaining(share))
        if (shorter !== undefined && this.shortOf(shorter.reservation, share).length === 0)
          return this.grant(shorter, holder)
        const { account, limit } = final
        const standing = account.standing(limit, share)
        throw limitReached(limit, reservation, account.remaining(share), account.path, standing)
      }
      await nextSettlement(this.book.waiting, holder, signal)
    }
  }

  /** What remains for a purpose: its own share, and everything that is not set aside for others. */
  remaining(share?: string): Remaining {
    const { maxSteps = Infinity, maxTokens = Infinity, maxCostUsd = Infinity } = this.limits
    const taken = { ...this.spent }
    // Added up each time: a running total with subtractions would accumulate rounding errors.
    for (const { amount } of this.open) add(taken, amount)
    for (const [name, amount] of this.shares) if (name !== share) add(taken, amount)
    return {
      steps: maxSteps - taken.steps,
      tokens: maxTokens - taken.tokens,
      costUsd: maxCostUsd - taken.costUsd,
    }
  }

  /** Total allowed time of the account at this path; `undefined` without a time limit, or without an account. */
  allowedWallMs(path: string): number | undefined {
    return this.path === path ? this.limits.maxWallMs : this.around?.allowedWallMs(path)
  }

  /** Remaining working time, and the path whose limit it is; `undefined` without a time limit. */
  remainingWall(nowMs: number): { readonly ms: number; readonly path: string } | undefined {
    const around = this.around?.remainingWall(nowMs)
    const { maxWallMs } = this.limits
    if (maxWallMs === undefined) return around
    const own = { ms: maxWallMs - (nowMs - this.startedAtMs), path: this.path }
    return around === undefined || own.ms < around.ms ? own : around
  }

  /** By how much limits were exceeded, which happens if a service counts more than a call's upper bound. */
  overshoot(): Partial<Record<LimitName, number>> {
    const { maxTokens = Infinity, maxCostUsd = Infinity } = this.limits
    const over = (used: number, limit: number) => (used > limit * (1 + 1e-9) ? used - limit : 0)
    const tokens = over(this.spent.tokens, maxTokens)
    const costUsd = over(this.spent.costUsd, maxCostUsd)
    return {
      ...(tokens > 0 ? { maxTokens: tokens } : {}),
      ...(costUsd > 0 ? { maxCostUsd: costUsd } : {}),
    }
  }

  /** The balance of this account for a limit. */
  private standing(limit: keyof typeof limitUnits, share: string | undefined): LimitBalance {
    const unit = limitUnits[limit]
    const kept = [...this.shares].filter(([name, amount]) => name !== share && amount[unit] > 0)
    return {
      allowed: this.limits[limit] ?? 0,
      used: this.spent[unit],
      held: [...this.open].reduce((sum, { amount }) => sum + amount[unit], 0),
      kept: Object.fromEntries(kept.map(([name, amount]) => [name, amount[unit]])),
    }
  }

  private shortOf(
    reservation: Reservation,
    share: string | undefined,
  ): { account: Budget; limit: keyof typeof limitUnits }[] {
    const outer = this.around?.shortOf(reservation, share) ?? []
    const limit = this.limitShortOf(reservation, share)
    return limit === undefined ? outer : [{ account: this, limit }, ...outer]
  }

  private limitShortOf(
    reservation: Reservation,
    share: string | undefined,
  ): keyof typeof limitUnits | undefined {
    const left = this.remaining(share)
    if (reservation.steps > left.steps) return 'maxSteps'
    if (reservation.tokens > left.tokens) return 'maxTokens'
    // An unknown price is refused at the start, unless a token limit takes the place of the dollar limit.
    if (reservation.costUsd !== null && reservation.costUsd > left.costUsd) return 'maxCostUsd'
    return undefined
  }

  /** Whether anyone holds a reservation here without waiting for another. */
  private mayBeFreed(): boolean {
    for (const { holder } of this.open) if (!holder.isWaiting) return true
    return false
  }

  /** What remains for a purpose here and in the containing accounts: the minimum of each. */
  private leastRemaining(share: string | undefined): Remaining {
    const own = this.remaining(share)
    const around = this.around?.leastRemaining(share) ?? own
    return {
      steps: Math.min(own.steps, around.steps),
      tokens: Math.min(own.tokens, around.tokens),
      costUsd: Math.min(own.costUsd, around.costUsd),
    }
  }

  private grant(fitted: FittedReservation, holder: ReservationHolder): Grant {
    const open = { amount: toAmount(fitted.reservation), holder }
    for (let account: Budget | undefined = this; account; account = account.around)
      account.open.add(open)
    return { ...fitted, settle: (used) => this.settle(open, used) }
  }

  private settle(open: OpenGrant, used: Usage): void {
    if (!this.open.has(open)) return
    for (let account: Budget | undefined = this; account; account = account.around) {
      account.open.delete(open)
      account.addSpent(open.amount.steps, used)
    }
    for (const wake of [...this.book.waiting]) wake()
  }

  private addSpent(steps: number, { inputTokens, outputTokens, costUsd }: Usage): void {
    add(this.spent, { steps, tokens: inputTokens + outputTokens, costUsd: costUsd ?? 0 })
  }
}

/** An amount counted against limits. An unknown price counts as zero dollars. */
interface Amount {
  steps: number
  tokens: number
  costUsd: number
}

/** The unit that each limit counts. */
const limitUnits = { maxSteps: 'steps', maxTokens: 'tokens', maxCostUsd: 'costUsd' } as const

/** A reservation as an amount. */
function toAmount({ steps, tokens, costUsd }: Reservation): Amount {
  return { steps, tokens, costUsd: costUsd ?? 0 }
}

/** Adds an amount to a total. */
function add(total: Amount, amount: Amount): void {
  total.steps += amount.steps
  total.tokens += amount.tokens
  total.costUsd += amount.costUsd
}
