import { isJsonObject, type Json, type JsonObject } from '../../../../kernel/json.ts'
import {
  ExpressionError,
  getMember,
  getType,
  isSame,
  isTruthy,
  requireSize,
  type TypeName,
} from '../json-values.ts'
import type { Comparison, Expression } from './parse.ts'

/**
 * Evaluates an expression on a value; null for anything missing.
 * @see https://jmespath.org/specification.html
 * @throws ExpressionError for an unknown function or wrong arguments
 */
export function evaluate(expression: Expression, value: Json): Json {
  switch (expression.kind) {
    case 'current':
      return value
    case 'literal':
      return expression.value
    case 'field':
      return getMember(value, expression.name)
    case 'index':
      return Array.isArray(value) ? ((value as readonly Json[]).at(expression.index) ?? null) : null
    case 'slice':
      return slice(value, expression.bounds)
    case 'then':
      return evaluate(expression.right, evaluate(expression.left, value))
    case 'each':
      return project(expression, value)
    case 'list':
      return value === null ? null : expression.items.map((item) => evaluate(item, value))
    case 'map':
      return value === null
        ? null
        : Object.fromEntries(
            expression.members.map(([name, item]) => [name, evaluate(item, value)]),
          )
    case 'compare':
      return compare(
        expression.mark,
        evaluate(expression.left, value),
        evaluate(expression.right, value),
      )
    case 'not':
      return !isTruthy(evaluate(expression.inner, value))
    case 'and':
    case 'or': {
      const left = evaluate(expression.left, value)
      return isTruthy(left) === (expression.kind === 'or')
        ? left
        : evaluate(expression.right, value)
    }
    case 'call':
      return callFunction(
        expression.name,
        expression.given.map((given) => toArgument(given, value)),
      )
    case 'reference':
      throw new ExpressionError('& is only allowed before a function argument')
  }
}

function toArgument(expression: Expression, value: Json): Argument {
  if (expression.kind !== 'reference') return { value: evaluate(expression, value) }
  return { apply: (item) => evaluate(expression.inner, item) }
}

/** Maximum length of a list that an expression creates. */
const maxItems = 1_000_000

function project(expression: Expression & { readonly kind: 'each' }, value: Json): Json {
  const items = listItems(expression.of, evaluate(expression.left, value))
  if (items === undefined) return null
  const { where, right } = expression
  const found: Json[] = []
  for (const item of items) {
    if (where !== undefined && !isTruthy(evaluate(where, item))) continue
    const result = evaluate(right, item)
    if (result !== null) found.push(result)
    if (found.length > maxItems) throw new ExpressionError('its result is too large')
  }
  return found
}

function listItems(of: 'list' | 'values' | 'flattened', value: Json): readonly Json[] | undefined {
  if (of === 'values') {
    return isJsonObject(value)
      ? Object.values(value).filter((member): member is Json => member !== undefined)
      : undefined
  }
  if (!Array.isArray(value)) return undefined
  return of === 'flattened' ? (value as readonly Json[]).flat(1) : value
}

function slice(value: Json, [from, to, given]: readonly (number | undefined)[]): Json {
  if (!Array.isArray(value)) return null
  const step = given ?? 1
  if (step === 0) throw new ExpressionError('a slice cannot have a step of 0')
  const { length } = value
  const bound = (index: number | undefined, otherwise: number) => {
    if (index === undefined) return otherwise
    const at = index < 0 ? index + length : index
    return step > 0 ? Math.min(Math.max(at, 0), length) : Math.min(Math.max(at, -1), length - 1)
  }
  const start = bound(from, step > 0 ? 0 : length - 1)
  const end = bound(to, step > 0 ? length : -1)
  const found: Json[] = []
  for (let index = start; step > 0 ? index < end : index > end; index += step)
    found.push(value[index] as Json)
  return found
}

function compare(mark: Comparison, left: Json, right: Json): Json {
  if (mark === '==') return isSame(left, right)
  if (mark === '!=') return !isSame(left, right)
  if (typeof left !== 'number' || typeof right !== 'number') return null
  if (mark === '<') return left < right
  if (mark === '<=') return left <= right
  return mark === '>' ? left > right : left >= right
}

/** A function's argument: a value, or with `&` an expression to apply. */
type Argument = { readonly value: Json } | { readonly apply: (item: Json) => Json }

/** Types of arguments; `any`, `&` for an expression, `numbers` and `strings` for lists of them. */
type Taken = TypeName | 'any' | '&' | 'numbers' | 'strings'

interface JmesFunction {
  /** Accepted types for each parameter. */
  readonly takes: readonly (readonly Taken[])[]
  /** Whether the last argument may be repeated. */
  readonly isVariadic?: true
  /** Called with arguments already checked against `takes`. */
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
  max: { takes: sortable, call: (all: Values) => sortValues(all).at(-1) ?? null },
  max_by: {
    takes: byKey,
    call: (all: Values, key: Apply) => sortByKey(all, key, true).at(-1) ?? null,
  },
  merge: {
    takes: [['object']],
    isVariadic: true,
    call: (...maps: readonly JsonObject[]) => Object.fromEntries(maps.flatMap(Object.entries)),
  },
  min: { takes: sortable, call: (all: Values) => sortValues(all)[0] ?? null },
  min_by: { takes: byKey, call: (all: Values, key: Apply) => sortByKey(all, key)[0] ?? null },
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
  sort: { takes: sortable, call: sortValues },
  sort_by: { takes: byKey, call: (all: Values, key: Apply) => sortByKey(all, key) },
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
  type: { takes: [['any']], call: getType },
  values: {
    takes: [['object']],
    call: (map: JsonObject) => Object.values(map).filter((member) => member !== undefined),
  },
}

/** Calls a function. @throws ExpressionError for an unknown function or wrong arguments */
function callFunction(name: string, given: readonly Argument[]): Json {
  const known = Object.hasOwn(functions, name) ? functions[name] : undefined
  if (known === undefined) throw new ExpressionError(`there is no function ${name}()`)
  const { takes, isVariadic } = known
  const fits = isVariadic ? given.length >= takes.length : given.length === takes.length
  if (!fits)
    throw new ExpressionError(`${name}() takes ${takes.length} arguments, but got ${given.length}`)
  const values = given.map((one, index) => {
    const types = takes[Math.min(index, takes.length - 1)] as readonly Taken[]
    if (types.some((type) => isOfType(one, type))) return 'apply' in one ? one.apply : one.value
    const found = 'apply' in one ? 'an expression' : getType(one.value)
    throw new ExpressionError(`${name}() takes ${types.join(' or ')} there, not ${found}`)
  })
  return known.call(...(values as readonly unknown[] as readonly never[]))
}

function isOfType(given: Argument, type: Taken): boolean {
  if ('apply' in given) return type === '&'
  const { value } = given
  if (type === 'numbers') return isListOfType(value, 'number')
  if (type === 'strings') return isListOfType(value, 'string')
  return type === 'any' || getType(value) === type
}

function isListOfType(value: Json, type: TypeName): boolean {
  return Array.isArray(value) && value.every((item) => getType(item as Json) === type)
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

function sortValues(all: Values): Values {
  return [...all].sort(compareValues)
}

/** Keeps the order of equal items; `lastWins: true` reverses it, so that the last one is the first of the greatest. */
function sortByKey(all: Values, key: Apply, lastWins = false): Values {
  const keyed = all.map((item) => ({ item, key: key(item) }))
  const type = keyed[0] === undefined ? 'number' : getType(keyed[0].key)
  const isSortable = type === 'number' || type === 'string'
  if (!isSortable || keyed.some((one) => getType(one.key) !== type))
    throw new ExpressionError('sort keys must be all numbers or all strings')
  const inOrder = (lastWins ? keyed.reverse() : keyed).sort((left, right) =>
    compareValues(left.key, right.key),
  )
  return inOrder.map(({ item }) => item)
}

function compareValues(left: Json, right: Json): number {
  if (left === right || isJsonObject(left) || isJsonObject(right)) return 0
  return (left as number) < (right as number) ? -1 : 1
}
