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
  /** Increased when the code can no longer continue recorded runs. */
  readonly version: string
  /** Hashes of what steers the models, by file. */
  readonly promptHashes: Readonly<Record<string, string>>
  /** One line for lists. */
  title(input: Input): string
  /** The work. Every effect is a step of the context. */
  run(context: RunContext, input: Input): Promise<Result>
  /**
   * The state after the ends of nodes, and the forks, of a log: the fold that a resumed run begins with. Absent for what has
   * no graph.
   */
  foldState?(input: Input, ends: readonly StateEvent[]): JsonObject
  /**
   * What a run that waits for a person came to by then, from the same ends: that of a workflow which a person talks with. Its code
   * gives the same in a replay where the answer is not recorded.
   */
  soFar?(input: Input, ends: readonly StateEvent[]): Result
  /** Under which status the run is listed once it gave this result. */
  status(result: Result): RunStatus
  /**
   * Whether a run that gave this result without failing is tried again when it is resumed, from where something failed that may work
   * now. Default: no.
   */
  mayRetry?(result: Result): boolean
}

/** What an execution needs in addition to the workflow. */
export interface Execution {
  readonly store: RunStore
  readonly owner: Owner
  readonly clock: Clock
  readonly models: ModelSource
  /** Default: none for a new run, the recorded ones for a resumed one. */
  readonly limits?: Limits
  readonly packageVersion: string
  /** The resolved configuration without secrets, for the record. */
  readonly configuration: JsonObject
  /** What each role's model costs, null where that is not known, for the record. */
  readonly prices?: JsonObject
  /** What the run is filed under: `session` and `user` ids, for example. Has no part in what it does. */
  readonly labels?: Readonly<Record<string, string>>
  readonly secrets?: readonly string[]
  readonly hooks?: Hooks
  readonly signal?: AbortSignal
  /** Hear each event once the log has it, and what is not stored as it happens. */
  readonly listeners?: readonly ((event: LiveEvent) => void)[]
  /** Answers what the run asks a person; `undefined` leaves the run waiting. */
  readonly answer?: (prompt: Json, key: string) => Promise<Json | undefined>
}

/** How an execution ended. */
export interface RunOutcome<Result> {
  readonly runId: string
  readonly result: Result
}
