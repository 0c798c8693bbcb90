import * as z from 'zod'
import type { Json, JsonObject } from '../../../kernel/json.ts'
import { isJsonObject } from '../../../kernel/json.ts'
import type { ToolAction } from '../action.ts'
import { checkSchema } from './json-schema/check-schema.ts'
import { getMember, isSame } from './json-values.ts'
import { defineToolAction, failedResult, type ToolActionServices } from './tool-action.ts'
import { isText, readFileText } from './workspace-text.ts'

const object = z.record(z.string(), z.json())

/** Checks, merges and filters values. */
export function dataActions(services: ToolActionServices): readonly ToolAction[] {
  return [validateAction(), mergeAction(), filterAction(), schemaAction(services)]
}

function validateAction(): ToolAction {
  return defineToolAction({
    name: 'data.validate',
    description: 'Checks a value against a JSON Schema (draft 2020-12, $ref inside of it).',
    input: z.strictObject({
      data: z.json().describe('The value.'),
      schema: z.union([object, z.boolean()]).describe('The schema.'),
    }),
    effect: 'pure',
    result:
      '{valid, errors: [{path, message, keyword}], success}, or {error, success: false, error_type} if the schema is invalid',
    async execute({ data, schema }, { signal }): Promise<Json> {
      const checked = await checkSchema(schema, data, signal)
      if (!checked.ok) return failedResult(checked.problem, 'invalid_schema')
      return { valid: checked.errors.length === 0, errors: checked.errors, success: true }
    },
  })
}

function mergeAction(): ToolAction {
  return defineToolAction({
    name: 'data.merge',
    description: 'Merges several maps; later values override earlier ones.',
    input: z.strictObject({
      sources: z.array(object).max(100).describe('The maps, at most 100.'),
      strategy: z
        .enum(['deep', 'shallow', 'replace'])
        .default('deep')
        .describe(
          'deep: merge nested maps too; shallow: only the outermost; replace: take only the last one.',
        ),
    }),
    effect: 'pure',
    result: '{result, source_count, success}',
    async execute({ sources, strategy }): Promise<Json> {
      const joined =
        strategy === 'deep'
          ? sources.reduce<JsonObject>((one, other) => mergeObjects(one, other), {})
          : Object.fromEntries(
              strategy === 'replace'
                ? Object.entries(sources.at(-1) ?? {})
                : sources.flatMap((one) => Object.entries(one)),
            )
      return { result: joined, source_count: sources.length, success: true }
    },
  })
}

/** Merges two objects deeply, the second over the first; lists are replaced. */
function mergeObjects(one: JsonObject, other: JsonObject, isNullRemoval = false): JsonObject {
  const result = new Map(Object.entries(one))
  for (const [name, member = null] of Object.entries(other)) {
    const before = result.get(name)
    if (isNullRemoval && member === null) result.delete(name)
    else if (before !== undefined && isJsonObject(before) && isJsonObject(member))
      result.set(name, mergeObjects(before, member, isNullRemoval))
    else result.set(name, member)
  }
  return Object.fromEntries(result)
}

const operators = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'in',
  'not_in',
  'contains',
  'startswith',
  'endswith',
] as const
const predicate = z.strictObject({
  field: z.string().describe('The name of the member; dots lead into nested maps: user.name.'),
  op: z.enum(operators).default('eq'),
  value: z.json(),
})

function filterAction(): ToolAction {
  return defineToolAction({
    name: 'data.filter',
    description: 'Keeps the items of a list that meet all conditions.',
    input: z.strictObject({
      data: z.array(z.json()).describe('The list.'),
      predicate: z
        .union([predicate, z.array(predicate)])
        .describe('A condition {field, op, value}, or several that must all be met.'),
    }),
    effect: 'pure',
    result: '{result, original_count, filtered_count, success}',
    async execute({ data, predicate }): Promise<Json> {
      const rules = [predicate].flat()
      const result = data.filter((item) =>
        rules.every((rule) => matchesPredicate(rule, item as Json)),
      )
      return { result, original_count: data.length, filtered_count: result.length, success: true }
    },
  })
}

function matchesPredicate({ field, op, value }: z.output<typeof predicate>, item: Json): boolean {
  const found = field.split('.').reduce<Json>(getMember, item)
  switch (op) {
    case 'eq':
      return isSame(found, value)
    case 'ne':
      return !isSame(found, value)
    case 'in':
    case 'not_in':
      return (
        Array.isArray(value) && value.some((one) => isSame(one as Json, found)) === (op === 'in')
      )
    case 'contains':
      return Array.isArray(found)
        ? found.some((one) => isSame(one as Json, value))
        : areBothTexts(found, value, (text, part) => text.includes(part))
    case 'startswith':
      return areBothTexts(found, value, (text, part) => text.startsWith(part))
    case 'endswith':
      return areBothTexts(found, value, (text, part) => text.endsWith(part))
    default:
      return isInOrder(op, found, value)
  }
}

function areBothTexts(
  one: Json,
  other: Json,
  test: (one: string, other: string) => boolean,
): boolean {
  return typeof one === 'string' && typeof other === 'string' && test(one, other)
}

function isInOrder(op: 'gt' | 'gte' | 'lt' | 'lte', one: Json, other: Json): boolean {
  if (typeof one !== typeof other || (typeof one !== 'number' && typeof one !== 'string'))
    return false
  const [left, right] = [one, other as number | string]
  if (op === 'gt') return left > right
  if (op === 'gte') return left >= right
  return op === 'lt' ? left < right : left <= right
}

const schemaSource = z.union(
  [
    z.strictObject({ path: z.string().describe('A JSON file in the workspace.') }),
    z.strictObject({ inline: object.describe('A schema.') }),
  ],
  'must be {path: …} or {inline: …}; schemas are not fetched from elsewhere',
)

function schemaAction(services: ToolActionServices): ToolAction {
  return defineToolAction({
    name: 'schema.merge',
    description:
      'Merges JSON Schemas: maps are merged, lists and values replaced, and null removes a member.',
    input: z.strictObject({
      schemas: z
        .array(schemaSource)
        .min(1)
        .max(50)
        .describe('The schemas in order, as {path} or {inline}.'),
      validate: z
        .boolean()
        .default(false)
        .describe('Whether to check that the result is a valid schema.'),
      output_key: z
        .string()
        .min(1)
        .default('merged_schema')
        .describe('The name of the result; merged_schema by default.'),
    }),
    effect: 'read',
    calculates: true,
    untrusted: 'results',
    result: '{merged_schema, success}, or {error, success: false, error_type}',
    async execute({ schemas, validate, output_key: key }, { signal }): Promise<Json> {
      let joined: JsonObject = {}
      for (const source of schemas) {
        const schema = 'inline' in source ? source.inline : await inferSchema(services, source.path)
        if ('error_type' in schema && schema.success === false) return schema
        joined = mergeObjects(joined, schema, true)
      }
      const checked = validate ? await checkSchema(joined, null, signal) : undefined
      if (checked?.ok === false) return failedResult(checked.problem, 'invalid_schema')
      return { [key]: joined, success: true }
    },
  })
}

async function inferSchema(services: ToolActionServices, path: string): Promise<JsonObject> {
  const read = await readFileText(services, path)
  if (!isText(read)) return read
  try {
    const schema = JSON.parse(read.text) as Json
    return isJsonObject(schema)
      ? schema
      : failedResult(`${path} does not contain a schema.`, 'invalid_schema')
  } catch (error) {
    return failedResult(`${path} is not JSON: ${(error as Error).message}`, 'parse')
  }
}
