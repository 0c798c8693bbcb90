import type { Json } from '../../kernel/json.ts'
import { isJsonObject } from '../../kernel/json.ts'
import type { Budget } from './budget.ts'
import { valueError } from './template-error.ts'

/** What an expression gives; `undefined` is what is missing, which only `default` and `is defined` tell from null. */
export type Value = Json | undefined

/** Whether a value is a list. */
export function isList(value: Value): value is readonly Json[] {
  return Array.isArray(value)
}

/** What a value is called in messages. */
export function kindOf(value: Value): string {
  if (value === undefined) return 'nothing (a missing value)'
  if (value === null) return 'nothing (null)'
  if (isList(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  return { string: 'text', number: 'a number', boolean: 'a boolean' }[
    typeof value as 'string' | 'number' | 'boolean'
  ]
}

/** Whether Python takes a value for true: all but nothing, false, 0 and what is empty. */
export function truthOf(value: Value, budget: Budget): boolean {
  if (isList(value)) return value.length > 0
  if (isJsonObject(value)) return budget.keysOf(value).length > 0
  return Boolean(value)
}

/** A number or, as in Python, a boolean as 0 or 1; `undefined` for all else. */
export function numberOf(value: Value): number | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'number' ? value : undefined
}

/** The characters of text as Python counts them: by code point. */
export function charactersOf(text: string): readonly string[] {
  return Array.from(text)
}

/** The number of characters of text as Python counts them. */
export function lengthOfText(text: string): number {
  return /[\ud800-\udfff]/.test(text) ? charactersOf(text).length : text.length
}

/** A member that is data: an object's own key, or a list's or text's character at an index that may count from the end. */
export function memberOf(value: Value, key: Value): Value {
  if (isJsonObject(value)) {
    const name = typeof key === 'number' ? String(key) : key
    if (typeof name !== 'string' || name === '__proto__') return undefined
    return Object.hasOwn(value, name) ? value[name] : undefined
  }
  if (typeof key !== 'number') return undefined
  if (isList(value)) return value.at(key)
  if (typeof value !== 'string') return undefined
  return lengthOfText(value) === value.length ? value.at(key) : charactersOf(value).at(key)
}

const maxPathLength = 1_000

/** The member at a dotted path, such as `author.name` or `0.title`. @throws {@link ScholiumError} `template_failed` for one of more than 1,000 characters */
export function memberAt(value: Value, path: Value): Value {
  if (typeof path !== 'string') return memberOf(value, path)
  if (path.length > maxPathLength) throw valueError('the path of an attribute is too long')
  let member = value
  for (const part of path.split('.')) {
    member = memberOf(member, isList(member) && /^\d+$/.test(part) ? Number(part) : part)
  }
  return member
}

/** What a value is as text: JSON for objects and lists, `True` and `False` as Python writes them, nothing for null and what is missing. */
export function textOf(value: Value, budget: Budget): string {
  if (typeof value === 'string') return value
  if (value === undefined || value === null) return ''
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return typeof value === 'number' ? String(value) : jsonTextOf(value, budget)
}

/** A value as JSON, on one line or indented. */
export function jsonTextOf(value: Value, budget: Budget, indent?: number): string {
  measure(value, budget, indent)
  const text = JSON.stringify(value ?? null, undefined, indent)
  budget.spendText(text.length)
  return text
}

/**
 * Pays for everything in a value, shared parts as often as they stand in it, so that what is written out or compared is
 * bounded; `indent` spaces a level are paid for too.
 */
export function measure(value: Value, budget: Budget, indent = 0, level = 0): void {
  budget.spend(1 + (level * indent + (typeof value === 'string' ? value.length : 0)) / 100)
  if (isList(value)) for (const item of value) measure(item, budget, indent, level + 1)
  else if (isJsonObject(value)) {
    for (const key of Object.keys(value)) measure(value[key], budget, indent, level + 1)
  }
}

/** Whether two values are equal as Python sees it: by content; nothing and what is missing are the same. */
export function areEqual(left: Value, right: Value, budget: Budget): boolean {
  budget.spend(typeof left === 'string' ? 1 + left.length / 100 : 1)
  if (isList(left) && isList(right)) {
    return (
      left.length === right.length &&
      left.every((item, index) => areEqual(item, right[index], budget))
    )
  }
  if (isJsonObject(left) && isJsonObject(right)) {
    const keys = budget.keysOf(left)
    return (
      keys.length === budget.keysOf(right).length &&
      keys.every((key) => Object.hasOwn(right, key) && areEqual(left[key], right[key], budget))
    )
  }
  const leftNumber = numberOf(left)
  if (leftNumber !== undefined) return leftNumber === numberOf(right)
  return (left ?? null) === (right ?? null)
}

/** Below 0, 0 or above 0 as `left` comes before, with or after `right`. @throws {@link ScholiumError} `template_failed` for kinds that have no order. */
export function order(left: Value, right: Value, budget: Budget): number {
  budget.spend(typeof left === 'string' ? 1 + left.length / 100 : 1)
  const leftNumber = numberOf(left)
  const rightNumber = numberOf(right)
  if (leftNumber !== undefined && rightNumber !== undefined) return leftNumber - rightNumber
  if (typeof left === 'string' && typeof right === 'string') {
    return left < right ? -1 : left > right ? 1 : 0
  }
  if (isList(left) && isList(right)) {
    for (let index = 0; index < Math.min(left.length, right.length); index++) {
      const found = order(left[index], right[index], budget)
      if (found !== 0) return found
    }
    return left.length - right.length
  }
  throw valueError(
    `${kindOf(left)} and ${kindOf(right)} cannot be compared`,
    'Give a missing value a default, as in `state.count | default(0)`, or convert with `| int`, `| float` or `| string`.',
  )
}

/** What a `for` runs over: a list's items, an object's keys, text's characters; nothing gives no items. */
export function itemsOf(value: Value, budget: Budget): readonly Json[] {
  if (value === undefined || value === null) return []
  if (isList(value)) {
    budget.spend(1 + value.length / 10)
    return value
  }
  if (typeof value !== 'string' && !isJsonObject(value)) {
    throw valueError(`${kindOf(value)} has no items to go through`)
  }
  if (typeof value === 'string') budget.spendList(value.length)
  const items = typeof value === 'string' ? charactersOf(value) : Object.keys(value)
  budget.spendList(items.length)
  return items
}
