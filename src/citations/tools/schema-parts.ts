import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'

/** Keywords whose schemas are about the same value as the schema that they stand in, by the form of their values. */
const sameValue = {
  single: ['not', 'if', 'then', 'else'],
  lists: ['anyOf', 'oneOf', 'allOf'],
  named: ['dependentSchemas'],
} as const
/** Keywords whose schemas are about members, items or nothing by themselves. */
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

/** The objects of a list; none where it is no list. */
function objectsIn(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter(isJsonObject) : []
}

function objectsOf(value: Json | undefined): readonly JsonObject[] {
  return isJsonObject(value) ? Object.values(value).filter(isJsonObject) : []
}

/** A schema with each schema directly inside of it replaced. */
export function mapInside(schema: JsonObject, map: (inside: JsonObject) => JsonObject): JsonObject {
  const changed: Record<string, Json | undefined> = { ...schema }
  const mapOne = (value: Json | undefined) => (isJsonObject(value) ? map(value) : value)
  for (const keyword of [...sameValue.single, ...parts.single])
    if (isJsonObject(schema[keyword])) changed[keyword] = mapOne(schema[keyword])
  for (const keyword of [...sameValue.lists, ...parts.lists]) {
    const list = schema[keyword]
    if (Array.isArray(list))
      changed[keyword] = (list as readonly Json[]).map((one) => mapOne(one) as Json)
  }
  for (const keyword of [...sameValue.named, ...parts.named]) {
    const members = schema[keyword]
    if (!isJsonObject(members)) continue
    changed[keyword] = Object.fromEntries(
      Object.entries(members).map(([name, member]) => [name, mapOne(member)]),
    )
  }
  return changed
}

/** The schemas that a value at one place has to do with: these and, through `$ref` and combinations, those inside, each once. */
export function alternatives(
  root: JsonObject,
  schemas: readonly JsonObject[],
): readonly JsonObject[] {
  return reach(root, schemas, sameValue)
}

/** The schemas by which a value at one place may be allowed: not those of conditions and exclusions. */
export function allowed(root: JsonObject, schema: JsonObject): readonly JsonObject[] {
  return reach(root, [schema], { ...sameValue, single: ['then', 'else'] })
}

function reach(
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
    const target = referenced(root, schema)
    if (target !== undefined) open.push(target)
    open.push(...through.single.flatMap((keyword) => objectsIn([schema[keyword] ?? null])))
    open.push(...through.lists.flatMap((keyword) => objectsIn(schema[keyword])))
    open.push(...through.named.flatMap((keyword) => objectsOf(schema[keyword])))
  }
  return [...found]
}

/** What a schema's `$ref` into its own document leads to. */
function referenced(root: JsonObject, { $ref }: JsonObject): JsonObject | undefined {
  if (typeof $ref !== 'string' || !$ref.startsWith('#')) return undefined
  let target: Json | undefined = root
  for (const segment of $ref.slice(1).split('/').slice(1)) {
    const name = segment.replaceAll('~1', '/').replaceAll('~0', '~')
    target = isJsonObject(target) && Object.hasOwn(target, name) ? target[name] : undefined
  }
  return isJsonObject(target) ? target : undefined
}

/**
 * The schemas that an object's member may have that is not among `properties`: those of all patterns, and those of any other. A
 * server's patterns are not run here: one may take for ever.
 */
export function memberSchemas(options: readonly JsonObject[]): readonly JsonObject[] {
  return options.flatMap(({ patternProperties, additionalProperties, unevaluatedProperties }) => [
    ...objectsOf(patternProperties),
    ...objectsIn([additionalProperties ?? null, unevaluatedProperties ?? null]),
  ])
}

/** The schemas of a list's item; of any item where `index` is left out. */
export function itemSchemas(options: readonly JsonObject[], index?: number): readonly JsonObject[] {
  return options.flatMap((option) => {
    const tuple = [...objectsIn(option.prefixItems), ...objectsIn(option.items)]
    const own = index === undefined ? tuple : tuple.slice(index, index + 1)
    const { items, additionalItems, unevaluatedItems, contains } = option
    const each = own.length > 0 && index !== undefined ? [] : [items, additionalItems]
    return [...own, ...objectsIn([...each, unevaluatedItems, contains].map((one) => one ?? null))]
  })
}
