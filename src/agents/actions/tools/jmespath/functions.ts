import type { Json, JsonObject } from '../../../../kernel/json.ts'
import { isJsonObject } from '../../../../kernel/json.ts'
import { ExpressionError } from './syntax-error.ts'
import { isSame, requireSize, type TypeName, typeOf } from './values.ts'

/** What a function is given: a value, or with `&` what to do with one. */
export type Given = { readonly value: Json } | { readonly apply: (item: Json) => Json }

/** Types of what a function takes; `any`, `&` for an expression, `numbers`, `strings` for lists of them. */
type Taken = TypeName | 'any' | '&' | 'numbers' | 'strings'

interface JmesFunction {
  /** For each parameter the types that it may have. */
  readonly takes: readonly (readonly Taken[])[]
  /** Whether the last one may come more than once. */
  readonly isVariadic?: true
  /** What it is given was checked against `takes`. */
  call(...given: readonly never[]): Json
}

type Apply = (item: Json) => Json
type Numbers = readonly number[]
type Values = readonly Json[]

const sortable: readonly (readonly Taken[])[] = [['numbers', 'strings']]
const byKey: readonly (readonly Taken[])[] = [['array'], ['&']]

/** @see https://jmespath.org/specification.html#built-in-functions */
const functions: Readonly<Record<string, JmesFunction>> = {
  abs: { takes: [['number']], call: (one: number) => Math.abs(one) },
  avg: {
    takes: [['numbers']],
    call: (all: Numbers) => (all.length === 0 ? null : sum(all) / all.length),
  },
  ceil: { takes: [['number']], call: (one: number) => Math.ceil(one) },
  contains: {
    takes: [['array', 'string'], ['any']],
    call: (all: Values | string, one: Json) =>
      typeof all === 'string'
        ? typeof one === 'string' && all.includes(one)
        : all.some((item) => isSame(item, one)),
  },
  ends_with: {
    takes: [['string'], ['string']],
    call: (text: string, end: string) => text.endsWith(end),
  },
  floor: { takes: [['number']], call: (one: number) => Math.floor(one) },
  join: {
    takes: [['string'], ['strings']],
    call: (glue: string, all: readonly string[]) => all.join(glue),
  },
  keys: { takes: [['object']], call: (map: JsonObject) => Object.keys(map) },
  length: {
    takes: [['array', 'string', 'object']],
    call: (of: Values | string | JsonObject) =>
      typeof of === 'string' ? [...of].length : Object.keys(of).length,
  },
  map: { takes: [['&'], ['array']], call: (apply: Apply, all: Values) => all.map(apply) },
  max: { takes: sortable, call: (all: Values) => sorted(all).at(-1) ?? null },
  max_by: {
    takes: byKey,
    call: (all: Values, key: Apply) => sortedBy(all, key, true).at(-1) ?? null,
  },
  merge: {
    takes: [['object']],
    isVariadic: true,
    call: (...maps: readonly JsonObject[]) => Object.fromEntries(maps.flatMap(Object.entries)),
  },
  min: { takes: sortable, call: (all: Values) => sorted(all)[0] ?? null },
  min_by: { takes: byKey, call: (all: Values, key: Apply) => sortedBy(all, key)[0] ?? null },
  not_null: {
    takes: [['any']],
    isVariadic: true,
    call: (...all: Values) => all.find((one) => one !== null) ?? null,
  },
  reverse: {
    takes: [['array', 'string']],
    call: (of: Values | string) =>
      typeof of === 'string' ? [...of].reverse().join('') : [...of].reverse(),
  },
  sort: { takes: sortable, call: sorted },
  sort_by: { takes: byKey, call: (all: Values, key: Apply) => sortedBy(all, key) },
  starts_with: {
    takes: [['string'], ['string']],
    call: (text: string, start: string) => text.startsWith(start),
  },
  sum: { takes: [['numbers']], call: sum },
  to_array: { takes: [['any']], call: (one: Json) => (Array.isArray(one) ? one : [one]) },
  to_number: { takes: [['any']], call: toNumber },
  to_string: {
    takes: [['any']],
    call: toText,
  },
  type: { takes: [['any']], call: typeOf },
  values: {
    takes: [['object']],
    call: (map: JsonObject) => Object.values(map).filter((member) => member !== undefined),
  },
}

/** What a function gives. @throws ExpressionError for one that is not known, or what it does not take */
export function callFunction(name: string, given: readonly Given[]): Json {
  const known = Object.hasOwn(functions, name) ? functions[name] : undefined
  if (known === undefined) throw new ExpressionError(`there is no function ${name}()`)
  const { takes, isVariadic } = known
  const fits = isVariadic ? given.length >= takes.length : given.length === takes.length
  if (!fits)
    throw new ExpressionError(`${name}() takes ${takes.length}, and is given ${given.length}`)
  const values = given.map((one, index) => {
    const types = takes[Math.min(index, takes.length - 1)] as readonly Taken[]
    if (types.some((type) => isOf(one, type))) return 'apply' in one ? one.apply : one.value
    const found = 'apply' in one ? 'an expression' : typeOf(one.value)
    throw new ExpressionError(`${name}() takes ${types.join(' or ')} there, not ${found}`)
  })
  return known.call(...(values as readonly unknown[] as readonly never[]))
}

function isOf(given: Given, type: Taken): boolean {
  if ('apply' in given) return type === '&'
  const { value } = given
  if (type === 'numbers') return isListOf(value, 'number')
  if (type === 'strings') return isListOf(value, 'string')
  return type === 'any' || typeOf(value) === type
}

function isListOf(value: Json, type: TypeName): boolean {
  return Array.isArray(value) && value.every((item) => typeOf(item as Json) === type)
}

function sum(all: Numbers): number {
  return all.reduce((total, one) => total + one, 0)
}

function toText(one: Json): string {
  if (typeof one === 'string') return one
  requireSize(one)
  return JSON.stringify(one)
}

function toNumber(one: Json): Json {
  if (typeof one === 'number') return one
  if (typeof one !== 'string' || !/^\s*[+-]?(?:\d|\.\d)/.test(one)) return null
  const number = Number(one)
  return Number.isFinite(number) ? number : null
}

function sorted(all: Values): Values {
  return [...all].sort(order)
}

/** Of equal ones the first stays first; `lastWins: true` turns that round, so that the last one is the first of the greatest. */
function sortedBy(all: Values, key: Apply, lastWins = false): Values {
  const keyed = all.map((item) => ({ item, key: key(item) }))
  const type = keyed[0] === undefined ? 'number' : typeOf(keyed[0].key)
  const isSortable = type === 'number' || type === 'string'
  if (!isSortable || keyed.some((one) => typeOf(one.key) !== type))
    throw new ExpressionError('what is sorted by must be all numbers or all strings')
  const inOrder = (lastWins ? keyed.reverse() : keyed).sort((left, right) =>
    order(left.key, right.key),
  )
  return inOrder.map(({ item }) => item)
}

function order(left: Json, right: Json): number {
  if (left === right || isJsonObject(left) || isJsonObject(right)) return 0
  return (left as number) < (right as number) ? -1 : 1
}
