import type { Json } from '../../kernel/json.ts'
import type { Sandbox } from '../../tools/sandbox/sandbox.ts'
import type { ActionRegistry } from '../actions/action.ts'
import type { EnvironmentValues } from '../templates/environment.ts'

/** What agent files run with. */
export interface AgentParts {
  /** Everything that `uses` and `action` can name. */
  readonly actions: ActionRegistry
  /** Runs the files' code. Absent: a node with code fails. */
  readonly sandbox?: Sandbox
  /** Values of secret environment variables that the operator grants, by name. They are never recorded. */
  readonly secrets?: EnvironmentValues
  /** The folder that no file access leaves. */
  readonly workspace: string
  /** Tools that an agent may use although its conversation is tainted. Default: none. */
  readonly allow?: readonly string[]
  /** Cache for nodes with `cache`. Absent: such nodes always run. */
  readonly cache?: AgentCache
}

/** Results cached across runs. */
export interface AgentCache {
  /** `undefined`: missing or expired. */
  get(key: string): Promise<Json | undefined>
  /** @param ttlSeconds lifetime; absent: as long as the cache lasts */
  set(key: string, value: Json, ttlSeconds?: number): Promise<void>
}
