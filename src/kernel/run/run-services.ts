import type { Hooks } from '../agent/hooks.ts'
import type { Json } from '../json.ts'
import type { Budget } from '../limits/limits.ts'
import type { ModelSource } from '../model/model.ts'
import type { StepUse } from '../step/step-scope.ts'
import type { Clock } from './clock.ts'
import type { Journal } from './journal.ts'

/** What all contexts of one execution share. */
export interface RunServices {
  readonly journal: Journal
  readonly budget: Budget
  readonly clock: Clock
  readonly hooks: Hooks
  readonly models: ModelSource
  /** Makes ids and random numbers the same in each execution of the run. */
  readonly seed: string
  /** Values that must not enter the log; replaced at the boundary of each step. */
  readonly secrets: readonly string[]
  /** Keys of notices that this execution has already given, for those given once per run. */
  readonly noticed: Set<string>
  /** Receives each step's logged usage: see `countTokens`. */
  readonly count?: (facts: StepUse) => void
  /** Answers a question to a person, or `undefined` to let the run wait. */
  readonly answer?: (prompt: Json, key: string) => Promise<Json | undefined>
}
