import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { cleanLine, cleanText } from './untrusted-text.ts'

const maxSchemaChars = 64 * 1024
const maxDepth = 32
const maxNoteChars = 1_000
/** Keywords with values, not schemas. */
const valueKeywords = ['default', 'const', 'enum', 'examples']
/** Keywords with schemas under arbitrary names. */
const namedKeywords = [
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]

/** A schema that can be passed to a model, or why not. */
export type CheckedSchema =
  | { readonly ok: true; readonly schema: JsonObject }
  | { readonly ok: false; readonly reason: string }

/** Checks the JSON Schema of a tool's arguments, and cleans its texts, which models read. */
export async function checkToolSchema(schema: unknown): Promise<CheckedSchema> {
  if (!isJsonObject(schema)) return refused('it has no schema of its arguments')
  if (schema.type !== 'object') return refused('its arguments are not an object ("type": "object")')
  if (measureDepth(schema) > maxDepth)
    return refused(`its schema is deeper than ${maxDepth} levels`)
  if (JSON.stringify(schema).length > maxSchemaChars) {
    return refused(`its schema is longer than ${maxSchemaChars / 1024} KB`)
  }
  const foreign = findReference(schema)
  if (foreign !== undefined) return refused(`its schema refers to another document, ${foreign}`)
  const { $schema: _dialect, ...rest } = schema
  const problem = await findSchemaProblem(rest)
  if (problem !== undefined) return refused(`its schema is invalid: ${problem}`)
  return { ok: true, schema: cleanSchema(rest) as JsonObject }
}

function refused(reason: string): CheckedSchema {
  return { ok: false, reason: cleanText(reason, 300) }
}

/** Violations of JSON Schema's own rules. */
async function findSchemaProblem(schema: JsonObject): Promise<string | undefined> {
  const { Ajv } = await import('@modelcontextprotocol/client/validators/ajv')
  const ajv = new Ajv({ strict: false, logger: false })
  // Validated as data and never compiled: a server's patterns are not run here.
  if (ajv.validateSchema(schema)) return undefined
  return ajv.errorsText(ajv.errors?.slice(0, 1), { dataVar: 'schema' })
}

function findReference(value: Json | undefined): string | undefined {
  if (Array.isArray(value)) return findFirst(value, findReference)
  if (!isJsonObject(value)) return undefined
  const { $ref, $dynamicRef } = value
  for (const reference of [$ref, $dynamicRef]) {
    if (typeof reference === 'string' && !reference.startsWith('#')) return reference
  }
  return findFirst(Object.values(value), findReference)
}

function findFirst(
  values: readonly (Json | undefined)[],
  find: (value: Json | undefined) => string | undefined,
): string | undefined {
  for (const value of values) {
    const found = find(value)
    if (found !== undefined) return found
  }
  return undefined
}

function cleanSchema(schema: Json | undefined): Json | undefined {
  if (Array.isArray(schema)) return schema.map((item) => cleanSchema(item) as Json)
  if (!isJsonObject(schema)) return schema
  const members = Object.entries(schema).filter(([key]) => key !== '$comment')
  return Object.fromEntries(members.map(([key, value]) => [key, cleanMember(key, value)]))
}

function cleanMember(key: string, value: Json | undefined): Json | undefined {
  if (valueKeywords.includes(key)) return value
  if (typeof value === 'string') {
    return key === 'description' || key === 'title' ? cleanText(value, maxNoteChars) : value
  }
  if (!namedKeywords.includes(key) || !isJsonObject(value)) return cleanSchema(value)
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, cleanSchema(part)]))
}

/** The depth of a JSON value, computed without recursion: 1 if it contains nothing. */
export function measureDepth(value: unknown): number {
  let level: readonly unknown[] = [value]
  let depth = 0
  for (; level.length > 0; depth++) {
    level = level.flatMap((item) =>
      typeof item === 'object' && item !== null ? Object.values(item) : [],
    )
  }
  return depth
}

/** Why arguments are refused before the server sees them: missing or of a plainly wrong type. The rest is up to the server. */
export function findArgumentsProblem(schema: JsonObject, input: JsonObject): string | undefined {
  const required = Array.isArray(schema.required) ? schema.required : []
  const missing = required.filter((name) => input[name as string] === undefined)
  if (missing.length > 0) return `missing: ${cleanLine(missing.join(', '), 300)}`
  const properties = isJsonObject(schema.properties) ? schema.properties : {}
  for (const [name, value] of Object.entries(input)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    const type = isJsonObject(property) ? property.type : undefined
    if (typeof type === 'string' && !hasType(value, type)) {
      return `${cleanLine(name, 100)} must be of type ${type}`
    }
  }
  return undefined
}

function hasType(value: Json | undefined, type: string): boolean {
  switch (type) {
    case 'object':
      return isJsonObject(value)
    case 'array':
      return Array.isArray(value)
    case 'null':
      return value === null
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}
