import type { Tool } from '../kernel/agent/tool.ts'
import type { Json, JsonObject } from '../kernel/json.ts'
import { findJson } from '../kernel/text/json-from-text.ts'
import { toText } from './structured.ts'

const terminalActions: ReadonlySet<string> = new Set(['finish', 'final_answer', 'answer'])

/** Whether an action with this name ends ReAct: `finish`, `final_answer` or `answer`. */
export function isTerminalAction(name: string): boolean {
  return terminalActions.has(name)
}

/** The tool that ends ReAct; it accepts an answer in any form that models give it. */
export const finalAnswerTool: Tool = {
  name: 'final_answer',
  description: 'Gives the final answer and ends the work. Call it once, when the goal is reached.',
  parameters: {
    type: 'object',
    properties: { answer: { type: 'string', description: 'The whole answer.' } },
    required: ['answer'],
    additionalProperties: false,
  },
  effect: 'pure',
  timeoutMs: 1_000,
  endsWork: true,
  parse: (input) => ({ ok: true, value: readFinalAnswer(input as Json) }),
  execute: async (answer) => answer,
}

const answerKeys = ['answer', 'final_answer', 'finalAnswer', 'result', 'output', 'text']

/** The answer in the input of a terminal action: the value of its only key, or the input itself. */
export function readFinalAnswer(input: Json): Json {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const object = input as JsonObject
  const [key, second] = Object.keys(object)
  const isOnly = key !== undefined && second === undefined && answerKeys.includes(key)
  return isOnly ? (object[key] ?? null) : object
}

const thoughtKeys = ['thought', 'thinking', 'reasoning']

const answerLabel = /^[ \t]*(?:\*\*)?Final Answer(?:\*\*)?[ \t]{0,4}:(?:\*\*)?[ \t]{0,4}/im

/**
 * The answer in a text without a call: the text after `Final Answer:`, the answer in a JSON object with thoughts and answer, or
 * else the whole text.
 */
export function parsePlainAnswer(text: string): {
  readonly thought: string
  readonly answer: Json
} {
  const said = text.trim()
  const label = answerLabel.exec(said)
  if (label !== null) {
    const answer = said.slice(label.index + label[0].length).trim()
    return { thought: withoutThoughtLabel(said.slice(0, label.index)), answer }
  }
  const whole = { thought: '', answer: said }
  const [found] = findJson(said)
  if (found === undefined || !isAlone(said, found.start, found.end)) return whole
  const { value } = found
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return whole
  const { [thoughtKey(value as JsonObject)]: thought = '', ...rest } = value as JsonObject
  const keys = Object.keys(rest)
  if (keys.length !== 1 || !answerKeys.includes(keys[0] ?? '')) return whole
  return { thought: toText(thought), answer: readFinalAnswer(rest) }
}

/** Whether a text contains nothing outside this range, apart from a code fence. */
export function isAlone(text: string, start: number, end: number): boolean {
  const around = `${text.slice(0, start)}${text.slice(end)}`.trim()
  return /^(?:```(?:json)?\s*(?:```)?)?$/i.test(around)
}

function thoughtKey(value: JsonObject): string {
  return thoughtKeys.find((key) => Object.hasOwn(value, key)) ?? 'thought'
}

/** Removes a leading `Thought:` label. */
export function withoutThoughtLabel(text: string): string {
  return text.trim().replace(/^(?:\*\*)?Thought(?:\*\*)?[ \t]{0,4}:(?:\*\*)?\s*/i, '')
}
