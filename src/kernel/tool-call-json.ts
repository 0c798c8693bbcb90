import type { Json, JsonObject } from './json.ts'
import { findJson } from './json-from-text.ts'
import { readContainer } from './json-reader.ts'
import { cursorAt } from './json-scalar.ts'
import type { CallBlock, PrintedCall } from './tool-call-block.ts'

/** Calls that stand one behind the other in a text, and where the last of them ends. */
export interface CallRun {
  readonly calls: readonly PrintedCall[]
  readonly end: number
}

const nameKeys = ['name', 'tool', 'function', 'tool_name', 'toolName', 'action']
const inputKeys = [
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
  'thought',
  'thoughts',
  'reasoning',
  'reason',
])
/** What a model may leave out at the end when it closes its own tag. */
const completions = ['', '}', '}}', ']', '}]']

/** Objects and arrays of the text that are calls with their input, wherever they stand. */
export function jsonBlocks(text: string, names: ReadonlySet<string>): readonly CallBlock[] {
  return findJson(text).flatMap(({ value, start, end, truncated }) => {
    const calls = truncated ? undefined : callsOf(value, names, true)
    return calls === undefined ? [] : [{ start, end, calls, format: 'json' as const }]
  })
}

/** The calls with which `text` begins as JSON, one or several; `undefined` when there are none. */
export function readJsonCalls(text: string, names: ReadonlySet<string>): CallRun | undefined {
  const calls: PrintedCall[] = []
  let end = 0
  for (let next = afterBlank(text, 0); isOpener(text[next]); next = afterBlank(text, end)) {
    const reading = readContainer(cursorAt(text, next))
    const found =
      reading.ok && !reading.truncated ? callsOf(reading.value, names, false) : undefined
    if (!reading.ok || found === undefined) break
    calls.push(...found)
    end = reading.end
  }
  return calls.length === 0 ? undefined : { calls, end }
}

/** The calls of a text that is nothing else, closing brackets at its end missing or to spare. */
export function wholeJsonCalls(
  text: string,
  names: ReadonlySet<string>,
): readonly PrintedCall[] | undefined {
  for (const completion of completions) {
    const completed = text + completion
    const run = readJsonCalls(completed, names)
    if (run !== undefined && /^[\s,;\]}]*$/.test(completed.slice(run.end))) return run.calls
  }
  return undefined
}

/** The object with which `text` begins, and where it ends; `undefined` when there is none. */
export function readInput(
  text: string,
): { readonly input: Json; readonly end: number } | undefined {
  const start = afterBlank(text, 0)
  if (text[start] !== '{') return undefined
  const reading = readContainer(cursorAt(text, start))
  return reading.ok && !reading.truncated ? { input: reading.value, end: reading.end } : undefined
}

/** All calls that `value` holds, or `undefined` if any part of it is something else. */
function callsOf(
  value: Json,
  names: ReadonlySet<string>,
  needsInput: boolean,
): readonly PrintedCall[] | undefined {
  if (Array.isArray(value)) {
    const calls = value.map((item: Json) => callsOf(item, names, needsInput))
    return calls.length > 0 && calls.every((found) => found !== undefined)
      ? calls.flat()
      : undefined
  }
  if (!isObject(value)) return undefined
  const entries = Object.entries(value)
  const [wrapped] = entries
  if (
    entries.length === 1 &&
    wrapped !== undefined &&
    /^(?:tool|function)_calls?$/.test(wrapped[0])
  ) {
    return callsOf(wrapped[1] ?? null, names, needsInput)
  }
  if (
    isObject(value.function) &&
    entries.every(([key]) => key === 'function' || otherKeys.has(key))
  ) {
    return callsOf(value.function, names, needsInput)
  }
  const call = callOf(entries, names, needsInput)
  return call === undefined ? undefined : [call]
}

function callOf(
  entries: readonly (readonly [string, Json | undefined])[],
  names: ReadonlySet<string>,
  needsInput: boolean,
): PrintedCall | undefined {
  const named = entries.filter(([key]) => nameKeys.includes(key))
  const inputs = entries.filter(([key]) => inputKeys.includes(key))
  const others = entries.filter(([key]) => otherKeys.has(key))
  if (named.length !== 1 || inputs.length > 1 || (needsInput && inputs.length === 0))
    return undefined
  if (named.length + inputs.length + others.length !== entries.length) return undefined
  const toolName = named[0]?.[1]
  const input = inputOf(inputs[0]?.[1] ?? {})
  if (typeof toolName !== 'string' || !names.has(toolName) || input === undefined) return undefined
  return { toolName, input }
}

/** The input as an object if it can be one. A schema is the definition of a tool, not a call of it. */
function inputOf(value: Json): Json | undefined {
  if (Array.isArray(value)) return value.length === 0 ? {} : undefined
  if (isObject(value))
    return value.type === 'object' && isObject(value.properties) ? undefined : value
  if (typeof value !== 'string') return undefined
  const inner = readInput(value)
  return inner !== undefined && value.slice(inner.end).trim() === '' ? inner.input : value
}

function isObject(value: Json | undefined): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function isOpener(character: string | undefined): boolean {
  return character === '{' || character === '['
}

function afterBlank(text: string, position: number): number {
  let next = position
  while (next < text.length && /[\s,;]/.test(text[next] as string)) next++
  return next
}
