import type * as z from 'zod'
import { defineTool, type ToolDeclaration } from '../../../kernel/agent/tool.ts'
import { ScholiumError } from '../../../kernel/errors.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import type { Library } from '../../../retrieval/library.ts'
import type { Sandbox } from '../../../tools/sandbox/sandbox.ts'
import type { WebSources } from '../../../tools/web/web-sources.ts'
import { omitIgnoredParams, type ToolAction } from '../action.ts'
import type { AgentMemory } from './agent-memory.ts'

/** Declaration of an action with one effect. */
export interface ToolActionDeclaration<Schema extends z.ZodType> extends ToolDeclaration<Schema> {
  /** The result, in words. */
  readonly result: string
  /** See {@link ToolAction.calculates}. */
  readonly calculates?: true
  /** See {@link ToolAction.keeps}. */
  readonly keeps?: true
}

/** Creates an action from its declaration. */
export function defineToolAction<Schema extends z.ZodType>({
  result,
  calculates,
  keeps,
  ...declaration
}: ToolActionDeclaration<Schema>): ToolAction {
  const tool = defineTool(declaration)
  const shown = { ...tool, parameters: omitIgnoredParams(tool.parameters) }
  const facts = { params: declaration.input, result }
  return {
    kind: 'tool',
    tool: shown,
    ...facts,
    ...(calculates === undefined ? {} : { calculates }),
    ...(keeps === undefined ? {} : { keeps }),
  }
}

/** A failure of this call only, as data: `{error, success: false, error_type}`. */
export function failedResult(error: string, errorType: string, more: JsonObject = {}): JsonObject {
  return { error, success: false, error_type: errorType, ...more }
}

/** Services of the actions, requested on first use. An action whose service is missing reports that. */
export interface ToolActionServices {
  /** The folder that no file access leaves. */
  readonly workspace?: string
  /** The user's library. */
  readonly library?: () => Library
  /** Runs the code of `code.execute`. */
  readonly sandbox?: () => Sandbox
  /** Access to the web, with the origins that the operator trusts. */
  readonly web?: () => WebSources
  /** Storage across runs. */
  readonly memory?: () => AgentMemory
}

type ServiceName = keyof ToolActionServices

const missingServices: Readonly<Record<ServiceName, string>> = {
  workspace: 'a folder to work in',
  library: 'a library',
  sandbox: 'a sandbox to run code in',
  web: 'a way to the web',
  memory: 'a memory',
}

/**
 * A service that an action requires.
 * @throws `invalid_configuration` if the program was started without it
 */
export function requireService<Name extends ServiceName>(
  services: ToolActionServices,
  name: Name,
): NonNullable<ToolActionServices[Name]> {
  const service = services[name]
  if (service !== undefined) return service
  throw new ScholiumError('invalid_configuration', `There is not ${missingServices[name]} here.`, {
    hint: `Pass \`${name}\` to the actions of agent files, or omit the action.`,
  })
}
