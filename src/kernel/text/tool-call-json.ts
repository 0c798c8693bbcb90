import { isJsonObject, type Json, type JsonObject } from '../json.ts'
import { findJson } from './json-from-text.ts'
import { readContainer } from './json-reader.ts'
import { cursorAt, isOpener } from './json-scalar.ts'
import { isThought, thoughtKeys } from './thought-json.ts'
import {
  type CallBlock,
  findNamedTool,
  type PrintedCall,
  type TextTool,
  type ToolTable,
} from './tool-call-block.ts'
import {
  areItsParameters,
  fitsTool,
  inputFromText,
  inputFromValue,
  readInput,
} from './tool-call-parameters.ts'

/** Consecutive calls in a text, and the end of the last one. */
export interface CallRun {
  readonly calls: readonly PrintedCall[]
  readonly end: number
}

/** What a JSON value must have to be a call. */
interface Rules {
  /** The input must be present, even if empty. */
  readonly needsInput: boolean
  /** The arguments may be on the same level as the name. */
  readonly takesFlat: boolean
}

/** Keys under which models print the name of a tool. */
export const nameKeys = [
  'name',
  'tool',
  'function',
  'tool_name',
  'toolName',
  'function_name',
  'action',
  'recipient_name',
]
/** Keys under which models print its arguments. */
export const inputKeys = [
  'arguments',
  'parameters',
  'args',
  'input',
  'params',
  'tool_input',
  'action_input',
]
const otherKeys = new Set([
  'id',
  'type',
  'index',
  'call_id',
  'tool_call_id',
  'step',
  ...thoughtKeys,
])
const wrapperKey = /^(?:tool|function)(?:_calls?|_uses)?$/
/** Closing brackets that a model may omit when it closes its own tag. */
const completions = ['', '}', '}}', ']', '}]']
const bare: Rules = { needsInput: true, takesFlat: true }
const inTag: Rules = { needsInput: false, takesFlat: true }

/** Objects and arrays in the text that are calls with their input. */
export function jsonBlocks(text: string, tools: ToolTable): readonly CallBlock[] {
  return findJson(text).flatMap(({ value, start, end, truncated }) => {
    const calls = truncated
      ? callsWithoutBrace(text.slice(start, end), tools)
      : readCalls(value, tools, bare)
    return calls?.every((call) => fitsTool(call, tools))
      ? [{ start, end, calls, format: 'json' as const }]
      : []
  })
}

/** The calls at the beginning of `text`, as JSON; `undefined` if there are none. */
export function readJsonCalls(text: string, tools: ToolTable): CallRun | undefined {
  const calls: PrintedCall[] = []
  let end = 0
  for (let next = afterBlank(text, 0); isOpener(text[next]); next = afterBlank(text, end)) {
    const reading = readContainer(cursorAt(text, next))
    if (!reading.ok) break
    const found = reading.truncated
      ? callsWithoutBrace(text.slice(next), tools)
      : readCalls(reading.value, tools, inTag)
    if (found === undefined) break
    calls.push(...found)
    end = reading.end
  }
  return calls.length === 0 ? undefined : { calls, end }
}

/** The calls in a text that contains nothing else, with brackets at its ends missing or extra. */
export function wholeJsonCalls(
  written: string,
  tools: ToolTable,
): readonly PrintedCall[] | undefined {
  const text = written.replace(/^\s*\{\s*(?=\{)/, '')
  for (const completion of completions) {
    const completed = text + completion
    const run = readJsonCalls(completed, tools)
    if (run !== undefined && /^[\s,;\]}]*$/.test(completed.slice(run.end))) return run.calls
  }
  return undefined
}

/**
 * The calls in a text that ends before the outermost object is closed. Its input is closed and therefore complete; a text cut off
 * anywhere else may lack arguments and is not a call.
 */
function callsWithoutBrace(text: string, tools: ToolTable): readonly PrintedCall[] | undefined {
  if (text[0] !== '{') return undefined
  const reading = readContainer(cursorAt(`${text}}`, 0))
  if (!reading.ok || reading.truncated) return undefined
  return readCalls(reading.value, tools, { needsInput: true, takesFlat: false })
}

/** All calls in `value`, or `undefined` if any part of it is not a call. */
function readCalls(
  value: Json,
  tools: ToolTable,
  rules: Rules,
): readonly PrintedCall[] | undefined {
  if (Array.isArray(value)) {
    const calls = value
      .filter((item: Json) => !isThought(item))
      .map((item: Json) => readCalls(item, tools, rules))
    return calls.length > 0 && calls.every((found) => found !== undefined)
      ? calls.flat()
      : undefined
  }
  if (!isJsonObject(value)) return undefined
  const entries = Object.entries(value)
  const wrapped = entries.filter(
    ([key, inner]) => wrapperKey.test(key) && inner !== null && typeof inner === 'object',
  )
  if (
    wrapped.length === 1 &&
    entries.every(([key]) => key === wrapped[0]?.[0] || otherKeys.has(key))
  ) {
    return readCalls(wrapped[0]?.[1] ?? null, tools, rules)
  }
  const call = readCall(value, tools, rules)
  return call === undefined ? undefined : [call]
}

function readCall(value: JsonObject, tools: ToolTable, rules: Rules): PrintedCall | undefined {
  for (const nameKey of nameKeys) {
    const written = value[nameKey]
    const tool = typeof written === 'string' ? findNamedTool(written, tools) : undefined
    if (tool === undefined) continue
    const { [nameKey]: _name, ...rest } = value
    const input = structuredInput(rest, tool, rules) ?? flatInput(rest, tool, rules)
    if (input !== undefined) return { toolName: tool.name, input }
  }
  return undefined
}

/** The input under its own key. */
function structuredInput(rest: JsonObject, tool: TextTool, rules: Rules): Json | undefined {
  const keys = Object.keys(rest)
  const inputs = keys.filter((key) => inputKeys.includes(key))
  if (inputs.length > 1 || (rules.needsInput && inputs.length === 0)) return undefined
  if (!keys.every((key) => inputs.includes(key) || otherKeys.has(key))) return undefined
  return normalizeInput(rest[inputs[0] ?? ''] ?? {}, tool)
}

/** Arguments on the same level as the name, if they match the tool's parameters. */
function flatInput(rest: JsonObject, tool: TextTool, rules: Rules): Json | undefined {
  const keys = Object.keys(rest)
  return rules.takesFlat && keys.length > 0 && areItsParameters(tool, keys) ? rest : undefined
}

/** The input as an object, if possible. A schema is the definition of a tool, not a call. */
function normalizeInput(value: Json, tool: TextTool): Json | undefined {
  if (isJsonObject(value))
    return value.type === 'object' && isJsonObject(value.properties) ? undefined : value
  if (typeof value !== 'string') return inputFromValue(tool, value)
  const inner = readInput(value)
  return inner !== undefined && value.slice(inner.end).trim() === ''
    ? inner.input
    : inputFromText(tool, value)
}

function afterBlank(text: string, position: number): number {
  let next = position
  while (next < text.length && /[\s,;]/.test(text[next] as string)) next++
  return next
}
