import type { Json, JsonObject } from '../../../kernel/json.ts'

/** Whether a value is a map. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The text of a value: itself, or its JSON. */
export function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
