import type { Json, JsonObject } from '../../../../kernel/json.ts'
import { isJsonObject } from '../../../../kernel/json.ts'
import { getType, isSame, type TypeName } from '../json-values.ts'
import { formats } from './formats.ts'
import { BadSchema, type SchemaCheck, type SchemaError } from './schema-error.ts'

const maxDepth = 100
const maxErrors = 100

/**
 * Where a value breaks a JSON Schema, at most 100 places; none where it fits. Reads the core of draft 2020-12 with `$ref` inside of
 * the schema, and older `definitions`; a keyword that is not read is refused, so that nothing is passed over in silence.
 * @see https://json-schema.org/draft/2020-12
 * @throws BadSchema if the schema is invalid
 */
export function schemaErrors(schema: unknown, value: Json): readonly SchemaError[] {
  return errorsOf(schema, value, '', { root: schema, depth: 0 }).slice(0, maxErrors)
}

type Errors = readonly SchemaError[]
type Rule = (given: Json, value: Json, at: Place) => Errors

interface Place extends SchemaCheck {
  readonly path: string
  /** The schema in which the keyword stands. */
  readonly schema: JsonObject
}

function errorsOf(schema: unknown, value: Json, path: string, check: SchemaCheck): Errors {
  if (schema === true) return []
  if (schema === false) return [{ path, message: 'must not be present', keyword: 'false' }]
  if (!isJsonObject(schema as Json)) throw new BadSchema('A schema must be a map, true or false.')
  const at: Place = { ...check, path, schema: schema as JsonObject }
  return Object.entries(schema as JsonObject).flatMap(([keyword, given]) => {
    if (given === undefined || annotations.has(keyword) || keyword.startsWith('x-')) return []
    const rule = Object.hasOwn(rules, keyword) ? rules[keyword] : undefined
    if (rule === undefined) throw new BadSchema(`The keyword ${keyword} is not supported.`)
    return rule(given, value, at)
  })
}

/** Keywords that say nothing of values, and those that others read. */
const annotations: ReadonlySet<string> = new Set(
  (
    '$schema $id $comment $defs definitions title description default examples example deprecated readOnly writeOnly ' +
    'then else minContains maxContains contentEncoding contentMediaType'
  ).split(' '),
)

const fails = (isBroken: boolean, keyword: string, { path }: Place, message: string): Errors =>
  isBroken ? [{ path, message, keyword }] : []

const inside = (schema: unknown, value: Json, path: string, at: Place) =>
  errorsOf(schema, value, path, at)

const fits = (schema: unknown, value: Json, at: Place) =>
  inside(schema, value, at.path, at).length === 0

const rules: Readonly<Record<string, Rule>> = {
  $ref: (given, value, at) => {
    if (at.depth > maxDepth) throw new BadSchema(`${String(given)} is a circular reference.`)
    return errorsOf(targetOf(given, at.root), value, at.path, { ...at, depth: at.depth + 1 })
  },
  type: (given, value, at) => {
    const types = (Array.isArray(given) ? given : [given]) as readonly Json[]
    const isOne = types.some((type) => isOfType(value, type))
    return fails(!isOne, 'type', at, `must be ${types.join(' or ')}, not ${getType(value)}`)
  },
  enum: (given, value, at) => {
    const all = listOf(given, 'enum')
    const known = all.map((one) => JSON.stringify(one)).join(', ')
    return fails(
      !all.some((one) => isSame(one, value)),
      'enum',
      at,
      `must be one of ${known.slice(0, 300)}`,
    )
  },
  const: (given, value, at) =>
    fails(!isSame(given, value), 'const', at, `must be ${JSON.stringify(given).slice(0, 300)}`),
  minimum: number((limit, value) => value < limit, 'must be at least'),
  maximum: number((limit, value) => value > limit, 'must be at most'),
  exclusiveMinimum: number((limit, value) => value <= limit, 'must be more than'),
  exclusiveMaximum: number((limit, value) => value >= limit, 'must be less than'),
  multipleOf: number((step, value) => !isMultiple(value, step), 'must be a multiple of'),
  minLength: sized('string', (limit, size) => size < limit, 'characters, at least'),
  maxLength: sized('string', (limit, size) => size > limit, 'characters, at most'),
  minItems: sized('array', (limit, size) => size < limit, 'items, at least'),
  maxItems: sized('array', (limit, size) => size > limit, 'items, at most'),
  minProperties: sized('object', (limit, size) => size < limit, 'members, at least'),
  maxProperties: sized('object', (limit, size) => size > limit, 'members, at most'),
  pattern: (given, value, at) => {
    const isBroken = typeof value === 'string' && !patternOf(given).test(value)
    return fails(isBroken, 'pattern', at, `must match ${String(given)}`)
  },
  format: (given, value, at) => {
    const test =
      typeof given === 'string' && Object.hasOwn(formats, given) ? formats[given] : undefined
    const isBroken = typeof value === 'string' && test !== undefined && !test(value)
    return fails(isBroken, 'format', at, `must be text in the format ${String(given)}`)
  },
  required: (given, value, at) =>
    isJsonObject(value)
      ? listOf(given, 'required').flatMap((name) =>
          fails(!has(value, name), 'required', at, `must have ${JSON.stringify(name)}`),
        )
      : [],
  dependentRequired: (given, value, at) =>
    members(given).flatMap(([name, needs]) =>
      isJsonObject(value) && has(value, name) ? (rules.required as Rule)(needs, value, at) : [],
    ),
  properties: (given, value, at) =>
    members(given).flatMap(([name, schema]) =>
      isJsonObject(value) && has(value, name)
        ? inside(schema, value[name] ?? null, step(at, name), at)
        : [],
    ),
  patternProperties: (given, value, at) =>
    members(given).flatMap(([pattern, schema]) =>
      members(value).flatMap(([name, member]) =>
        patternOf(pattern).test(name) ? inside(schema, member, step(at, name), at) : [],
      ),
    ),
  additionalProperties: (given, value, at) => {
    const named = Object.keys(at.schema.properties ?? {})
    const patterns = Object.keys(at.schema.patternProperties ?? {}).map(patternOf)
    const others = members(value).filter(
      ([name]) => !named.includes(name) && !patterns.some((one) => one.test(name)),
    )
    if (given === false)
      return others.flatMap(([name]) =>
        fails(true, 'additionalProperties', at, `must not have ${JSON.stringify(name)}`),
      )
    return others.flatMap(([name, member]) => inside(given, member, step(at, name), at))
  },
  propertyNames: (given, value, at) =>
    members(value).flatMap(([name]) => inside(given, name, step(at, name), at)),
  prefixItems: (given, value, at) =>
    listOf(given, 'prefixItems').flatMap((schema, index) =>
      Array.isArray(value) && index < value.length
        ? inside(schema, value[index] as Json, step(at, index), at)
        : [],
    ),
  items: (given, value, at) => {
    if (Array.isArray(given)) return (rules.prefixItems as Rule)(given, value, at)
    const { prefixItems } = at.schema
    const first = Array.isArray(prefixItems) ? prefixItems.length : 0
    return Array.isArray(value)
      ? value
          .slice(first)
          .flatMap((item, index) => inside(given, item as Json, step(at, first + index), at))
      : []
  },
  contains: (given, value, at) => {
    if (!Array.isArray(value)) return []
    const { minContains = 1, maxContains = Number.POSITIVE_INFINITY } = at.schema
    const count = value.filter((item) => fits(given, item as Json, at)).length
    const isBroken = count < (minContains as number) || count > (maxContains as number)
    return fails(isBroken, 'contains', at, `contains ${count} matching items`)
  },
  uniqueItems: (given, value, at) => {
    const items = given === true && Array.isArray(value) ? (value as readonly Json[]) : []
    const isDouble = items.some((item, index) =>
      items.slice(0, index).some((other) => isSame(other, item)),
    )
    return fails(isDouble, 'uniqueItems', at, 'must not contain duplicate items')
  },
  allOf: (given, value, at) =>
    listOf(given, 'allOf').flatMap((schema) => inside(schema, value, at.path, at)),
  anyOf: (given, value, at) => {
    const isOne = listOf(given, 'anyOf').some((schema) => fits(schema, value, at))
    return fails(!isOne, 'anyOf', at, 'matches none of the allowed schemas')
  },
  oneOf: (given, value, at) => {
    const count = listOf(given, 'oneOf').filter((schema) => fits(schema, value, at)).length
    return fails(count !== 1, 'oneOf', at, `matches ${count} schemas but must match exactly one`)
  },
  not: (given, value, at) =>
    fails(fits(given, value, at), 'not', at, 'matches a schema that it must not match'),
  if: (given, value, at) => {
    const branch = fits(given, value, at) ? at.schema.then : at.schema.else
    return branch === undefined ? [] : inside(branch, value, at.path, at)
  },
}

function number(isBroken: (given: number, value: number) => boolean, says: string): Rule {
  return (given, value, at) => {
    if (typeof given !== 'number') throw new BadSchema('A limit must be a number.')
    return fails(
      typeof value === 'number' && isBroken(given, value),
      'limit',
      at,
      `${says} ${given}`,
    )
  }
}

function sized(
  type: TypeName,
  isBroken: (given: number, size: number) => boolean,
  says: string,
): Rule {
  return (given, value, at) => {
    if (typeof given !== 'number') throw new BadSchema('A limit must be a number.')
    if (getType(value) !== type || value === null) return []
    const size =
      typeof value === 'string' ? [...value].length : Object.keys(value as JsonObject).length
    return fails(isBroken(given, size), 'size', at, `has ${size} ${says} ${given}`)
  }
}

function isMultiple(value: number, step: number): boolean {
  const times = value / step
  return Math.abs(times - Math.round(times)) < 1e-9 * Math.max(1, Math.abs(times))
}

function isOfType(value: Json, type: Json): boolean {
  if (type === 'integer') return typeof value === 'number' && Number.isInteger(value)
  const known = ['null', 'boolean', 'number', 'string', 'array', 'object']
  if (!known.includes(type as string))
    throw new BadSchema(`There is no type ${JSON.stringify(type)}.`)
  return getType(value) === type
}

function targetOf(reference: Json, root: unknown): unknown {
  if (typeof reference !== 'string' || !reference.startsWith('#'))
    throw new BadSchema(
      `${JSON.stringify(reference)} points outside the schema; only "#/…" is supported.`,
    )
  let target = root
  for (const written of reference.slice(1).split('/').slice(1)) {
    const name = decodeURIComponent(written).replaceAll('~1', '/').replaceAll('~0', '~')
    const members = target as Readonly<Record<string, unknown>> | undefined | null
    target =
      typeof members === 'object' && members !== null && Object.hasOwn(members, name)
        ? members[name]
        : undefined
  }
  if (target === undefined) throw new BadSchema(`${reference} does not exist.`)
  return target
}

function patternOf(pattern: Json): RegExp {
  try {
    return new RegExp(String(pattern), 'u')
  } catch {
    throw new BadSchema(`${JSON.stringify(pattern)} is not a valid pattern.`)
  }
}

function listOf(given: Json, keyword: string): readonly Json[] {
  if (!Array.isArray(given)) throw new BadSchema(`${keyword} must be a list.`)
  return given
}

function members(value: Json): readonly (readonly [string, Json])[] {
  return isJsonObject(value)
    ? Object.entries(value).map(([name, member]) => [name, member ?? null] as const)
    : []
}

function has(value: JsonObject, name: Json): boolean {
  return Object.hasOwn(value, String(name)) && value[String(name)] !== undefined
}

function step({ path }: Place, name: string | number): string {
  return `${path}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`
}
