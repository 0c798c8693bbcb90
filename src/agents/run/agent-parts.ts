import type { Json } from '../../kernel/json.ts'
import type { Sandbox } from '../../tools/sandbox/sandbox.ts'
import type { ActionRegistry } from '../actions/action.ts'
import type { EnvironmentValues } from '../templates/environment.ts'

/** What agent files are run with. */
export interface AgentParts {
  /** All that `uses` and `action` can name. */
  readonly actions: ActionRegistry
  /** Runs the code of files. Absent: a node with code fails. */
  readonly sandbox?: Sandbox
  /** Values of secret variables of the environment that the operator lets files use, by name. They never come into the log. */
  readonly secrets?: EnvironmentValues
  /** The folder out of which no file is read or written. */
  readonly workspace: string
  /** Tools that an agent may use although its conversation is tainted. Default: none. */
  readonly allow?: readonly string[]
  /** Where results of nodes with `cache` are kept. Absent: such nodes run each time. */
  readonly cache?: AgentCache
}

/** Results that are kept from one run to another. */
export interface AgentCache {
  /** `undefined`: there is none, or it is too old. */
  get(key: string): Promise<Json | undefined>
  /** @param ttlSeconds how long it is kept; absent: as long as the cache lasts */
  set(key: string, value: Json, ttlSeconds?: number): Promise<void>
}
