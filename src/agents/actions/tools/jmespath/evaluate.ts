import type { Json } from '../../../../kernel/json.ts'
import { isJsonObject } from '../../../../kernel/json.ts'
import type { Comparison, Expression } from './expression.ts'
import { callFunction, type Given } from './functions.ts'
import { ExpressionError } from './syntax-error.ts'
import { isSame, isTruthy, memberOf } from './values.ts'

/**
 * What an expression gives for a value; null for what is not there.
 * @see https://jmespath.org/specification.html
 * @throws ExpressionError for a function that is not known or is given what it does not take
 */
export function evaluate(expression: Expression, value: Json): Json {
  switch (expression.kind) {
    case 'current':
      return value
    case 'literal':
      return expression.value
    case 'field':
      return memberOf(value, expression.name)
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
        expression.given.map((given) => givenOf(given, value)),
      )
    case 'reference':
      throw new ExpressionError('& stands before what a function takes, nowhere else')
  }
}

function givenOf(expression: Expression, value: Json): Given {
  if (expression.kind !== 'reference') return { value: evaluate(expression, value) }
  return { apply: (item) => evaluate(expression.inner, item) }
}

/** Of a list that an expression makes. */
const maxItems = 1_000_000

function project(expression: Expression & { readonly kind: 'each' }, value: Json): Json {
  const items = itemsOf(expression.of, evaluate(expression.left, value))
  if (items === undefined) return null
  const { where, right } = expression
  const found: Json[] = []
  for (const item of items) {
    if (where !== undefined && !isTruthy(evaluate(where, item))) continue
    const result = evaluate(right, item)
    if (result !== null) found.push(result)
    if (found.length > maxItems) throw new ExpressionError('what it makes is too large')
  }
  return found
}

function itemsOf(of: 'list' | 'values' | 'flattened', value: Json): readonly Json[] | undefined {
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
