import { canonicalJson, isJsonObject, type Json } from '../../../kernel/json.ts'

/** The type of a value, as functions name it. */
export type TypeName = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'

/** What kind of value it is. */
export function typeOf(value: Json): TypeName {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value as TypeName
}

/** Whether a condition holds: everything but null, false and what is empty. */
export function isTruthy(value: Json): boolean {
  if (value === null || value === false || value === '') return false
  if (Array.isArray(value)) return value.length > 0
  return !isJsonObject(value) || Object.keys(value).length > 0
}

/** Whether two values are the same, whatever the order of their members. */
export function isSame(left: Json, right: Json): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object') return false
  requireSize(left)
  requireSize(right)
  return canonicalJson(left) === canonicalJson(right)
}

/** Characters and values that what an expression makes may have, all in all. */
const maxSize = 10_000_000

/** A short expression can make a value of any size: `[@, @]` doubles it. @throws ExpressionError for one that is too large */
export function requireSize(value: Json): void {
  let left = maxSize
  const waiting: Json[] = [value]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    left -= typeof next === 'string' ? next.length + 1 : 1
    if (left < 0) throw new ExpressionError('what it makes is too large')
    if (Array.isArray(next)) for (const item of next as readonly Json[]) waiting.push(item)
    else if (isJsonObject(next))
      for (const [name, member] of Object.entries(next)) {
        left -= name.length
        waiting.push(member ?? null)
      }
  }
}

/** A value's member of its own. */
export function memberOf(value: Json, name: string): Json {
  return isJsonObject(value) && Object.hasOwn(value, name) ? (value[name] ?? null) : null
}

/** What is wrong with an expression or what it was given, and where in its text, from 1. */
export class ExpressionError extends Error {
  readonly column: number | undefined

  constructor(message: string, column?: number) {
    super(message)
    this.column = column
  }
}
