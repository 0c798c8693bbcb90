import { canonicalJson, isJsonObject, type Json } from '../../../kernel/json.ts'

/** A value's type, as JMESPath names it. */
export type TypeName = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'

/** The type of a value. */
export function getType(value: Json): TypeName {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value as TypeName
}

/** Whether a value is true as a condition: anything except null, false and empty values. */
export function isTruthy(value: Json): boolean {
  if (value === null || value === false || value === '') return false
  if (Array.isArray(value)) return value.length > 0
  return !isJsonObject(value) || Object.keys(value).length > 0
}

/** Whether two values are equal, regardless of member order. */
export function isSame(left: Json, right: Json): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object') return false
  requireSize(left)
  requireSize(right)
  return canonicalJson(left) === canonicalJson(right)
}

/** Maximum number of characters and values in a result, all together. */
const maxSize = 10_000_000

/**
 * A short expression can build a value of any size: `[@, @]` doubles it. @throws ExpressionError if the value is too
 * large
 */
export function requireSize(value: Json): void {
  let left = maxSize
  const waiting: Json[] = [value]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    left -= typeof next === 'string' ? next.length + 1 : 1
    if (left < 0) throw new ExpressionError('its result is too large')
    if (Array.isArray(next)) for (const item of next as readonly Json[]) waiting.push(item)
    else if (isJsonObject(next))
      for (const [name, member] of Object.entries(next)) {
        left -= name.length
        waiting.push(member ?? null)
      }
  }
}

/** An own member of an object, otherwise null. */
export function getMember(value: Json, name: string): Json {
  return isJsonObject(value) && Object.hasOwn(value, name) ? (value[name] ?? null) : null
}

/** An error in an expression or its arguments, with the column in its text, starting at 1. */
export class ExpressionError extends Error {
  readonly column: number | undefined

  constructor(message: string, column?: number) {
    super(message)
    this.column = column
  }
}
