import { isJsonObject, type Json } from '../json.ts'
import { readValue } from './json-reader.ts'
import { cursorAt, type JsonCursor, matchAt, skipBlank, skipCharacter } from './json-scalar.ts'
import {
  type CallBlock,
  findNamedTool,
  type PrintedCall,
  type TextTool,
  type ToolTable,
} from './tool-call-block.ts'
import type { CallRun } from './tool-call-json.ts'
import { fitsTool, onlyParameter } from './tool-call-parameters.ts'

/** Calls in Python notation at the beginning of a line: `[search(query="x"), …]` or `search(query="x")`. */
export function pythonicBlocks(text: string, tools: ToolTable): readonly CallBlock[] {
  const blocks: CallBlock[] = []
  const lineStart = /^[ \t]*(?=(?:\[\s{0,20})?[A-Za-z_][\w.-]*\()/gm
  const whole = { start: text.length - text.trimStart().length, end: text.trimEnd().length }
  for (let found = lineStart.exec(text); found !== null; found = lineStart.exec(text)) {
    const start = found.index + found[0].length
    const cursor = pythonCursor(text, start)
    const calls = readCalls(cursor, tools)
    const end = cursor.position
    const isWhole = start === whole.start && end === whole.end
    if (calls?.every((call) => fitsTool(call, tools)) && isIntended(text, start, calls, isWhole)) {
      blocks.push({ start, end, calls, format: 'pythonic' })
    }
    // Reading continues where this attempt ended, so that no text is read twice.
    lineStart.lastIndex = Math.max(end, start + 1)
  }
  return blocks
}

/** Calls in a `tool_code` fence, in `print(…)` or not (Gemma 3). */
export function toolCodeBlocks(text: string, tools: ToolTable): readonly CallBlock[] {
  return [...text.matchAll(/^[ \t]*```tool_code[ \t]*\n/gm)].flatMap(({ index, 0: mark }) => {
    const start = index + mark.length
    const fenceEnd = text.indexOf('```', start)
    const end = fenceEnd < 0 ? text.length : fenceEnd
    const code = text.slice(start, end).trimEnd()
    const { calls, end: readEnd } = readLines(pythonCursor(code, 0), tools)
    const isWhole = calls.length > 0 && readEnd === code.length
    return isWhole ? [{ start, end: start + code.length, calls, format: 'marked' as const }] : []
  })
}

/** Many sentences end with a call without arguments, so such a call must be in brackets or be the whole text. */
function isIntended(
  text: string,
  start: number,
  calls: readonly PrintedCall[],
  isWhole: boolean,
): boolean {
  const hasInput = calls.every(({ input }) => isJsonObject(input) && Object.keys(input).length > 0)
  return hasInput || text[start] === '[' || isWhole
}

/** The calls in a text that contains nothing else. */
export function wholePythonicCalls(
  text: string,
  tools: ToolTable,
): readonly PrintedCall[] | undefined {
  const trimmed = text.trim()
  const { calls, end } = readLines(pythonCursor(trimmed, 0), tools)
  return calls.length > 0 && end === trimmed.length ? calls : undefined
}

function pythonCursor(text: string, position: number): JsonCursor {
  return cursorAt(text, position, text.length, ',:}])')
}

/** Calls on consecutive lines, each in `print(…)` or not. */
function readLines(cursor: JsonCursor, tools: ToolTable): CallRun {
  const calls: PrintedCall[] = []
  for (;;) {
    skipBlank(cursor)
    const end = cursor.position
    const isPrinted = !tools.has('print') && matchAt(/print\(\s{0,20}/y, cursor) !== undefined
    const found = readCalls(cursor, tools)
    if (found === undefined || (isPrinted && !skipCharacter(cursor, ')'))) return { calls, end }
    calls.push(...found)
    skipCharacter(cursor, ';')
    if (cursor.position >= cursor.limit) return { calls, end: cursor.position }
  }
}

/** The calls at the cursor, in brackets or a single one; `undefined` for anything else. */
function readCalls(cursor: JsonCursor, tools: ToolTable): readonly PrintedCall[] | undefined {
  const isList = skipCharacter(cursor, '[')
  const calls: PrintedCall[] = []
  do {
    skipBlank(cursor)
    const call = readCall(cursor, tools)
    if (call === undefined) return undefined
    calls.push(call)
    if (isList) skipBlank(cursor)
  } while (isList && skipCharacter(cursor, ','))
  return isList && !skipCharacter(cursor, ']') ? undefined : calls
}

function readCall(cursor: JsonCursor, tools: ToolTable): PrintedCall | undefined {
  const written = matchAt(/[A-Za-z_][\w.-]*/y, cursor) ?? ''
  const tool = findNamedTool(written, tools) ?? findNamedTool(written.replace(/\.call$/, ''), tools)
  if (tool === undefined || !skipCharacter(cursor, '(')) return undefined
  const entries: [string, Json][] = []
  skipBlank(cursor)
  while (!skipCharacter(cursor, ')')) {
    const argument = readArgument(cursor, entries.length === 0 ? tool : undefined)
    if (argument === undefined) return undefined
    entries.push(argument)
    skipBlank(cursor)
    if (skipCharacter(cursor, ',')) skipBlank(cursor)
    else if (cursor.text[cursor.position] !== ')') return undefined
  }
  return { toolName: tool.name, input: Object.fromEntries(entries) }
}

/** One `key=value`. The first may omit its key if `tool` has a single parameter that it fits. */
function readArgument(cursor: JsonCursor, tool: TextTool | undefined): [string, Json] | undefined {
  const start = cursor.position
  const key = matchAt(/[A-Za-z_]\w*(?=\s{0,20}=)/y, cursor)
  const given = key ?? (tool === undefined ? undefined : onlyParameter(tool))
  if (given === undefined) return undefined
  if (key !== undefined) {
    skipBlank(cursor)
    skipCharacter(cursor, '=')
  } else cursor.position = start
  const value = readLongString(cursor) ?? readValue(cursor)?.value
  return value === undefined ? undefined : [given, value]
}

/** A triple-quoted string, verbatim. */
function readLongString(cursor: JsonCursor): string | undefined {
  skipBlank(cursor)
  const quotes = matchAt(/"""|'''/y, cursor)
  if (quotes === undefined) return undefined
  const end = cursor.text.indexOf(quotes, cursor.position)
  const text = cursor.text.slice(cursor.position, end < 0 ? cursor.limit : end)
  cursor.position = end < 0 ? cursor.limit : end + quotes.length
  return end < 0 ? undefined : text
}
