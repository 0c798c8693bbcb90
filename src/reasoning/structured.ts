import { ScholiumError } from '../kernel/errors.ts'
import type { Json, JsonObject } from '../kernel/json.ts'
import { parseJsonObject } from '../kernel/text/json-from-text.ts'

/** An object parsed from a model's text, or the error that explains why there is none. */
export type StructuredReading =
  | {
      readonly ok: true
      readonly value: JsonObject
      /** Whether the text ended before its JSON did; the available part has the required keys. */
      readonly truncated: boolean
    }
  | { readonly ok: false; readonly error: ScholiumError }

/** Maximum length in characters of a model's text in an error. */
const maxRawLength = 500

const blockKeys = ['thinking', 'answer']

/**
 * Parses an object with all of `neededKeys` from a model's text: the whole text as JSON; otherwise JSON in a fence; otherwise the
 * first object in the text that has the keys; otherwise, if only `thinking` and `answer` are needed, a `<thinking>` block
 * followed by the answer. The error is `model_output_malformed` and contains the text, cut to 500 characters.
 */
export function parseStructured(text: string, neededKeys: readonly string[]): StructuredReading {
  const written = text.toWellFormed()
  const found = parseJsonObject(written, neededKeys)
  if (found.ok) return found
  const block = neededKeys.every((key) => blockKeys.includes(key))
    ? readThinkingBlock(written)
    : undefined
  if (block !== undefined) return { ok: true, value: block, truncated: false }
  return { ok: false, error: malformedText(found.reason, written) }
}

/** The error for a text without a usable form: the reason, and the text cut to 500 characters. */
export function malformedText(
  reason: string,
  text: string,
  details: JsonObject = {},
): ScholiumError {
  const raw = text.slice(0, maxRawLength).toWellFormed()
  return new ScholiumError(
    'model_output_malformed',
    `The answer of the model cannot be used: ${reason} It was: ${raw}`,
    {
      hint: 'Try another model; small models often cannot keep to a form.',
      details: { reason, text: raw, ...details },
    },
  )
}

const opener = '<thinking>'
const closer = '</thinking>'

/** The first complete `<thinking>` block of a text, and the text after it (or before it, if nothing follows). */
function readThinkingBlock(text: string): JsonObject | undefined {
  const lower = text.toLowerCase()
  // A letter whose lower case is longer would shift positions.
  const searched = lower.length === text.length ? lower : text
  const start = searched.indexOf(opener)
  const end = start < 0 ? -1 : searched.indexOf(closer, start)
  if (end < 0) return undefined
  const after = text.slice(end + closer.length).trim()
  const rest = after === '' ? text.slice(0, start).trim() : after
  return { thinking: text.slice(start + opener.length, end).trim(), answer: answerFromText(rest) }
}

/** The answer in plain text without its label; a number, boolean or JSON is parsed. */
function answerFromText(text: string): Json {
  const bare = text.replace(/^(?:final )?answer[ \t]{0,4}:[ \t]{0,4}/i, '').trim()
  try {
    const value = JSON.parse(bare) as Json
    // 42 is a number; 042, 4.20 and numbers that cannot be represented exactly remain text.
    return typeof value !== 'number' || String(value) === bare ? value : bare
  } catch {
    return bare
  }
}

/** A value as readable text: lists of texts line by line, nothing for null. */
export function toText(value: Json): string {
  if (typeof value === 'string') return value
  if (value === null) return ''
  const isLines = Array.isArray(value) && value.every((item: Json) => typeof item === 'string')
  return isLines ? value.join('\n') : JSON.stringify(value)
}
