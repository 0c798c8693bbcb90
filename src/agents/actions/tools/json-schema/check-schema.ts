import type { Json } from '../../../../kernel/json.ts'
import { withinTime } from '../within-time.ts'
import { BadSchema, type SchemaError } from './schema-error.ts'
import { schemaErrors } from './validate.ts'

/** What came of a check: the places that do not fit, or why there was none. */
export type SchemaOutcome =
  | { readonly ok: true; readonly errors: readonly SchemaError[] }
  | { readonly ok: false; readonly problem: string }

const timeoutMs = 2_000

/** Checks a value against a JSON Schema, for at most 2 s: patterns may take for ever. */
export function checkSchema(schema: unknown, value: Json): SchemaOutcome {
  try {
    const checked = withinTime(timeoutMs, () => schemaErrors(schema, value))
    if (checked.ok) return { ok: true, errors: checked.value }
    return { ok: false, problem: `The check took longer than ${timeoutMs} ms.` }
  } catch (error) {
    if (error instanceof BadSchema) return { ok: false, problem: error.message }
    if (error instanceof RangeError || error instanceof URIError)
      return { ok: false, problem: `The schema cannot be followed: ${error.message}.` }
    throw error
  }
}
