import type { Json, JsonObject } from '../../../kernel/json.ts'

/** Whether a value is a map. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The text of a value: itself, or its JSON. */
export function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Whether a value is what an action gives that asked a model: what was said, by whom, and what it used. */
export function isReply(
  value: Json,
): value is JsonObject & { readonly content: string; readonly parsed?: Json } {
  if (!isObject(value)) return false
  const { content, model, usage } = value
  return typeof content === 'string' && typeof model === 'string' && isObject(usage)
}
