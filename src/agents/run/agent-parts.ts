import type { Sandbox } from '../../tools/sandbox/sandbox.ts'
import type { ActionRegistry } from '../actions/action.ts'
import type { EnvironmentValues } from '../templates/environment.ts'
import type { AgentCache } from './agent-cache.ts'

/** What agent files are run with. */
export interface AgentParts {
  /** All that `uses` and `action` can name. */
  readonly actions: ActionRegistry
  /** Runs the code of files. Absent: a node with code fails. */
  readonly sandbox?: Sandbox
  /**
   * What `${NAME}` and `env.NAME` may read: what the operator lets files see of the environment. Values of names that sound
   * like secrets (see `isSecretName`) never come into the log.
   */
  readonly environment?: EnvironmentValues
  /** Variables that are set and that the operator keeps from files: what reads one fails with how to give it. Default: none. */
  readonly withheld?: readonly string[]
  /** The folder out of which no file is read or written. */
  readonly workspace: string
  /** Tools that an agent may use although its conversation is tainted. Default: none. */
  readonly allow?: readonly string[]
  /** Where results of nodes with `cache` are kept. Absent: such nodes run each time. */
  readonly cache?: AgentCache
}
