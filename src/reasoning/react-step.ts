import type { ToolRegistry } from '../kernel/agent/tool.ts'
import type { ScholiumError } from '../kernel/errors.ts'
import type { Json, JsonObject } from '../kernel/json.ts'
import { findJson } from '../kernel/text/json-from-text.ts'
import { inputFromText, readInput } from '../kernel/text/tool-call-parameters.ts'
import { type TextToolCalls, withBrokenEnd } from '../kernel/text/tool-calls-from-text.ts'
import { isAlone, isTerminalAction, withoutThoughtLabel } from './final-answer.ts'
import { malformedText, toText } from './structured.ts'

/** A ReAct step as a model writes it in text. */
export type ReactAction = {
  readonly thought: string
  readonly action: string
  readonly actionInput: Json
}

/** A parsed step, or the error that explains why there is none. */
export type ReactReading =
  | {
      readonly ok: true
      readonly step: ReactAction
      /** Whether the text is exactly this step. */
      readonly isWhole: boolean
      /** Whether the text ended before the step did. */
      readonly isCut: boolean
      /** Its position in the text, in UTF-16 code units. */
      readonly start: number
      readonly end: number
    }
  | { readonly ok: false; readonly error: ScholiumError }

/**
 * Parses the first step in a text: `{"thought", "action", "action_input"}`, bare, fenced or surrounded by words. Anything after
 * it was invented by the model and is ignored. The error contains the text, cut to 500 characters.
 */
export function parseReactStep(text: string): ReactReading {
  const found = findJson(text).find(({ value }) => isStep(value))
  if (found === undefined) {
    const reason = 'There is no step with "thought", "action" and "action_input" in it.'
    return { ok: false, error: malformedText(reason, text) }
  }
  const { value, start, end, truncated } = found
  const { thought = null, action, action_input: input } = value as JsonObject
  const step = {
    thought: toText(thought),
    action: (action as string).trim(),
    actionInput: input ?? {},
  }
  return { ok: true, step, isWhole: isAlone(text, start, end), isCut: truncated, start, end }
}

function isStep(value: Json): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { action, action_input, thought } = value as JsonObject
  return typeof action === 'string' && (action_input !== undefined || thought !== undefined)
}

/**
 * The step in a text as a tool call for the agent loop; `undefined` if there is none. A step among other words may be a
 * quotation, so it is marked as such; one that was cut off is marked broken.
 * @param isCut whether the model was stopped at the end of the text, so that a step at its end may be incomplete
 */
export function callFromStep(
  text: string,
  tools: ToolRegistry,
  isCut = false,
): TextToolCalls | undefined {
  const found = readCall(text, tools)
  if (found === undefined || !isCut) return found
  const isLast = text.slice(found.calls.at(-1)?.end).trim() === ''
  return isLast ? { ...found, calls: withBrokenEnd(found.calls) } : found
}

function readCall(text: string, tools: ToolRegistry): TextToolCalls | undefined {
  const read = parseReactStep(text)
  if (!read.ok) return labelledCall(text, tools)
  const { step, isWhole, isCut, start, end } = read
  const isEnd = isTerminalAction(step.action)
  const isBroken = isCut && !isEnd
  const call = {
    toolName: step.action,
    input: isBroken ? text.slice(start) : parseInput(step, tools),
    start,
    end,
    isShapeOnly: !isWhole && !isEnd,
    ...(isBroken ? ({ isBroken } as const) : {}),
  }
  const said = text
    .slice(0, start)
    .replace(/```(?:json)?\s*$/i, '')
    .trim()
  return { calls: [call], rest: [said, step.thought].filter((part) => part !== '').join('\n\n') }
}

const actionLabel =
  /^[ \t]*(?:\*\*)?Action(?:\*\*)?[ \t]{0,4}:(?:\*\*)?[ \t]{0,4}[`"']?([^\s`"'[(]{1,100})[`"']?[ \t]{0,4}\n[ \t]*(?:\*\*)?Action Input(?:\*\*)?[ \t]{0,4}:(?:\*\*)?/im

const observationLabel = /\n[ \t]*(?:\*\*)?Observation\b/i

/**
 * A step with the labels `Action:` and `Action Input:` that ends the work or names no tool; the general parser of tool calls in
 * text finds all others.
 */
function labelledCall(text: string, tools: ToolRegistry): TextToolCalls | undefined {
  const label = actionLabel.exec(text)
  const toolName = label?.[1] ?? ''
  if (label === null || (tools.get(toolName) !== undefined && !isTerminalAction(toolName)))
    return undefined
  const start = label.index
  const after = text.slice(start + label[0].length)
  const written = (after.split(observationLabel, 1)[0] ?? '').trim()
  const read = readInput(written)
  const call = {
    toolName,
    input: read?.input ?? written,
    start,
    end: text.length,
    isShapeOnly: false,
  }
  return { calls: [call], rest: withoutThoughtLabel(text.slice(0, start)) }
}

/** The input as arguments: an object written as text is parsed; other text becomes the tool's only parameter. */
function parseInput({ action, actionInput }: ReactAction, tools: ToolRegistry): Json {
  if (typeof actionInput !== 'string' || isTerminalAction(action)) return actionInput
  const read = readInput(actionInput)
  if (read !== undefined && actionInput.slice(read.end).trim() === '') return read.input
  const tool = tools.get(action)
  return tool === undefined ? actionInput : inputFromText(tool, actionInput)
}
