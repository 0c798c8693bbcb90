import type { Json, JsonObject } from '../json.ts'
import { type JsonReading, readContainer } from './json-reader.ts'
import { cursorAt } from './json-scalar.ts'

/** A JSON object or array that stands in a text, at the half-open span `start` to `end` (UTF-16 code units). */
export interface JsonCandidate {
  readonly value: Json
  readonly start: number
  readonly end: number
  /** Whether it stands in a code fence marked as JSON or not marked at all. */
  readonly fenced: boolean
  /** Whether the text, or the fence, ended before the JSON did; `value` is what was there. */
  readonly truncated: boolean
}

/** A JSON object taken from a text, or why there is none, in words that a model can act on. */
export type ParsedObject =
  | { readonly ok: true; readonly value: JsonObject; readonly truncated: boolean }
  | { readonly ok: false; readonly reason: string }

interface ObjectCandidate extends JsonCandidate {
  readonly value: JsonObject
}

interface Fence {
  readonly marker: string
  readonly isJson: boolean
  /** Where the marker stands again, or -1. */
  end: number
}

/** Text that fails to be JSON is read again from its second character until this much was re-read, times its length. */
const maxRereading = 4

/**
 * All JSON objects and arrays of a text in the order they stand in it; what lies inside one of them is not listed
 * again, and bare strings and numbers are not listed at all. The reader is lenient where the text is clearly meant as
 * JSON (see {@link readContainer}). Takes time linear in the text's length: a text whose failures would make it read
 * more than five times its own length is from there on read past each failure, where JSON hidden inside is lost.
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
 * The first object of a text that has all of `requiredKeys`: the whole text if it is one, else a fenced one, else any
 * other, and only then one that is cut off. An array with a single object in it counts as that object.
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

/** The fence that is open after a run of fence characters: the run closes an open one of its kind, or opens one. */
function fenceAfter(
  open: Fence | undefined,
  marker: string,
  text: string,
  after: number,
): Fence | undefined {
  if (open !== undefined) return marker.startsWith(open.marker) ? undefined : open
  // Bounded, because fences may follow each other with no space between.
  const language = /[^\s{[]{0,20}/y
  language.lastIndex = after
  const name = (language.exec(text)?.[0] ?? '').toLowerCase()
  const isJson = ['', 'json', 'jsonc', 'json5'].includes(name)
  return { marker, isJson, end: text.indexOf(marker, after) }
}

/** JSON may hold fence marks in its strings, so the fence's end cuts only what does not end by itself. */
function readInFence(text: string, start: number, fence: Fence | undefined): JsonReading {
  const reading = readContainer(cursorAt(text, start))
  if (fence === undefined || (reading.ok && !reading.truncated)) return reading
  if (fence.end !== -1 && fence.end < start) fence.end = text.indexOf(fence.marker, start)
  if (fence.end === -1) return reading
  const inside = readContainer(cursorAt(text, start, fence.end))
  return inside.ok ? inside : reading
}
