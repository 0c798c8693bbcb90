import { objectInText, onlyParameter } from '../kernel/text/tool-call-parameters.ts'
import type { CodeTool } from './tools/code-tool.ts'

/**
 * The tool, which takes its arguments as an object, as the text of one, as nothing, and, where one alone is needed and nothing is
 * changed, as that argument's bare text. A text with anything in it that may be a part of an object is none.
 */
export function lenientTool(tool: CodeTool): CodeTool {
  return { ...tool, parse: (input) => tool.parse(argumentsOf(tool, input)) }
}

function argumentsOf(tool: CodeTool, input: unknown): unknown {
  if (input === undefined || input === null || input === '') return {}
  if (typeof input !== 'string') return input
  const object = objectInText(input)
  if (object !== undefined) return object
  const alone = onlyParameter(tool)
  const isBare = tool.effect !== 'write' && !/["'{[]/.test(input)
  return alone === undefined || !isBare ? input : { [alone]: input }
}
