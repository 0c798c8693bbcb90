import type { Json } from '../../kernel/json.ts'
import { isJsonObject } from '../../kernel/json.ts'
import type { Budget } from './budget.ts'
import { valueError } from './template-error.ts'

/**
 * The value of an expression. `undefined` is a missing value, which only `default` and `is defined` distinguish from
 * null.
 */
export type Value = Json | undefined

/** Whether a value is a list. */
export function isList(value: Value): value is readonly Json[] {
  return Array.isArray(value)
}

/** What a value is called in messages. */
export function describeKind(value: Value): string {
  if (value === undefined) return 'nothing (a missing value)'
  if (value === null) return 'nothing (null)'
  if (isList(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  return { string: 'text', number: 'a number', boolean: 'a boolean' }[
    typeof value as 'string' | 'number' | 'boolean'
  ]
}

/** Whether Python considers a value true: anything except nothing, false, 0 and empty values. */
export function isTruthy(value: Value, budget: Budget): boolean {
  if (isList(value)) return value.length > 0
  if (isJsonObject(value)) return budget.listKeys(value).length > 0
  return Boolean(value)
}

/** A number or, as in Python, a boolean as 0 or 1; otherwise `undefined`. */
export function toNumber(value: Value): number | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'number' ? value : undefined
}

/** The characters of a text as Python counts them: code points. */
export function splitCharacters(text: string): readonly string[] {
  return Array.from(text)
}

/** Number of characters as Python counts them. */
export function countCharacters(text: string): number {
  return /[\ud800-\udfff]/.test(text) ? splitCharacters(text).length : text.length
}

/**
 * A member that is data: an object's own key, or a list's item or text's character at an index, which may count from
 * the end.
 */
export function getMember(value: Value, key: Value): Value {
  if (isJsonObject(value)) {
    const name = typeof key === 'number' ? String(key) : key
    if (typeof name !== 'string' || name === '__proto__') return undefined
    return Object.hasOwn(value, name) ? value[name] : undefined
  }
  if (typeof key !== 'number') return undefined
  if (isList(value)) return value.at(key)
  if (typeof value !== 'string') return undefined
  return countCharacters(value) === value.length ? value.at(key) : splitCharacters(value).at(key)
}

const maxPathLength = 1_000

/**
 * The member at a dotted path, such as `author.name` or `0.title`. @throws {@link ScholiumError} `template_failed` for
 * a path of more than 1,000 characters
 */
export function getMemberAt(value: Value, path: Value): Value {
  if (typeof path !== 'string') return getMember(value, path)
  if (path.length > maxPathLength) throw valueError('the path of an attribute is too long')
  let member = value
  for (const part of path.split('.')) {
    member = getMember(member, isList(member) && /^\d+$/.test(part) ? Number(part) : part)
  }
  return member
}

/**
 * A value as text: JSON for objects and lists, `True` and `False` as in Python, nothing for null and missing values.
 */
export function toText(value: Value, budget: Budget): string {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return ''
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return typeof value === 'number' ? String(value) : toJsonText(value, budget)
}

/** A value as JSON, on one line or indented. */
export function toJsonText(value: Value, budget: Budget, indent?: number): string {
  measure(value, budget, indent)
  const text = JSON.stringify(value ?? null, undefined, indent)
  budget.spendText(text.length)
  return text
}

/**
 * Charges for everything in a value, shared parts each time they occur, so that writing it out or comparing it is
 * bounded; indentation is charged too.
 */
export function measure(value: Value, budget: Budget, indent = 0, level = 0): void {
  budget.spend(1 + (level * indent + (typeof value === 'string' ? value.length : 0)) / 100)
  if (isList(value)) for (const item of value) measure(item, budget, indent, level + 1)
  else if (isJsonObject(value)) {
    for (const key of Object.keys(value)) measure(value[key], budget, indent, level + 1)
  }
}

/** Whether two values are equal as in Python: by content; null and missing are the same. */
export function areEqual(left: Value, right: Value, budget: Budget): boolean {
  budget.spend(typeof left === 'string' ? 1 + left.length / 100 : 1)
  if (isList(left) && isList(right)) {
    return (
      left.length === right.length &&
      left.every((item, index) => areEqual(item, right[index], budget))
    )
  }
  if (isJsonObject(left) && isJsonObject(right)) {
    const keys = budget.listKeys(left)
    return (
      keys.length === budget.listKeys(right).length &&
      keys.every((key) => Object.hasOwn(right, key) && areEqual(left[key], right[key], budget))
    )
  }
  const leftNumber = toNumber(left)
  if (leftNumber !== undefined) return leftNumber === toNumber(right)
  return (left ?? null) === (right ?? null)
}

/**
 * Below 0, 0 or above 0 as `left` sorts before, with or after `right`. @throws {@link ScholiumError} `template_failed`
 * for kinds that have no order
 */
export function compareValues(left: Value, right: Value, budget: Budget): number {
  budget.spend(typeof left === 'string' ? 1 + left.length / 100 : 1)
  const leftNumber = toNumber(left)
  const rightNumber = toNumber(right)
  if (leftNumber !== undefined && rightNumber !== undefined) return leftNumber - rightNumber
  if (typeof left === 'string' && typeof right === 'string') {
    return left < right ? -1 : left > right ? 1 : 0
  }
  if (isList(left) && isList(right)) {
    for (let index = 0; index < Math.min(left.length, right.length); index++) {
      const found = compareValues(left[index], right[index], budget)
      if (found !== 0) return found
    }
    return left.length - right.length
  }
  throw valueError(
    `${describeKind(left)} and ${describeKind(right)} cannot be compared`,
    'Give a missing value a default, as in `state.count | default(0)`, or convert with `| int`, `| float` or `| string`.',
  )
}

/** What a `for` iterates over: a list's items, an object's keys, a text's characters; nothing gives no items. */
export function listItems(value: Value, budget: Budget): readonly Json[] {
  if (value === undefined || value === null) return []
  if (isList(value)) {
    budget.spend(1 + value.length / 10)
    return value
  }
  if (typeof value !== 'string' && !isJsonObject(value)) {
    throw valueError(`${describeKind(value)} is not iterable`)
  }
  if (typeof value === 'string') budget.spendList(value.length)
  const items = typeof value === 'string' ? splitCharacters(value) : Object.keys(value)
  budget.spendList(items.length)
  return items
}
