import type { Hooks } from '../agent/hooks.ts'
import type { Json, JsonObject } from '../json.ts'
import type { Limits } from '../limits/limits.ts'
import type { ModelSource } from '../model/model.ts'
import type { Clock } from './clock.ts'
import type { LiveEvent, RunStatus } from './event.ts'
import type { StateEvent } from './rewind.ts'
import type { RunContext } from './run-context.ts'
import type { Owner, RunStore } from './run-store.ts'

/** Something that can be run: a question team, a pipeline, an agent file. */
export interface Workflow<Input extends JsonObject, Result extends JsonObject> {
  readonly name: string
  /** Increased when the code can no longer resume runs recorded before. */
  readonly version: string
  /** Hashes of the prompts and other files that steer the models, by file. */
  readonly promptHashes: Readonly<Record<string, string>>
  /** One line for lists. */
  title(input: Input): string
  /** The work. Every effect is a step of the context. */
  run(context: RunContext, input: Input): Promise<Result>
  /**
   * Folds the ends of nodes and forks in a log into a state, with which a resumed run starts. Absent for a workflow without a
   * graph.
   */
  foldState?(input: Input, ends: readonly StateEvent[]): JsonObject
  /**
   * The result so far of a run that waits for a person, from the same events: for workflows that are conversations. The code must
   * return the same in a replay in which the answer is not recorded.
   */
  soFar?(input: Input, ends: readonly StateEvent[]): Result
  /** The status under which a run with this result is listed. */
  status(result: Result): RunStatus
  /**
   * Whether a run that returned this result is retried when it is resumed, from a failure that may be temporary. Default: false.
   */
  mayRetry?(result: Result): boolean
}

/** What an execution needs in addition to the workflow. */
export interface Execution {
  readonly store: RunStore
  readonly owner: Owner
  readonly clock: Clock
  readonly models: ModelSource
  /** Default: none for a new run, the recorded ones for a resumed run. */
  readonly limits?: Limits
  readonly packageVersion: string
  /** The resolved configuration without secrets, for the record. */
  readonly configuration: JsonObject
  /** The price of each role's model, null if unknown, for the record. */
  readonly prices?: JsonObject
  /** Labels for finding the run, such as `session` and `user` ids; they have no effect on it. */
  readonly labels?: Readonly<Record<string, string>>
  /** What a new run is listed as; shown on one line, up to 200 characters. Default: what its workflow says. */
  readonly title?: string
  readonly secrets?: readonly string[]
  readonly hooks?: Hooks
  /** Interrupts the run. If its reason is a `ScholiumError` `cancelled`, the log records that. */
  readonly signal?: AbortSignal
  /** Aborted when a person wants the answer so far: the run then ends as at a time limit. */
  readonly finish?: AbortSignal
  /** Receive each stored event after its commit, and live events as they happen. */
  readonly listeners?: readonly ((event: LiveEvent) => void)[]
  /** Answers a question to a person; `undefined` leaves the run waiting. */
  readonly answer?: (prompt: Json, key: string) => Promise<Json | undefined>
}

/** How an execution ended. */
export interface RunOutcome<Result> {
  readonly runId: string
  readonly result: Result
}
