import { createToolRegistry, type Tool, type ToolRegistry } from '../kernel/agent/tool.ts'
import { ScholiumError } from '../kernel/errors.ts'
import type { JsonObject } from '../kernel/json.ts'
import { finalAnswerTool, isTerminalAction } from './final-answer.ts'

const toolNamePattern = /^[a-zA-Z][a-zA-Z0-9_]*(\.[a-zA-Z][a-zA-Z0-9_]*)*$/

/** Whether a text has the form of a tool's name: words joined by dots, and nothing that could be a path. */
export function isToolName(name: string): boolean {
  return name.length <= 100 && toolNamePattern.test(name)
}

/**
 * Tools as ReAct offers them: by names that {@link isToolName} takes (a hyphen becomes `_`), with `final_answer` among them. A
 * name that has not the form of one is not looked up at all.
 *
 * @throws `invalid_configuration` for a tool that has one of the names with which ReAct ends, one that is none, or for two of one
 *   name
 */
export function createReactRegistry(tools: readonly Tool[]): ToolRegistry {
  for (const { name } of tools) checkName(name)
  const registry = createToolRegistry([...tools.map(named), finalAnswerTool])
  return { tools: registry.tools, get: (name) => findTool(registry, name) }
}

/** The tool that a model means by a name. What has not the form of a name is not looked up. */
export function findTool(registry: Pick<ToolRegistry, 'get'>, name: string): Tool | undefined {
  if (!isToolName(name)) return undefined
  return isTerminalAction(name) ? finalAnswerTool : registry.get(name)
}

function checkName(name: string): void {
  const problem = isTerminalAction(name)
    ? 'with that name it ends'
    : isToolName(reactName(name))
      ? undefined
      : 'a name is letters, digits, "_" and "-" in words joined by dots'
  if (problem === undefined) return
  throw new ScholiumError(
    'invalid_configuration',
    `A tool of ReAct cannot be named "${name}": ${problem}.`,
  )
}

/** The name under which ReAct calls a tool. */
export function reactName(name: string): string {
  return name.replaceAll('-', '_')
}

function named(tool: Tool): Tool {
  const name = reactName(tool.name)
  return name === tool.name ? tool : { ...tool, name }
}

/** A tool as it is listed. */
export type ToolDescription = {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly parameters: JsonObject
}

/** Tools as they are listed. */
export type ToolList = {
  readonly tools: readonly ToolDescription[]
  readonly count: number
}

/**
 * The tools of a registry under the names by which ReAct knows them, those of `filter` alone where one is given, and always
 * `final_answer`, last.
 */
export function toolsList(registry: ToolRegistry, filter?: readonly string[]): ToolList {
  const { tools } = createReactRegistry(
    registry.tools.filter(({ name }) => !isTerminalAction(name)),
  )
  const asked = filter?.map(reactName)
  const listed = tools
    .filter((tool) => tool === finalAnswerTool || asked === undefined || asked.includes(tool.name))
    .map(({ name, description, parameters }) => ({ name, description, parameters }))
  return { tools: listed, count: listed.length }
}
