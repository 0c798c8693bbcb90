import * as z from 'zod'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import type { RunContext } from '../../../kernel/run/run-context.ts'
import { findJson, parseJsonObject } from '../../../kernel/text/json-from-text.ts'
import { checkSchema } from '../tools/json-schema/check-schema.ts'

const formatName = z.enum(['text', 'json', 'json_object'])

/** The form in which a model shall answer: `json`, or as chat completions have it. */
export const responseFormat = z.union([
  formatName,
  z.looseObject({ type: formatName }),
  z.looseObject({
    type: z.literal('json_schema'),
    json_schema: z.looseObject({ schema: z.record(z.string(), z.json()) }).optional(),
    schema: z.record(z.string(), z.json()).optional(),
  }),
])

/** The JSON that is asked for: any, or of a schema; `undefined` for plain text. */
export interface JsonForm {
  readonly schema?: JsonObject
}

/** What is asked for with a `response_format`. */
export function jsonFormOf(
  format: z.output<typeof responseFormat> | null | undefined,
): JsonForm | undefined {
  if (format === null || format === undefined) return undefined
  const type = typeof format === 'string' ? format : format.type
  if (type === 'text') return undefined
  if (typeof format === 'string' || format.type !== 'json_schema') return {}
  const { json_schema: wrapped, schema } = format as {
    readonly json_schema?: { readonly schema: JsonObject }
    readonly schema?: JsonObject
  }
  const found = wrapped?.schema ?? schema
  return found === undefined ? {} : { schema: found }
}

/** JSON that was read from a text, or why there is none that fits, in words that a model can act on. */
export type JsonReading =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly reason: string }

/**
 * The JSON in a model's answer: an object that fits the schema; without a schema any object, else any list.
 * @param name of the step in which the schema is checked
 */
export async function readJson(
  context: RunContext,
  name: string,
  text: string,
  { schema }: JsonForm,
): Promise<JsonReading> {
  if (schema === undefined) return anyJson(text)
  const required = Array.isArray(schema.required) ? (schema.required as readonly string[]) : []
  const object = parseJsonObject(text, required)
  if (!object.ok) return object
  const problems = await schemaProblems(context, name, schema, object.value)
  return problems.length === 0
    ? { ok: true, value: object.value }
    : { ok: false, reason: problems.map(({ path, message }) => `${path}: ${message}`).join('; ') }
}

/** The JSON in a text: any object, else any list. */
export function anyJson(text: string): JsonReading {
  const object = parseJsonObject(text, [])
  const list = object.ok ? undefined : findJson(text)[0]
  return list === undefined ? object : { ok: true, value: list.value }
}

/** Where a value does not fit a JSON Schema, found in one step; a schema that cannot be used is the one problem. */
export function schemaProblems(
  context: RunContext,
  name: string,
  schema: JsonObject,
  value: Json,
): Promise<readonly SchemaProblem[]> {
  return context.step(name, 'pure', { schema, value }, async ({ signal }) => {
    const checked = await checkSchema(schema, value, signal)
    return checked.ok ? checked.errors : [{ path: '', message: checked.problem }]
  })
}

/** A place that does not fit. */
export type SchemaProblem = { readonly path: string; readonly message: string }
