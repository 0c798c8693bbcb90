import { extname } from 'node:path'
import type { Json } from '../../../../kernel/json.ts'
import { doBounded } from '../../../../tools/bounded/bounded-work.ts'
import { BadSchema, type SchemaError } from './schema-error.ts'
import { schemaErrors } from './validate.ts'

/** The result of a check: the places that do not fit, or why nothing was checked. */
export type SchemaOutcome =
  | { readonly ok: true; readonly errors: readonly SchemaError[] }
  | { readonly ok: false; readonly problem: string }

const timeoutMs = 2_000

const schemaWork = {
  run: schemaOutcome,
  script: new URL(`../action-thread${extname(import.meta.url)}`, import.meta.url),
  name: 'schemaOutcome',
}

/**
 * Checks a value against a JSON Schema, for at most 2 s: patterns may take for ever.
 * @throws the signal's reason
 */
export async function checkSchema(
  schema: unknown,
  value: Json,
  signal: AbortSignal,
): Promise<SchemaOutcome> {
  const checked = await doBounded(schemaWork, [schema, value], { timeoutMs, signal })
  if (checked.ok) return checked.value
  return { ok: false, problem: `The check took longer than ${timeoutMs} ms.` }
}

/** As {@link checkSchema}, without a limit of time. */
export function schemaOutcome(schema: unknown, value: Json): SchemaOutcome {
  try {
    return { ok: true, errors: schemaErrors(schema, value) }
  } catch (error) {
    if (error instanceof BadSchema) return { ok: false, problem: error.message }
    if (error instanceof RangeError || error instanceof URIError)
      return { ok: false, problem: `The schema cannot be followed: ${error.message}.` }
    throw error
  }
}
