import type { Json, JsonObject } from '../../kernel/json.ts'
import { collectAllowed, collectItemSchemas, isObject } from './schema-parts.ts'

/** What a parameter accepts for an address: one, a list, null. */
export interface AddressShape {
  readonly one: boolean
  readonly many: boolean
  readonly none: boolean
}

/**
 * What a parameter accepts for an address according to its schema. `undefined` if it accepts no free text; `unknown` if
 * numbers cannot replace the text: without a type, as text or something else, in nested lists, under arbitrary names.
 */
export function readAddressShape(
  root: JsonObject,
  schema: JsonObject,
): AddressShape | 'unknown' | undefined {
  const shape = { one: false, many: false, none: false }
  let isOther = false
  const options = collectAllowed(root, schema)
  const kinds = options.flatMap((option) =>
    listTypes(option).map((type) => [type, option] as const),
  )
  if (kinds.length === 0) return 'unknown'
  for (const [type, option] of kinds) {
    const kind = type === 'array' ? classifyList(root, option) : classifyType(root, type, option)
    if (kind === 'open') return 'unknown'
    if (kind === 'text' && type === 'array') shape.many = true
    else if (kind === 'text') shape.one = true
    else if (kind === 'null') shape.none = true
    else isOther = true
  }
  if (!shape.one && !shape.many) return undefined
  return isOther ? 'unknown' : shape
}

/** `open` accepts text in a place without a name; `other` accepts none, or only under its own names. */
type Kind = 'text' | 'null' | 'other' | 'open'

function classifyType(root: JsonObject, type: Json, option: JsonObject): Kind {
  if (type === 'string') return 'text'
  if (type === 'null') return 'null'
  if (type === 'array') return 'open'
  return type === 'object' && isOpenObject(root, option) ? 'open' : 'other'
}

function classifyList(root: JsonObject, option: JsonObject): Kind {
  const schemas = collectItemSchemas([option])
  if (schemas.length === 0) return option.items === false ? 'other' : 'text'
  const kinds = schemas.flatMap((schema) => {
    const options = collectAllowed(root, schema)
    const own = options.flatMap((one) =>
      listTypes(one).map((type) => classifyType(root, type, one)),
    )
    return own.length === 0 ? ['open' as const] : own
  })
  const found = new Set(kinds)
  if (found.size === 1) return kinds[0] === 'null' ? 'other' : (kinds[0] as Kind)
  return found.has('text') || found.has('open') ? 'open' : 'other'
}

/** Whether an object accepts text under any name. */
function isOpenObject(
  root: JsonObject,
  { properties, patternProperties, additionalProperties }: JsonObject,
): boolean {
  if (additionalProperties === undefined)
    return !isObject(properties) && !isObject(patternProperties)
  if (!isObject(additionalProperties)) return additionalProperties === true
  const types = collectAllowed(root, additionalProperties).flatMap(listTypes)
  return types.length === 0 || types.includes('string') || types.includes('array')
}

const impliedBy: readonly (readonly [string, readonly string[]])[] = [
  ['string', ['format', 'pattern', 'minLength', 'maxLength']],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems']],
  ['object', ['properties', 'patternProperties', 'additionalProperties']],
  ['number', ['minimum', 'maximum', 'multipleOf']],
]

/** The types that a schema itself allows; `fixed` for enumerated values. */
function listTypes(schema: JsonObject): readonly Json[] {
  const { type, enum: values, const: constant } = schema
  if (constant === null) return ['null']
  if (constant !== undefined || values !== undefined) return ['fixed']
  if (type !== undefined) return Array.isArray(type) ? type : [type]
  return impliedBy.flatMap(([name, keywords]) =>
    keywords.some((keyword) => schema[keyword] !== undefined) ? [name] : [],
  )
}
