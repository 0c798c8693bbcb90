import type { Json } from './json.ts'
import { readValue } from './json-reader.ts'
import { cursorAt, type JsonCursor, matchAt, skipBlank, takes } from './json-scalar.ts'
import type { CallBlock, PrintedCall } from './tool-call-block.ts'
import type { CallRun } from './tool-call-json.ts'

/** Calls as Python writes them, `[search(query="x"), …]` or `search(query="x")`, that begin a line. */
export function pythonicBlocks(text: string, names: ReadonlySet<string>): readonly CallBlock[] {
  const blocks: CallBlock[] = []
  const lineStart = /^[ \t]*(?=(?:\[\s*)?[A-Za-z_][\w.-]*\()/gm
  for (let found = lineStart.exec(text); found !== null; found = lineStart.exec(text)) {
    const start = found.index + found[0].length
    const cursor = pythonCursor(text, start)
    const calls = readCalls(cursor, names)
    const end = cursor.position
    if (calls !== undefined && isMeant(text, start, { calls, end })) {
      blocks.push({ start, end, calls, format: 'pythonic' })
    }
    // Reading goes on where this attempt ended, so that no stretch of text is read twice.
    lineStart.lastIndex = Math.max(end, start + 1)
  }
  return blocks
}

/** A call without arguments also ends many a sentence, so it must be in brackets or all there is. */
function isMeant(text: string, start: number, { calls, end }: CallRun): boolean {
  const hasInput = calls.every(({ input }) => Object.keys(input as object).length > 0)
  return hasInput || text[start] === '[' || text.trim() === text.slice(start, end)
}

/** The calls of a text that is nothing else. */
export function wholePythonicCalls(
  text: string,
  names: ReadonlySet<string>,
): readonly PrintedCall[] | undefined {
  const trimmed = text.trim()
  const cursor = pythonCursor(trimmed, 0)
  const calls = readCalls(cursor, names)
  return cursor.position === trimmed.length ? calls : undefined
}

function pythonCursor(text: string, position: number): JsonCursor {
  return cursorAt(text, position, text.length, ',:}])')
}

/** The calls at the cursor, in brackets or one alone; `undefined` when it is anything else. */
function readCalls(
  cursor: JsonCursor,
  names: ReadonlySet<string>,
): readonly PrintedCall[] | undefined {
  const isList = takes(cursor, '[')
  const calls: PrintedCall[] = []
  do {
    skipBlank(cursor)
    const call = readCall(cursor, names)
    if (call === undefined) return undefined
    calls.push(call)
    if (isList) skipBlank(cursor)
  } while (isList && takes(cursor, ','))
  return isList && !takes(cursor, ']') ? undefined : calls
}

function readCall(cursor: JsonCursor, names: ReadonlySet<string>): PrintedCall | undefined {
  const written = matchAt(/[A-Za-z_][\w.-]*/y, cursor) ?? ''
  const toolName = names.has(written) ? written : written.replace(/\.call$/, '')
  if (!names.has(toolName) || !takes(cursor, '(')) return undefined
  const entries: [string, Json][] = []
  skipBlank(cursor)
  while (!takes(cursor, ')')) {
    const argument = readArgument(cursor)
    if (argument === undefined) return undefined
    entries.push(argument)
    skipBlank(cursor)
    if (takes(cursor, ',')) skipBlank(cursor)
    else if (cursor.text[cursor.position] !== ')') return undefined
  }
  return { toolName, input: Object.fromEntries(entries) }
}

/** One `key=value`. Without the key the parameter is unknown, so a positional argument is no call. */
function readArgument(cursor: JsonCursor): [string, Json] | undefined {
  const key = matchAt(/[A-Za-z_]\w*/y, cursor)
  if (key === undefined) return undefined
  skipBlank(cursor)
  if (!takes(cursor, '=')) return undefined
  const read = readValue(cursor)
  return read === undefined ? undefined : [key, read.value]
}
