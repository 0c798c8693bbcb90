import type { Json, JsonObject } from '../../kernel/json.ts'
import { parseJsonObject } from '../../kernel/json-from-text.ts'
import type { CodeTool } from '../../tools/code/code-tool.ts'

/**
 * The tool, which takes its arguments as an object, as the text of one, as nothing, and, where one alone is needed, as that
 * argument's bare text.
 */
export function lenientTool(tool: CodeTool): CodeTool {
  return { ...tool, parse: (input) => tool.parse(argumentsOf(tool.parameters, input)) }
}

function argumentsOf(parameters: JsonObject, input: unknown): unknown {
  if (input === undefined || input === null || input === '') return {}
  if (typeof input !== 'string') return input
  const parsed = parseJsonObject(input, [])
  if (parsed.ok) return parsed.value
  const alone = onlyText(parameters)
  return alone === undefined ? input : { [alone]: input }
}

/** The name of the one argument that has to be given, where it is a text. */
function onlyText({ required, properties }: JsonObject): string | undefined {
  const [name, ...others] = (required ?? []) as readonly string[]
  if (name === undefined || others.length > 0) return undefined
  const { type } = ((properties as JsonObject | undefined)?.[name] ?? {}) as { type?: Json }
  return type === 'string' ? name : undefined
}
