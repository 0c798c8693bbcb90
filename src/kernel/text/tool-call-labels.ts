import type { Json } from '../json.ts'
import { type CallBlock, findNamedTool, type TextTool, type ToolTable } from './tool-call-block.ts'
import { inputFromText, readInput } from './tool-call-parameters.ts'
import { wholePythonicCalls } from './tool-call-pythonic.ts'

/**
 * Labels of the user and of tool results. What follows such a label is invented by the model, or quoted from an earlier exchange.
 */
const foreignLabel = /^[ \t]*(?:\*\*)?(?:Observation|Question|User|Human)\b[^\n:]{0,10}:/im
/** The label of an action; the third group is the tool's name. */
export const actionLabel =
  /^[ \t]*(?:\*\*)?Action(?:[ \t]{1,4}(\d{1,4}))?(?:\*\*)?[ \t]{0,4}:(?:\*\*)?[ \t]{0,4}([`"']?)([\w.-]+)\2/gm
const inputLabel =
  /^[ \t]{0,20}\n[ \t]*(?:\*\*)?Action[ _]Input(?:[ \t]{1,4}\d{1,4})?(?:\*\*)?[ \t]{0,4}:(?:\*\*)?/i

/** An action's input and its end. */
interface LabelledInput {
  readonly input: Json
  readonly end: number
}

/**
 * `Action: name` with `Action Input: …` below it, `Action: name[input]` or `Action: name(key=value)` (ReAct), up to the first
 * observation. A numbered action followed by its observation belongs to the log of an earlier exchange.
 */
export function labelledBlocks(text: string, tools: ToolTable): readonly CallBlock[] {
  const foreignAt = foreignLabel.exec(text)?.index ?? text.length
  const own = text.slice(0, foreignAt)
  const actions = [...own.matchAll(actionLabel)]
  const blocks = actions.flatMap((found, index): readonly CallBlock[] => {
    const [label, number, , name = ''] = found
    const tool = findNamedTool(name, tools)
    if (tool === undefined || (number !== undefined && foreignAt < text.length)) return []
    const start = found.index + label.length
    const content = own.slice(start, actions[index + 1]?.index)
    const read = readActionInput(content, tool, `${name}${firstLine(content)}`, tools)
    if (read === undefined) return []
    const calls = [{ toolName: tool.name, input: read.input }]
    const end = start + read.end
    return [{ start: found.index, end, calls, format: 'labelled' }]
  })
  return withoutInvention(blocks, text, foreignAt)
}

/** Drops everything after an observation that the model invented. */
function withoutInvention(
  blocks: readonly CallBlock[],
  text: string,
  foreignAt: number,
): readonly CallBlock[] {
  const last = blocks.at(-1)
  if (last === undefined || text.slice(last.end, foreignAt).trim() !== '') return blocks
  return [...blocks.slice(0, -1), { ...last, end: text.length }]
}

function readActionInput(
  content: string,
  tool: TextTool,
  line: string,
  tools: ToolTable,
): LabelledInput | undefined {
  const label = inputLabel.exec(content)
  if (label !== null) return readLabelled(content, label[0].length, tool)
  const end = firstLine(content).length
  const bracketed = /^\s{0,4}\[(.*)\]\s*$/.exec(content.slice(0, end))
  if (bracketed !== null) return { input: inputFromText(tool, unquoted(bracketed[1] ?? '')), end }
  const [call] = wholePythonicCalls(line, tools) ?? []
  return call === undefined ? undefined : { input: call.input, end }
}

function readLabelled(content: string, from: number, tool: TextTool): LabelledInput | undefined {
  const fence = /^\s*```(?:json)?\s*/.exec(content.slice(from))
  const start = from + (fence?.[0].length ?? 0)
  const rest = content.slice(start)
  if (rest.trimStart().startsWith('{')) {
    const read = readInput(rest)
    const close = read && fence ? (/^\s*```/.exec(rest.slice(read.end))?.[0].length ?? 0) : 0
    return read && { input: read.input, end: start + read.end + close }
  }
  const line = firstLine(rest.trimStart())
  if (line.trim() === '') return undefined
  const end = start + (rest.length - rest.trimStart().length) + line.length
  return { input: inputFromText(tool, unquoted(line.trim())), end }
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}

function unquoted(text: string): string {
  return /^(["']).*\1$/.test(text) ? text.slice(1, -1) : text
}
