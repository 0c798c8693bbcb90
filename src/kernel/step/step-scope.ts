import type { ScholiumError } from '../errors.ts'
import type { Json } from '../json.ts'
import type { Budget } from '../limits/limits.ts'
import type { Clock } from '../run/clock.ts'
import type { LimitReached, StepFacts } from '../run/event.ts'
import type { Boundary, Journal } from '../run/journal.ts'

/** A step's usage according to the log. */
export type StepUse = Pick<StepFacts, 'usage' | 'isEmbedding'>

/** What a step had used when a limit stopped it. */
export type LimitUse = Omit<LimitReached, 'failure'>

/** What a step needs from the context in which it runs; implemented by `RunContext`. */
export interface StepScope {
  readonly services: {
    readonly journal: Journal
    readonly budget: Budget
    readonly clock: Clock
    /** Receives each step's logged usage. */
    readonly count?: (facts: StepUse) => void
  }
  /** Aborted when the run, or the part to which the step belongs, is cancelled. */
  readonly signal: AbortSignal
  /** Aborted when a person wants the answer so far; absent where the work that is left may end. */
  readonly finish: AbortSignal | undefined
  /** The set-aside part of the budget that its reservations may use. */
  readonly share: string | undefined
  /** Whether only recorded results count: nothing may run. */
  readonly isReplay: boolean
  /** The recorded decision to stop the part to which the step belongs. */
  readonly stop: Boundary | undefined
  /** The full key for a name in this context. */
  key(name: string): string
  /** Moves the branch's time forward, to milliseconds since 1970. */
  advanceTime(timeMs: number): void
  /** Rejects when the run was cancelled, or its limit on time or log size is reached. */
  throwIfStopped(): Promise<void>
  /** Records that a limit stopped the step at `key`, with its usage so far. */
  recordLimit(key: string, error: ScholiumError, used?: LimitUse): Promise<void>
  /** How long the run, or its part at `path`, may still work, in milliseconds; `undefined` without a limit. */
  remainingWall(): { readonly ms: number; readonly path: string } | undefined
  /** The error for a run that a person ended early, or that has reached its time limit, as its part at `part` may have. */
  wallLimit(part: string): ScholiumError
  /** In a replay, throws again what a recorded limit threw at `key`. */
  throwIfLimitRecorded(key: string): void
  /** The value with every known secret replaced. */
  redact<T extends Json>(value: T): T
}
