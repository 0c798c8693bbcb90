import { isJsonObject, type Json } from '../json.ts'
import { findJson } from './json-from-text.ts'

/** Keys under which models print what they think before a call. */
export const thoughtKeys: readonly string[] = [
  'thought',
  'thoughts',
  'thinking',
  'reasoning',
  'reason',
  'rationale',
]

/** Whether a value is an object that holds nothing but a thought. */
export function isThought(value: Json): boolean {
  if (!isJsonObject(value)) return false
  const entries = Object.entries(value)
  return (
    entries.length > 0 &&
    entries.every(([key, thought]) => thoughtKeys.includes(key) && typeof thought === 'string')
  )
}

/** The text with blanks in the place of JSON thoughts, and of the fences and commas around them: every offset stays. */
export function blankThoughts(text: string): string {
  if (!thoughtKeys.some((key) => text.includes(`"${key}"`))) return text
  const parts: string[] = []
  let done = 0
  for (const { value, start, end, truncated } of findJson(text)) {
    if (truncated || !isThought(value)) continue
    const opening = /(?:```|~~~)(?:json)?\s*$/.exec(text.slice(Math.max(done, start - 20), start))
    const closing = opening === null ? null : /^\s*(?:```|~~~)/.exec(text.slice(end, end + 20))
    const from = closing === null ? start : start - (opening?.[0].length ?? 0)
    const after = end + (closing?.[0].length ?? 0)
    const to = after + (/^\s*,/.exec(text.slice(after, after + 20))?.[0].length ?? 0)
    parts.push(text.slice(done, from), text.slice(from, to).replaceAll(/\S/g, ' '))
    done = to
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(done)
}

/**
 * Whether a text is nothing but JSON of calls, steps and thoughts, fenced or not: what a model printed on the way to an answer.
 * Objects of any other kind may be the answer that was asked for.
 */
export function isUnfinishedWork(text: string): boolean {
  const found = findJson(text)
  if (found.length === 0) return false
  let rest = ''
  let done = 0
  for (const { start, end } of found) {
    rest += text.slice(done, start)
    done = end
  }
  rest += text.slice(done)
  const around = rest.replaceAll(/```\w*|~~~\w*|<\/?\|?\/?(?:tool|function)_calls?\|?>/g, '')
  return !/[^\s,;{}\]]/.test(around) && found.every(({ value }) => isStepOrThought(value))
}

function isStepOrThought(value: Json): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isStepOrThought)
  if (!isJsonObject(value)) return false
  if (isThought(value)) return true
  const keys = Object.keys(value)
  const [wrapped] = keys.filter((key) => callWrapper.test(key))
  if (wrapped !== undefined && keys.length === 1) return isStepOrThought(value[wrapped] as Json)
  const name = keys.find((key) => callNames.has(key) && typeof value[key] === 'string')
  const input = keys.find((key) => callInputs.has(key))
  const isNamed = name !== undefined && (name !== 'name' || input === 'arguments')
  return isNamed && input !== undefined && keys.every((key) => key === name || stepKeys.has(key))
}

const callWrapper = /^(?:tool|function)_calls?$/
const callNames = new Set(['tool', 'tool_name', 'function', 'function_name', 'action', 'name'])
const callInputs = new Set([
  'arguments',
  'args',
  'parameters',
  'input',
  'tool_input',
  'action_input',
])
const stepKeys = new Set([...thoughtKeys, ...callInputs, 'step', 'id', 'type'])
