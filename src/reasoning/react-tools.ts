import { createToolRegistry, type Tool, type ToolRegistry } from '../kernel/agent/tool.ts'
import { ScholiumError } from '../kernel/errors.ts'
import type { JsonObject } from '../kernel/json.ts'
import { finalAnswerTool, isTerminalAction } from './final-answer.ts'

const toolNamePattern = /^[a-zA-Z][a-zA-Z0-9_]*(\.[a-zA-Z][a-zA-Z0-9_]*)*$/

/** Whether a text has the form of a tool name: words joined by dots, so never a path. */
export function isToolName(name: string): boolean {
  return name.length <= 100 && toolNamePattern.test(name)
}

/**
 * Creates a registry with the tools under ReAct's names (a hyphen becomes `_`, see {@link isToolName}) and `final_answer`.
 * Invalid names are never looked up.
 * @throws `invalid_configuration` for a tool with an invalid or terminal name, or two tools with the same name
 */
export function createReactRegistry(tools: readonly Tool[]): ToolRegistry {
  for (const { name } of tools) checkName(name)
  const registry = createToolRegistry([...tools.map(named), finalAnswerTool])
  return { tools: registry.tools, get: (name) => findTool(registry, name) }
}

/** The tool that a model means by a name; invalid names are not looked up. */
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

/** A tool as listed. */
export type ToolDescription = {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly parameters: JsonObject
}

/** A list of tools. */
export type ToolList = {
  readonly tools: readonly ToolDescription[]
  readonly count: number
}

/**
 * Lists the tools of a registry by their ReAct names, optionally only those in `filter`; `final_answer` is always included, last.
 */
export function listTools(registry: ToolRegistry, filter?: readonly string[]): ToolList {
  const { tools } = createReactRegistry(
    registry.tools.filter(({ name }) => !isTerminalAction(name)),
  )
  const asked = filter?.map(reactName)
  const listed = tools
    .filter((tool) => tool === finalAnswerTool || asked === undefined || asked.includes(tool.name))
    .map(({ name, description, parameters }) => ({ name, description, parameters }))
  return { tools: listed, count: listed.length }
}
