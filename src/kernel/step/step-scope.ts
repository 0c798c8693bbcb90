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

/** What a step needs from the context in which it runs. */
export interface StepScope {
  readonly services: {
    readonly journal: Journal
    readonly budget: Budget
    readonly clock: Clock
    readonly count?: (facts: StepUse) => void
  }
  readonly signal: AbortSignal
  readonly share: string | undefined
  readonly isReplay: boolean
  /** The recorded decision to stop the part to which the step belongs. */
  readonly stop: Boundary | undefined
  /** The full key for a name in this context. */
  key(name: string): string
  /** Moves the branch's time forward, to milliseconds since 1970. */
  reach(timeMs: number): void
  /** Rejects when the run was cancelled, or its limit on time or log size is reached. */
  throwIfStopped(): Promise<void>
  recordLimit(key: string, error: ScholiumError, used?: LimitUse): Promise<void>
  /** How long the run, or its part at `path`, may still work, in milliseconds; `undefined` without a limit. */
  remainingWall(): { readonly ms: number; readonly path: string } | undefined
  /** The error for a run, or its part at `part`, that has reached its time limit. */
  wallLimit(part: string): ScholiumError
  throwRecordedLimit(key: string): void
  redact<T extends Json>(value: T): T
}
