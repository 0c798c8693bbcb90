import type { Json, JsonObject } from '../../kernel/json.ts'

/** A JSON value as an object; anything else as one without fields. */
export function asObject(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {}
}
