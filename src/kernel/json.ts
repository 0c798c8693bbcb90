import { hash } from 'node:crypto'

/** Any value that survives `JSON.parse(JSON.stringify(value))` unchanged. State, step inputs and step outputs are this. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

/** A JSON object; members that are `undefined` count as absent. */
export type JsonObject = { readonly [key: string]: Json | undefined }

/** Whether a value is an object, neither `null` nor a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A SHA-256 as 64 lower-case hex digits. */
export type Hash = string & { readonly __brand: 'Hash' }

/** Maximum nesting depth (objects and arrays) of JSON that a model wrote. */
export const maxJsonDepth = 500

/** Whether a JSON text nests objects and arrays deeper than `depth` levels. */
export function isNestedDeeper(text: string, depth: number): boolean {
  let open = 0
  let isInString = false
  for (let index = 0; index < text.length; index++) {
    const sign = text[index]
    if (sign === '"') isInString = !isInString
    else if (isInString && sign === '\\') index++
    else if (!isInString && (sign === '{' || sign === '[') && ++open > depth) return true
    else if (!isInString && (sign === '}' || sign === ']')) open--
  }
  return false
}

/** The SHA-256 of UTF-8 text or of bytes. */
export function sha256(content: string | Uint8Array): Hash {
  return hash('sha256', content) as Hash
}

/**
 * JSON text without white space and with object keys in a fixed order, so that equal values give equal text: array indices
 * (`"0"`, `"12"`) first, by number, as in every JavaScript object, then the other keys by code unit. `undefined` members are
 * left out, as `JSON.stringify` does. Numbers are printed as JavaScript prints them.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8785 (JSON Canonicalization Scheme: the same but for the array indices)
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, sortedKeys)
}

/** The SHA-256 of {@link canonicalJson}: equal for equal values whatever the order of their keys. */
export function hashJson(value: unknown): Hash {
  return sha256(canonicalJson(value))
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  const source = value as Record<string, unknown>
  const keys = Object.keys(source)
  if (isSorted(keys)) return value
  const sorted: Record<string, unknown> = Object.create(null)
  for (const key of keys.sort()) sorted[key] = source[key]
  return sorted
}

function isSorted(keys: readonly string[]): boolean {
  for (let index = 1; index < keys.length; index++) {
    if ((keys[index - 1] as string) > (keys[index] as string)) return false
  }
  return true
}

/**
 * The path of the first value inside `value` that JSON cannot represent (a function, `undefined` in an array, a class
 * instance, a cycle, `NaN`); `undefined` when there is none.
 */
export function findNonJson(
  value: unknown,
  path = '$',
  seen: readonly unknown[] = [],
): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : path
  if (typeof value !== 'object' || seen.includes(value)) return path
  const inside = [...seen, value]
  if (Array.isArray(value)) {
    return firstDefined(
      value.map((item, index) => () => findNonJson(item, `${path}[${index}]`, inside)),
    )
  }
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return path
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return firstDefined(
    members.map(
      ([key, member]) =>
        () =>
          findNonJson(member, `${path}.${key}`, inside),
    ),
  )
}

function firstDefined<T>(attempts: readonly (() => T | undefined)[]): T | undefined {
  for (const attempt of attempts) {
    const found = attempt()
    if (found !== undefined) return found
  }
  return undefined
}

/** Approximate length of a value as JSON text, in UTF-16 code units. Stops counting soon after `most`. */
export function countCharacters(value: Json | undefined, most: number): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 8
  let count = 2
  for (const [key, member] of Object.entries(value)) {
    count += (Array.isArray(value) ? 1 : key.length + 4) + countCharacters(member, most - count)
    if (count > most) break
  }
  return count
}
