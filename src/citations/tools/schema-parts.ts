import type { Json, JsonObject } from '../../kernel/json.ts'

/** Keywords whose subschemas describe the same value, by the form of the keyword's value. */
const sameValue = {
  single: ['not', 'if', 'then', 'else'],
  lists: ['anyOf', 'oneOf', 'allOf'],
  named: ['dependentSchemas'],
} as const
/** Keywords whose subschemas describe members or items, or are definitions. */
const parts = {
  single: [
    'items',
    'additionalItems',
    'unevaluatedItems',
    'contains',
    'additionalProperties',
    'unevaluatedProperties',
  ],
  lists: ['prefixItems', 'items'],
  named: ['properties', 'patternProperties', '$defs', 'definitions'],
} as const

/** Whether a value is a JSON object and not a list. */
export function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** The objects of a list; empty for anything else. */
function listObjects(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter(isObject) : []
}

function memberObjects(value: Json | undefined): readonly JsonObject[] {
  return isObject(value) ? Object.values(value).filter(isObject) : []
}

/** A schema with each direct subschema replaced. */
export function mapSubschemas(
  schema: JsonObject,
  map: (inside: JsonObject) => JsonObject,
): JsonObject {
  const changed: Record<string, Json | undefined> = { ...schema }
  const mapOne = (value: Json | undefined) => (isObject(value) ? map(value) : value)
  for (const keyword of [...sameValue.single, ...parts.single])
    if (isObject(schema[keyword])) changed[keyword] = mapOne(schema[keyword])
  for (const keyword of [...sameValue.lists, ...parts.lists]) {
    const list = schema[keyword]
    if (Array.isArray(list))
      changed[keyword] = (list as readonly Json[]).map((one) => mapOne(one) as Json)
  }
  for (const keyword of [...sameValue.named, ...parts.named]) {
    const members = schema[keyword]
    if (!isObject(members)) continue
    changed[keyword] = Object.fromEntries(
      Object.entries(members).map(([name, member]) => [name, mapOne(member)]),
    )
  }
  return changed
}

/** The schemas that concern a value at one place: these and, through `$ref` and combinations, those inside; each once. */
export function collectAlternatives(
  root: JsonObject,
  schemas: readonly JsonObject[],
): readonly JsonObject[] {
  return collectReachable(root, schemas, sameValue)
}

/** The schemas that may allow a value at one place; not those of conditions and exclusions. */
export function collectAllowed(root: JsonObject, schema: JsonObject): readonly JsonObject[] {
  return collectReachable(root, [schema], { ...sameValue, single: ['then', 'else'] })
}

function collectReachable(
  root: JsonObject,
  schemas: readonly JsonObject[],
  through: Readonly<Record<'single' | 'lists' | 'named', readonly string[]>>,
): readonly JsonObject[] {
  const found = new Set<JsonObject>()
  const open = [...schemas]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue
    found.add(next)
    const schema = next
    const target = resolveReference(root, schema)
    if (target !== undefined) open.push(target)
    open.push(...through.single.flatMap((keyword) => listObjects([schema[keyword] ?? null])))
    open.push(...through.lists.flatMap((keyword) => listObjects(schema[keyword])))
    open.push(...through.named.flatMap((keyword) => memberObjects(schema[keyword])))
  }
  return [...found]
}

/** The target of a schema's `$ref` within its document. */
function resolveReference(root: JsonObject, { $ref }: JsonObject): JsonObject | undefined {
  if (typeof $ref !== 'string' || !$ref.startsWith('#')) return undefined
  let target: Json | undefined = root
  for (const segment of $ref.slice(1).split('/').slice(1)) {
    const name = segment.replaceAll('~1', '/').replaceAll('~0', '~')
    target = isObject(target) && Object.hasOwn(target, name) ? target[name] : undefined
  }
  return isObject(target) ? target : undefined
}

/**
 * The schemas for members of an object that are not among `properties`: those of all patterns and of additional members.
 * Patterns are not run here, since a server's pattern could take forever.
 */
export function collectMemberSchemas(options: readonly JsonObject[]): readonly JsonObject[] {
  return options.flatMap(({ patternProperties, additionalProperties, unevaluatedProperties }) => [
    ...memberObjects(patternProperties),
    ...listObjects([additionalProperties ?? null, unevaluatedProperties ?? null]),
  ])
}

/** The schemas of a list's item; of any item if `index` is omitted. */
export function collectItemSchemas(
  options: readonly JsonObject[],
  index?: number,
): readonly JsonObject[] {
  return options.flatMap((option) => {
    const tuple = [...listObjects(option.prefixItems), ...listObjects(option.items)]
    const own = index === undefined ? tuple : tuple.slice(index, index + 1)
    const { items, additionalItems, unevaluatedItems, contains } = option
    const each = own.length > 0 && index !== undefined ? [] : [items, additionalItems]
    return [...own, ...listObjects([...each, unevaluatedItems, contains].map((one) => one ?? null))]
  })
}
