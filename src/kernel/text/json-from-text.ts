import type { Json, JsonObject } from '../json.ts'
import { type JsonReading, readContainer } from './json-reader.ts'
import { cursorAt } from './json-scalar.ts'

/** A JSON object or array in a text, in the half-open span `start` to `end` (UTF-16 code units). */
export interface JsonCandidate {
  readonly value: Json
  readonly start: number
  readonly end: number
  /** Whether it is in a code fence that is unmarked or marked as JSON. */
  readonly fenced: boolean
  /** Whether the text, or the fence, ended before the JSON did; `value` is the available part. */
  readonly truncated: boolean
}

/** A JSON object from a text, or why there is none, in words that a model can act on. */
export type ParsedObject =
  | { readonly ok: true; readonly value: JsonObject; readonly truncated: boolean }
  | { readonly ok: false; readonly reason: string }

interface ObjectCandidate extends JsonCandidate {
  readonly value: JsonObject
}

interface Fence {
  readonly marker: string
  readonly isJson: boolean
  /** Position of the closing marker, or -1. */
  end: number
}

/**
 * Text that is not JSON is read again from its second character, until the total re-read is this many times the text's length.
 */
const maxRereading = 4

/**
 * Finds all JSON objects and arrays in a text, in order, without those nested in one another; bare strings and numbers are
 * ignored. The reader is lenient where JSON is clearly intended (see {@link readContainer}). Takes linear time: once failed
 * attempts add up to more than five times the text's length, reading continues after each failure, and JSON hidden inside one is
 * missed.
 */
export function findJson(text: string): readonly JsonCandidate[] {
  const found: JsonCandidate[] = []
  const mark = /[{[]|`{3,}|~{3,}/g
  let fence: Fence | undefined
  let reread = 0
  for (let next = mark.exec(text); next !== null; next = mark.exec(text)) {
    const start = next.index
    if (next[0] !== '{' && next[0] !== '[') {
      fence = fenceAfter(fence, next[0], text, mark.lastIndex)
      continue
    }
    const reading = readInFence(text, start, fence)
    if (reading.ok) {
      const { value, end, truncated } = reading
      found.push({ value, start, end, fenced: fence?.isJson ?? false, truncated })
      mark.lastIndex = end
      continue
    }
    reread += reading.failedAt - start
    if (reread > maxRereading * text.length) mark.lastIndex = Math.max(reading.failedAt, start + 1)
  }
  return found
}

/**
 * The first object in a text that has all of `requiredKeys`, preferring the whole text, then a fenced object, then any other, and
 * last a truncated one. An array with a single object counts as that object.
 */
export function parseJsonObject(text: string, requiredKeys: readonly string[]): ParsedObject {
  const length = text.trim().length
  const objects = findJson(text)
    .flatMap((candidate) => onlyObject(candidate))
    .sort((a, b) => rank(a, length) - rank(b, length))
  const missing = objects.map(({ value }) =>
    requiredKeys.filter((key) => !Object.hasOwn(value, key)),
  )
  const fewest = Math.min(...missing.map((keys) => keys.length))
  const index = missing.findIndex((keys) => keys.length === fewest)
  const closest = objects[index]
  if (closest === undefined) return { ok: false, reason: 'There is no JSON object in the text.' }
  const { value, truncated } = closest
  if (fewest === 0) return { ok: true, value, truncated }
  const names = missing[index]?.map((key) => JSON.stringify(key)).join(', ')
  const reason = truncated ? 'is cut off before' : 'lacks'
  return { ok: false, reason: `The JSON object ${reason} ${names}.` }
}

function rank(candidate: JsonCandidate, textLength: number): number {
  if (candidate.truncated) return 3
  if (candidate.end - candidate.start === textLength) return 0
  return candidate.fenced ? 1 : 2
}

function onlyObject(candidate: JsonCandidate): readonly ObjectCandidate[] {
  const { value } = candidate
  const inner: Json = Array.isArray(value) && value.length === 1 ? value[0] : value
  if (inner === null || typeof inner !== 'object' || Array.isArray(inner)) return []
  return [{ ...candidate, value: inner as JsonObject }]
}

/** The open fence after a run of fence characters, which closes an open fence of its kind or opens a new one. */
function fenceAfter(
  open: Fence | undefined,
  marker: string,
  text: string,
  after: number,
): Fence | undefined {
  if (open !== undefined) return marker.startsWith(open.marker) ? undefined : open
  // Bounded, because fences may follow each other without a space.
  const language = /[^\s{[]{0,20}/y
  language.lastIndex = after
  const name = (language.exec(text)?.[0] ?? '').toLowerCase()
  const isJson = ['', 'json', 'jsonc', 'json5'].includes(name)
  return { marker, isJson, end: text.indexOf(marker, after) }
}

/** JSON strings may contain fence marks, so the fence's end only truncates JSON that does not end by itself. */
function readInFence(text: string, start: number, fence: Fence | undefined): JsonReading {
  const reading = readContainer(cursorAt(text, start))
  if (fence === undefined || (reading.ok && !reading.truncated)) return reading
  if (fence.end !== -1 && fence.end < start) fence.end = text.indexOf(fence.marker, start)
  if (fence.end === -1) return reading
  const inside = readContainer(cursorAt(text, start, fence.end))
  return inside.ok ? inside : reading
}
