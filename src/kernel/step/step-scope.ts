import type { ScholiumError } from '../errors.ts'
import type { Json } from '../json.ts'
import type { Budget } from '../limits/limits.ts'
import type { Clock } from '../run/clock.ts'
import type { LimitReached, StepFacts } from '../run/event.ts'
import type { Boundary, Journal } from '../run/journal.ts'

/** What the facts of a step say that it used. */
export type StepUse = Pick<StepFacts, 'usage' | 'isEmbedding'>

/** What a step that a limit stopped had used. */
export type LimitUse = Omit<LimitReached, 'failure'>

/** What a step needs of the context in which it is done. */
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
  /** The full key of a name. */
  key(name: string): string
  /** Moves the branch's time forward. */
  reach(timeMs: number): void
  /** Rejects when the run was cancelled, or its time or its log is used up. */
  throwIfStopped(): Promise<void>
  recordLimit(key: string, error: ScholiumError, used?: LimitUse): Promise<void>
  /** How long the run, or its part with the path, may still work; `undefined` without a bound. */
  remainingWall(): { readonly ms: number; readonly path: string } | undefined
  /** The error of a run, or of its part with the path, that has had its time. */
  wallLimit(part: string): ScholiumError
  throwRecordedLimit(key: string): void
  redact<T extends Json>(value: T): T
}
