import { ScholiumError } from '../../../kernel/errors.ts'
import type { Library } from '../../../retrieval/library.ts'
import type { Sandbox } from '../../../tools/sandbox/sandbox.ts'
import type { WebSources } from '../../../tools/web/web-sources.ts'
import type { AgentMemory } from './agent-memory.ts'

/** What the actions are done with; each is asked for when an action needs it. An action whose part is absent says so. */
export interface ToolActionServices {
  /** The folder out of which no file is read or written. */
  readonly workspace?: string
  /** The user's library. */
  readonly library?: () => Library
  /** Runs the code of `code.execute`. */
  readonly sandbox?: () => Sandbox
  /** The sources beyond this machine, with the origins that the operator trusts. */
  readonly web?: () => WebSources
  /** What is kept from run to run. */
  readonly memory?: () => AgentMemory
}

type ServiceName = keyof ToolActionServices

const missing: Readonly<Record<ServiceName, string>> = {
  workspace: 'a folder to work in',
  library: 'a library',
  sandbox: 'a sandbox to run code in',
  web: 'a way to the web',
  memory: 'a memory',
}

/**
 * A part that an action cannot do without.
 * @throws `invalid_configuration` when the program was started without it
 */
export function needed<Name extends ServiceName>(
  services: ToolActionServices,
  name: Name,
): NonNullable<ToolActionServices[Name]> {
  const service = services[name]
  if (service !== undefined) return service
  throw new ScholiumError('invalid_configuration', `${missing[name]} is missing.`, {
    hint: `Pass \`${name}\` to the actions of agent files, or omit the action.`,
  })
}
