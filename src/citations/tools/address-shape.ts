import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { allowed, itemSchemas } from './schema-parts.ts'

/** What a parameter takes for its address: one, a list, null. */
export interface AddressShape {
  readonly one: boolean
  readonly many: boolean
  readonly none: boolean
}

/**
 * What of an address a parameter takes by its schema; `undefined` where it takes no free text at all, `unknown` where it does and
 * numbers could not stand for it: without a type, as text or something else, in lists of lists, by names that anybody chooses.
 */
export function shapeOf(
  root: JsonObject,
  schema: JsonObject,
): AddressShape | 'unknown' | undefined {
  const shape = { one: false, many: false, none: false }
  let isOther = false
  const options = allowed(root, schema)
  const kinds = options.flatMap((option) => typesOf(option).map((type) => [type, option] as const))
  if (kinds.length === 0) return 'unknown'
  for (const [type, option] of kinds) {
    const kind = type === 'array' ? listKind(root, option) : kindOf(root, type, option)
    if (kind === 'open') return 'unknown'
    if (kind === 'text' && type === 'array') shape.many = true
    else if (kind === 'text') shape.one = true
    else if (kind === 'null') shape.none = true
    else isOther = true
  }
  if (!shape.one && !shape.many) return undefined
  return isOther ? 'unknown' : shape
}

/** `open` takes text in a place that has no name; `other` none, or only under names of its own. */
type Kind = 'text' | 'null' | 'other' | 'open'

function kindOf(root: JsonObject, type: Json, option: JsonObject): Kind {
  if (type === 'string') return 'text'
  if (type === 'null') return 'null'
  if (type === 'array') return 'open'
  return type === 'object' && isOpenObject(root, option) ? 'open' : 'other'
}

function listKind(root: JsonObject, option: JsonObject): Kind {
  const schemas = itemSchemas([option])
  if (schemas.length === 0) return option.items === false ? 'other' : 'text'
  const kinds = schemas.flatMap((schema) => {
    const options = allowed(root, schema)
    const own = options.flatMap((one) => typesOf(one).map((type) => kindOf(root, type, one)))
    return own.length === 0 ? ['open' as const] : own
  })
  const found = new Set(kinds)
  if (found.size === 1) return kinds[0] === 'null' ? 'other' : (kinds[0] as Kind)
  return found.has('text') || found.has('open') ? 'open' : 'other'
}

/** Whether an object takes text under any name. */
function isOpenObject(
  root: JsonObject,
  { properties, patternProperties, additionalProperties }: JsonObject,
): boolean {
  if (additionalProperties === undefined)
    return !isJsonObject(properties) && !isJsonObject(patternProperties)
  if (!isJsonObject(additionalProperties)) return additionalProperties === true
  const types = allowed(root, additionalProperties).flatMap(typesOf)
  return types.length === 0 || types.includes('string') || types.includes('array')
}

const impliedBy: readonly (readonly [string, readonly string[]])[] = [
  ['string', ['format', 'pattern', 'minLength', 'maxLength']],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems']],
  ['object', ['properties', 'patternProperties', 'additionalProperties']],
  ['number', ['minimum', 'maximum', 'multipleOf']],
]

/** The types of what a schema itself allows, `fixed` for values to choose from. */
function typesOf(schema: JsonObject): readonly Json[] {
  const { type, enum: values, const: constant } = schema
  if (constant === null) return ['null']
  if (constant !== undefined || values !== undefined) return ['fixed']
  if (type !== undefined) return Array.isArray(type) ? type : [type]
  return impliedBy.flatMap(([name, keywords]) =>
    keywords.some((keyword) => schema[keyword] !== undefined) ? [name] : [],
  )
}
