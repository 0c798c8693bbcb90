import { hashJson, isJsonObject, type Json, sha256 } from '../../kernel/json.ts'
import type { Arguments } from './arguments.ts'
import { listPairs } from './methods.ts'
import { valueError } from './template-error.ts'
import {
  capitalize,
  formatText,
  indentText,
  joinTexts,
  replaceText,
  strip,
  titleCase,
  truncateText,
} from './text-operations.ts'
import {
  compareValues,
  countCharacters,
  describeKind,
  getMemberAt,
  isList,
  isTruthy,
  listItems,
  measure,
  toJsonText,
  toNumber,
  toText,
  type Value,
} from './value.ts'
import { passes } from './value-tests.ts'

/** What a filter gives for the value before the `|`. */
type Filter = (value: Value, given: Arguments) => Value

/** Filters that return or parse text. */
const textFilters: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ['string', defineTextFilter((text) => text)],
  ['safe', (value) => value],
  ['upper', defineTextFilter((text) => text.toUpperCase())],
  ['lower', defineTextFilter((text) => text.toLowerCase())],
  ['title', defineTextFilter(titleCase)],
  ['capitalize', defineTextFilter(capitalize)],
  [
    'trim',
    defineTextFilter((text, given) =>
      strip(text, trimFilter(given), { start: true, end: true }, given.budget),
    ),
  ],
  ['wordcount', defineTextFilter((text) => text.match(/\w+/g)?.length ?? 0)],
  ['urlencode', defineTextFilter((text) => encodeURIComponent(text.toWellFormed()))],
  ['replace', defineTextFilter(replace)],
  ['truncate', defineTextFilter(truncate)],
  ['indent', defineTextFilter(indent)],
  ['format', defineTextFilter((text, given) => formatText(text, given.positional, given.budget))],
  ['join', join],
  ['tojson', jsonFilter],
  ['json', jsonFilter],
  ['fromjson', (value, given) => fromJson(value, given)],
  ['hash', hash],
  ['sha256', hash],
])

function defineTextFilter(change: (text: string, given: Arguments) => Value): Filter {
  return (value, given) => {
    const text = toText(value, given.budget)
    given.budget.spend(1 + text.length / 100)
    return change(text, given)
  }
}

function trimFilter(given: Arguments): string | undefined {
  return given.isEmpty ? undefined : given.text(0, 'chars')
}

function replace(text: string, given: Arguments): Value {
  const count = given.wholeNumber(2, 'count', -1)
  return replaceText(text, given.text(0, 'old'), given.text(1, 'new'), count, given.budget)
}

/** @see https://jinja.palletsprojects.com/en/stable/templates/#jinja-filters.truncate (the defaults) */
function truncate(text: string, given: Arguments): Value {
  return truncateText(text, given.wholeNumber(0, 'length', 255), {
    killsWords: given.flag(1, 'killwords'),
    end: given.text(2, 'end', '...'),
    leeway: given.wholeNumber(3, 'leeway', 5),
  })
}

function indent(text: string, given: Arguments): Value {
  const width = given.value(0, 'width') ?? 4
  const spaces = typeof width === 'string' ? width : ' '.repeat(readIndent(given))
  const also = { first: given.flag(1, 'first'), blank: given.flag(2, 'blank') }
  return indentText(text, spaces, also, given.budget)
}

function readIndent(given: Arguments): number {
  return Math.min(1_000, Math.max(0, given.wholeNumber(0, 'width', 4)))
}

function join(value: Value, given: Arguments): Value {
  const attribute = given.value(1, 'attribute')
  const items = listItems(value, given.budget)
  const parts = attribute === undefined ? items : items.map((item) => getMemberAt(item, attribute))
  return joinTexts(parts, given.text(0, 'd', ''), given.budget)
}

function jsonFilter(value: Value, given: Arguments): Value {
  const indentation = given.value(0, 'indent') ?? undefined
  const width = indentation === undefined ? undefined : given.wholeNumber(0, 'indent', 2)
  return toJsonText(value, given.budget, width)
}

/** Parses JSON text; other values are returned as they are. The error quotes no text, since it may be secret. */
function fromJson(value: Value, { budget }: Arguments): Value {
  if (typeof value !== 'string') return value
  budget.spendText(value.length)
  try {
    return JSON.parse(value, (key, member: Json) => (key === '__proto__' ? undefined : member))
  } catch {
    throw valueError(
      '`fromjson` was given text that is not JSON',
      'Check where this text comes from.',
    )
  }
}

function hash(value: Value, { budget }: Arguments): Value {
  measure(value, budget)
  return typeof value === 'string' ? sha256(value) : hashJson(value ?? null)
}

/** Filters that read lists and objects. */
const listFilters: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ['length', length],
  ['count', length],
  ['list', (value, given) => listItems(value, given.budget)],
  ['first', (value, given) => listItems(value, given.budget)[0]],
  ['last', (value, given) => listItems(value, given.budget).at(-1)],
  ['reverse', reverse],
  ['sort', sort],
  ['unique', unique],
  ['sum', sum],
  ['min', findExtreme(-1)],
  ['max', findExtreme(1)],
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
    return countCharacters(value)
  }
  if (isList(value)) return value.length
  if (isJsonObject(value)) return budget.listKeys(value).length
  throw valueError(`${describeKind(value)} has no length`)
}

function reverse(value: Value, { budget }: Arguments): Value {
  const items = [...listItems(value, budget)].reverse()
  return typeof value === 'string' ? items.join('') : items
}

function pairs(value: Value, filter: string, given: Arguments): readonly (readonly Json[])[] {
  if (value === undefined || value === null) return []
  if (isJsonObject(value)) return listPairs(value, given)
  throw valueError(`\`${filter}\` needs an object, not ${describeKind(value)}`)
}

function sort(value: Value, given: Arguments): Value {
  const keyOf = sortKey(given.value(2, 'attribute'), given.flag(1, 'case_sensitive'))
  return sorted(listItems(value, given.budget), keyOf, given.flag(0, 'reverse'), given)
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
  return [...items].sort((a, b) => direction * compareValues(keyOf(a), keyOf(b), budget))
}

function sortKey(attribute: Value, isCaseSensitive: boolean): (item: Value) => Value {
  return (item) => {
    const key = attribute === undefined || attribute === null ? item : getMemberAt(item, attribute)
    return typeof key === 'string' && !isCaseSensitive ? key.toLowerCase() : key
  }
}

function unique(value: Value, given: Arguments): Value {
  const keyOf = sortKey(given.value(1, 'attribute'), given.flag(0, 'case_sensitive'))
  const seen = new Set<string>()
  return listItems(value, given.budget).filter((item) => {
    const key = keyOf(item) ?? null
    measure(key, given.budget)
    const text = JSON.stringify(key)
    return seen.has(text) ? false : seen.add(text)
  })
}

function sum(value: Value, given: Arguments): Value {
  const attribute = given.value(0, 'attribute')
  let total = given.wholeNumber(1, 'start', 0)
  for (const item of listItems(value, given.budget)) {
    const summand = attribute === undefined ? item : getMemberAt(item, attribute)
    const number = toNumber(summand)
    if (number === undefined) throw valueError(`\`sum\` cannot add ${describeKind(summand)}`)
    total += number
  }
  return total
}

function findExtreme(direction: 1 | -1): Filter {
  return (value, given) => {
    const keyOf = sortKey(given.value(1, 'attribute'), given.flag(0, 'case_sensitive'))
    const items = listItems(value, given.budget)
    return items.reduce<Value>((best, item) => {
      if (best === undefined) return item
      return direction * compareValues(keyOf(item), keyOf(best), given.budget) > 0 ? item : best
    }, undefined)
  }
}

function choose(keeps: boolean, byAttribute: boolean): Filter {
  return (value, given) => {
    const attribute = byAttribute ? given.value(0, 'attribute') : undefined
    const rest = given.after('test', byAttribute ? 1 : 0)
    const name = rest.isEmpty ? undefined : rest.text(0, 'test')
    const test = rest.after(name ?? 'test', 1)
    return listItems(value, given.budget).filter((item) => {
      const subject = byAttribute ? getMemberAt(item, attribute) : item
      return passes(subject, name, test) === keeps
    })
  }
}

const filters: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ...textFilters,
  ...listFilters,
  ['default', fallbackFilter],
  ['d', fallbackFilter],
  ['map', map],
  ['int', toInteger],
  ['float', toFloat],
  ['abs', (value) => Math.abs(requireNumber(value, 'abs'))],
  ['round', round],
])

/** Names of all filters. */
export function filterNames(): readonly string[] {
  return [...filters.keys()]
}

/** A filter by name, or `undefined`. */
export function findFilter(name: string): Filter | undefined {
  return filters.get(name)
}

/**
 * As in Jinja, only a missing value is replaced by the default; with `true` as second argument, also a false or empty
 * one.
 */
function fallbackFilter(value: Value, given: Arguments): Value {
  const isReplaced =
    value === undefined || (given.flag(1, 'boolean') && !isTruthy(value, given.budget))
  return isReplaced ? (given.value(0, 'default_value') ?? '') : value
}

function map(value: Value, given: Arguments): Value {
  const items = listItems(value, given.budget)
  const attribute = given.value(Number.POSITIVE_INFINITY, 'attribute')
  if (attribute !== undefined) {
    const fallback = given.value(Number.POSITIVE_INFINITY, 'default') ?? null
    return items.map((item): Json => getMemberAt(item, attribute) ?? fallback)
  }
  const name = given.text(0, 'filter')
  const filter = filters.get(name)
  if (filter === undefined) throw valueError('`map` was given a name that is not a filter')
  const rest = given.after(name, 1)
  return items.map((item) => filter(item, rest) ?? null)
}

function toInteger(value: Value, given: Arguments): Value {
  const number = parseNumber(value)
  return number === undefined ? (given.value(0, 'default') ?? 0) : Math.trunc(number)
}

function toFloat(value: Value, given: Arguments): Value {
  return parseNumber(value) ?? given.value(0, 'default') ?? 0
}

function parseNumber(value: Value): number | undefined {
  if (typeof value !== 'string') return toNumber(value)
  const text = value.trim()
  return /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i.test(text) && Number.isFinite(Number(text))
    ? Number(text)
    : undefined
}

function requireNumber(value: Value, filter: string): number {
  const number = toNumber(value)
  if (number !== undefined) return number
  throw valueError(
    `\`${filter}\` needs a number, not ${describeKind(value)}`,
    'Convert with `| int` or `| float` first.',
  )
}

/** Rounds to a number of decimals; halves go to the even neighbor, as in Python. */
function round(value: Value, given: Arguments): Value {
  const number = requireNumber(value, 'round')
  const precision = Math.min(20, Math.max(0, given.wholeNumber(0, 'precision', 0)))
  const method = given.text(1, 'method', 'common')
  const factor = 10 ** precision
  if (method === 'ceil') return Math.ceil(number * factor) / factor
  if (method === 'floor') return Math.floor(number * factor) / factor
  if (method !== 'common') throw valueError('`round` rounds by `common`, `ceil` or `floor`')
  if (precision > 0) return Number(number.toFixed(precision))
  const below = Math.floor(number)
  if (number - below !== 0.5) return Math.round(number)
  return below % 2 === 0 ? below : below + 1
}
