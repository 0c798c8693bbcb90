import type { Json } from '../../kernel/json.ts'
import type { Arguments } from './arguments.ts'
import { pairsOf } from './methods.ts'
import { valueError } from './template-error.ts'
import type { Filter } from './text-filters.ts'
import {
  isList,
  isObject,
  itemsOf,
  kindOf,
  lengthOfText,
  measure,
  memberAt,
  numberOf,
  order,
  type Value,
} from './value.ts'
import { passes } from './value-tests.ts'

/** Filters that read lists and objects. */
export const listFilters: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ['length', length],
  ['count', length],
  ['list', (value, given) => itemsOf(value, given.budget)],
  ['first', (value, given) => itemsOf(value, given.budget)[0]],
  ['last', (value, given) => itemsOf(value, given.budget).at(-1)],
  ['reverse', reverse],
  ['sort', sort],
  ['unique', unique],
  ['sum', sum],
  ['min', extreme(-1)],
  ['max', extreme(1)],
  ['items', (value, given) => pairs(value, 'items', given)],
  ['dictsort', dictSort],
  ['select', choose(true, false)],
  ['reject', choose(false, false)],
  ['selectattr', choose(true, true)],
  ['rejectattr', choose(false, true)],
])

function length(value: Value, { budget }: Arguments): Value {
  if (value === undefined || value === null) return 0
  if (typeof value === 'string') {
    budget.spend(value.length / 100)
    return lengthOfText(value)
  }
  if (isList(value)) return value.length
  if (isObject(value)) return budget.keysOf(value).length
  throw valueError(`${kindOf(value)} has no length`)
}

function reverse(value: Value, { budget }: Arguments): Value {
  const items = [...itemsOf(value, budget)].reverse()
  return typeof value === 'string' ? items.join('') : items
}

function pairs(value: Value, filter: string, given: Arguments): readonly (readonly Json[])[] {
  if (value === undefined || value === null) return []
  if (isObject(value)) return pairsOf(value, given)
  throw valueError(`\`${filter}\` needs an object, not ${kindOf(value)}`)
}

function sort(value: Value, given: Arguments): Value {
  const keyOf = sortKey(given.value(2, 'attribute'), given.flag(1, 'case_sensitive'))
  return sorted(itemsOf(value, given.budget), keyOf, given.flag(0, 'reverse'), given)
}

function dictSort(value: Value, given: Arguments): Value {
  const place = given.text(1, 'by', 'key') === 'value' ? 1 : 0
  const keyOf = sortKey(place, given.flag(0, 'case_sensitive'))
  return sorted(pairs(value, 'dictsort', given), keyOf, given.flag(2, 'reverse'), given)
}

function sorted(
  items: readonly Json[],
  keyOf: (item: Json) => Value,
  isReversed: boolean,
  { budget }: Arguments,
): readonly Json[] {
  const direction = isReversed ? -1 : 1
  return [...items].sort((a, b) => direction * order(keyOf(a), keyOf(b), budget))
}

function sortKey(attribute: Value, isCaseSensitive: boolean): (item: Value) => Value {
  return (item) => {
    const key = attribute === undefined || attribute === null ? item : memberAt(item, attribute)
    return typeof key === 'string' && !isCaseSensitive ? key.toLowerCase() : key
  }
}

function unique(value: Value, given: Arguments): Value {
  const keyOf = sortKey(given.value(1, 'attribute'), given.flag(0, 'case_sensitive'))
  const seen = new Set<string>()
  return itemsOf(value, given.budget).filter((item) => {
    const key = keyOf(item) ?? null
    measure(key, given.budget)
    const text = JSON.stringify(key)
    return seen.has(text) ? false : seen.add(text)
  })
}

function sum(value: Value, given: Arguments): Value {
  const attribute = given.value(0, 'attribute')
  let total = given.wholeNumber(1, 'start', 0)
  for (const item of itemsOf(value, given.budget)) {
    const summand = attribute === undefined ? item : memberAt(item, attribute)
    const number = numberOf(summand)
    if (number === undefined) throw valueError(`\`sum\` cannot add ${kindOf(summand)}`)
    total += number
  }
  return total
}

function extreme(direction: 1 | -1): Filter {
  return (value, given) => {
    const keyOf = sortKey(given.value(1, 'attribute'), given.flag(0, 'case_sensitive'))
    const items = itemsOf(value, given.budget)
    return items.reduce<Value>((best, item) => {
      if (best === undefined) return item
      return direction * order(keyOf(item), keyOf(best), given.budget) > 0 ? item : best
    }, undefined)
  }
}

function choose(keeps: boolean, byAttribute: boolean): Filter {
  return (value, given) => {
    const attribute = byAttribute ? given.value(0, 'attribute') : undefined
    const rest = given.after('test', byAttribute ? 1 : 0)
    const name = rest.isEmpty ? undefined : rest.text(0, 'test')
    const test = rest.after(name ?? 'test', 1)
    return itemsOf(value, given.budget).filter((item) => {
      const subject = byAttribute ? memberAt(item, attribute) : item
      return passes(subject, name, test) === keeps
    })
  }
}
