import type * as z from 'zod'
import { defineTool, type ToolDeclaration } from '../../../kernel/agent/tool.ts'
import { ScholiumError } from '../../../kernel/errors.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import type { Library } from '../../../retrieval/library.ts'
import type { Sandbox } from '../../../tools/sandbox/sandbox.ts'
import type { WebSources } from '../../../tools/web/web-sources.ts'
import { type ToolAction, usedParams } from '../action.ts'
import type { AgentMemory } from './agent-memory.ts'

/** What an action of one effect is declared with. */
export interface ToolActionDeclaration<Schema extends z.ZodType> extends ToolDeclaration<Schema> {
  /** What it gives, in words. */
  readonly result: string
  /** See {@link ToolAction.calculates}. */
  readonly calculates?: true
  /** See {@link ToolAction.keeps}. */
  readonly keeps?: true
}

/** An action from its declaration. */
export function toolAction<Schema extends z.ZodType>({
  result,
  calculates,
  keeps,
  ...declaration
}: ToolActionDeclaration<Schema>): ToolAction {
  const tool = defineTool(declaration)
  const shown = { ...tool, parameters: usedParams(tool.parameters) }
  const facts = { params: declaration.input, result }
  return {
    kind: 'tool',
    tool: shown,
    ...facts,
    ...(calculates === undefined ? {} : { calculates }),
    ...(keeps === undefined ? {} : { keeps }),
  }
}

/** What only this call could not do, as data: `{error, success: false, error_type}`. */
export function notDone(error: string, errorType: string, more: JsonObject = {}): JsonObject {
  return { error, success: false, error_type: errorType, ...more }
}

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
  throw new ScholiumError('invalid_configuration', `There is not ${missing[name]} here.`, {
    hint: `Give the actions of agent files \`${name}\`, or leave the action out.`,
  })
}
