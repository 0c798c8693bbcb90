import { type Json, maxJsonDepth } from '../json.ts'
import {
  isOpener,
  isQuote,
  type JsonCursor,
  readKey,
  readScalar,
  skipBlank,
  skipCharacter,
} from './json-scalar.ts'

/** The result of {@link readContainer}: a value and its end, or the position at which the text stops being JSON. */
export type JsonReading =
  | { readonly ok: true; readonly value: Json; readonly end: number; readonly truncated: boolean }
  | { readonly ok: false; readonly failedAt: number }

type Frame =
  | { readonly kind: 'object'; readonly entries: [string, Json][] }
  | { readonly kind: 'array'; readonly items: Json[] }

/**
 * `opened`: a nested container begins; `closed`: this one ended; `unclosed`: a closer of the other kind follows; `cut`: the text
 * ended; `broken`: this is not JSON.
 */
type Step = 'read' | 'opened' | 'closed' | 'unclosed' | 'cut' | 'broken'

/**
 * Reads the object or array at the cursor. Valid JSON is read as by `JSON.parse`. It also accepts what models write: single and
 * curly quotes, unquoted keys, literals of Python and JavaScript, trailing commas, comments, raw line breaks and unescaped quotes
 * in strings, a missing comma at a line break or before a quote or opener, and a missing closer before an outer one.
 *
 * If the text ends too early, the result is the available part, marked `truncated`: an open string ends with the text, but a
 * number at the very end is left out, since digits may be missing, and so is a key without a value. Containers nested deeper than
 * 500 levels are refused.
 */
export function readContainer(cursor: JsonCursor): JsonReading {
  const open: Frame[] = [openFrame(cursor)]
  for (;;) {
    const frame = open.at(-1) as Frame
    const step = readNext(cursor, frame)
    if (step === 'broken') return { ok: false, failedAt: cursor.position }
    if (step === 'cut') return closeAll(open, cursor)
    if (step === 'opened') {
      if (open.length === maxJsonDepth) return { ok: false, failedAt: cursor.position }
      open.push(openFrame(cursor))
    }
    if (step === 'unclosed' && open.every(({ kind }) => kind === frame.kind)) {
      return { ok: false, failedAt: cursor.position }
    }
    if (step === 'closed' || step === 'unclosed') {
      open.pop()
      const parent = open.at(-1)
      const value = frameValue(frame)
      if (parent === undefined) return { ok: true, value, end: cursor.position, truncated: false }
      addValue(parent, value)
    }
  }
}

/** Reads one value of any kind at the cursor; `undefined` if there is none or it is cut off. */
export function readValue(cursor: JsonCursor): { readonly value: Json } | undefined {
  skipBlank(cursor)
  if (isOpener(cursor.text[cursor.position])) {
    const reading = readContainer(cursor)
    return reading.ok && !reading.truncated ? { value: reading.value } : undefined
  }
  const scalar = readScalar(cursor)
  return scalar.kind === 'value' ? { value: scalar.value } : undefined
}

function openFrame(cursor: JsonCursor): Frame {
  const isObject = cursor.text[cursor.position] === '{'
  cursor.position++
  return isObject ? { kind: 'object', entries: [] } : { kind: 'array', items: [] }
}

function frameValue(frame: Frame): Json {
  return frame.kind === 'object' ? Object.fromEntries(frame.entries) : frame.items
}

function frameSize(frame: Frame): number {
  return frame.kind === 'object' ? frame.entries.length : frame.items.length
}

function addValue(frame: Frame, value: Json): void {
  if (frame.kind === 'array') frame.items.push(value)
  else (frame.entries.at(-1) as [string, Json])[1] = value
}

/** Closes the containers that the end of the text left open; not JSON if all of them are empty. */
function closeAll(open: readonly Frame[], cursor: JsonCursor): JsonReading {
  if (open.every((frame) => frameSize(frame) === 0)) return { ok: false, failedAt: cursor.limit }
  let inner: Json | undefined
  for (const frame of open.toReversed()) {
    if (inner !== undefined) addValue(frame, inner)
    inner = frameValue(frame)
  }
  return { ok: true, value: inner as Json, end: cursor.limit, truncated: true }
}

/** Reads up to and including the next value of `frame`, or its end. */
function readNext(cursor: JsonCursor, frame: Frame): Step {
  const crossedLine = skipBlank(cursor)
  if (cursor.position >= cursor.limit) return 'cut'
  const closer = frame.kind === 'object' ? '}' : ']'
  if (skipCharacter(cursor, closer)) return 'closed'
  if (frameSize(frame) > 0) {
    const hasComma = skipCharacter(cursor, ',')
    if (hasComma) skipBlank(cursor)
    if (cursor.position >= cursor.limit) return 'cut'
    if (hasComma && skipCharacter(cursor, closer)) return 'closed'
    if (!isCloser(cursor) && !hasComma && !crossedLine && !startsValue(cursor)) return 'broken'
  }
  if (isCloser(cursor)) return 'unclosed'
  return frame.kind === 'object' ? readMember(cursor, frame.entries) : readItem(cursor, frame.items)
}

function readItem(cursor: JsonCursor, items: Json[]): Step {
  if (isOpener(cursor.text[cursor.position])) return 'opened'
  const scalar = readScalar(cursor)
  if (scalar.kind !== 'broken' && scalar.value !== undefined) items.push(scalar.value)
  return scalar.kind === 'value' ? 'read' : scalar.kind
}

function readMember(cursor: JsonCursor, entries: [string, Json][]): Step {
  const key = readKey(cursor)
  if (key.kind !== 'value') return key.kind
  skipBlank(cursor)
  if (cursor.position >= cursor.limit) return 'cut'
  if (!skipCharacter(cursor, ':')) return 'broken'
  skipBlank(cursor)
  if (cursor.position >= cursor.limit) return 'cut'
  if (isOpener(cursor.text[cursor.position])) {
    entries.push([key.value as string, null])
    return 'opened'
  }
  const scalar = readScalar(cursor)
  if (scalar.kind !== 'broken' && scalar.value !== undefined) {
    entries.push([key.value as string, scalar.value])
  }
  return scalar.kind === 'value' ? 'read' : scalar.kind
}

function isCloser({ text, position }: JsonCursor): boolean {
  return text[position] === '}' || text[position] === ']'
}

/** Whether the next character can only start a new value, even without a comma before it. */
function startsValue({ text, position }: JsonCursor): boolean {
  return isOpener(text[position]) || isQuote(text[position])
}
