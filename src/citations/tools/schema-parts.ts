import type { Json, JsonObject } from '../../kernel/json.ts'

/** Keywords whose value is one schema. */
export const single = ['items', 'additionalProperties', 'contains', 'not', 'if', 'then', 'else']
/** Keywords whose value is a list of schemas. */
export const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
/** Keywords whose value is an object of schemas by name. */
export const named = ['properties', '$defs', 'definitions', 'patternProperties', 'dependentSchemas']

/** Whether a value is a JSON object and no list. */
export function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** The objects of a list; none where it is no list. */
export function objectsIn(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter(isObject) : []
}

/** A schema with each schema directly inside of it replaced. */
export function mapInside(schema: JsonObject, map: (inside: JsonObject) => JsonObject): JsonObject {
  const changed: Record<string, Json | undefined> = { ...schema }
  const mapOne = (value: Json | undefined) => (isObject(value) ? map(value) : value)
  for (const keyword of single)
    if (isObject(schema[keyword])) changed[keyword] = mapOne(schema[keyword])
  for (const keyword of lists) {
    const list = schema[keyword]
    if (Array.isArray(list))
      changed[keyword] = (list as readonly Json[]).map((one) => mapOne(one) as Json)
  }
  for (const keyword of named) {
    const members = schema[keyword]
    if (!isObject(members)) continue
    changed[keyword] = Object.fromEntries(
      Object.entries(members).map(([name, member]) => [name, mapOne(member)]),
    )
  }
  return changed
}

/**
 * The schemas that a value at one place has to do with: this one and, through `$ref` and combinations, those that it stands
 * for, each once.
 */
export function alternatives(root: JsonObject, schema: JsonObject): readonly JsonObject[] {
  const found = new Set<JsonObject>()
  const open = [schema]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue
    found.add(next)
    const target = referenced(root, next)
    if (target !== undefined) open.push(target)
    for (const keyword of ['anyOf', 'oneOf', 'allOf']) open.push(...objectsIn(next[keyword]))
    for (const keyword of ['then', 'else']) if (isObject(next[keyword])) open.push(next[keyword])
  }
  return [...found]
}

/** What a schema's `$ref` into its own document leads to. */
function referenced(root: JsonObject, { $ref }: JsonObject): JsonObject | undefined {
  if (typeof $ref !== 'string' || !$ref.startsWith('#')) return undefined
  let target: Json | undefined = root
  for (const segment of $ref.slice(1).split('/').slice(1)) {
    const name = segment.replaceAll('~1', '/').replaceAll('~0', '~')
    target = isObject(target) && Object.hasOwn(target, name) ? target[name] : undefined
  }
  return isObject(target) ? target : undefined
}
