import { hashJson, isJsonObject, type Json, sha256 } from '../../kernel/json.ts'
import type { Arguments } from './arguments.ts'
import { pairsOf } from './methods.ts'
import { valueError } from './template-error.ts'
import {
  capitalized,
  formatted,
  indented,
  joined,
  replaced,
  stripped,
  titled,
  truncated,
} from './text-operations.ts'
import {
  isList,
  itemsOf,
  jsonTextOf,
  kindOf,
  lengthOfText,
  measure,
  memberAt,
  numberOf,
  order,
  textOf,
  truthOf,
  type Value,
} from './value.ts'
import { passes } from './value-tests.ts'

/** What a filter gives for the value before the `|`. */
type Filter = (value: Value, given: Arguments) => Value

/** Filters that give text, or read it. */
const textFilters: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ['string', onText((text) => text)],
  ['safe', (value) => value],
  ['upper', onText((text) => text.toUpperCase())],
  ['lower', onText((text) => text.toLowerCase())],
  ['title', onText(titled)],
  ['capitalize', onText(capitalized)],
  [
    'trim',
    onText((text, given) =>
      stripped(text, trimmed(given), { start: true, end: true }, given.budget),
    ),
  ],
  ['wordcount', onText((text) => text.match(/\w+/g)?.length ?? 0)],
  ['urlencode', onText((text) => encodeURIComponent(text.toWellFormed()))],
  ['replace', onText(replace)],
  ['truncate', onText(truncate)],
  ['indent', onText(indent)],
  ['format', onText((text, given) => formatted(text, given.positional, given.budget))],
  ['join', join],
  ['tojson', toJsonText],
  ['json', toJsonText],
  ['fromjson', (value, given) => fromJson(value, given)],
  ['hash', hash],
  ['sha256', hash],
])

function onText(change: (text: string, given: Arguments) => Value): Filter {
  return (value, given) => {
    const text = textOf(value, given.budget)
    given.budget.spend(1 + text.length / 100)
    return change(text, given)
  }
}

function trimmed(given: Arguments): string | undefined {
  return given.isEmpty ? undefined : given.text(0, 'chars')
}

function replace(text: string, given: Arguments): Value {
  const count = given.wholeNumber(2, 'count', -1)
  return replaced(text, given.text(0, 'old'), given.text(1, 'new'), count, given.budget)
}

/** @see https://jinja.palletsprojects.com/en/stable/templates/#jinja-filters.truncate (the defaults) */
function truncate(text: string, given: Arguments): Value {
  return truncated(text, given.wholeNumber(0, 'length', 255), {
    killsWords: given.flag(1, 'killwords'),
    end: given.text(2, 'end', '...'),
    leeway: given.wholeNumber(3, 'leeway', 5),
  })
}

function indent(text: string, given: Arguments): Value {
  const width = given.value(0, 'width') ?? 4
  const spaces = typeof width === 'string' ? width : ' '.repeat(spacesOf(given))
  const also = { first: given.flag(1, 'first'), blank: given.flag(2, 'blank') }
  return indented(text, spaces, also, given.budget)
}

function spacesOf(given: Arguments): number {
  return Math.min(1_000, Math.max(0, given.wholeNumber(0, 'width', 4)))
}

function join(value: Value, given: Arguments): Value {
  const attribute = given.value(1, 'attribute')
  const items = itemsOf(value, given.budget)
  const parts = attribute === undefined ? items : items.map((item) => memberAt(item, attribute))
  return joined(parts, given.text(0, 'd', ''), given.budget)
}

function toJsonText(value: Value, given: Arguments): Value {
  const indentation = given.value(0, 'indent') ?? undefined
  const width = indentation === undefined ? undefined : given.wholeNumber(0, 'indent', 2)
  return jsonTextOf(value, given.budget, width)
}

/** JSON text as a value; what is no text already is one. The message holds none of the text: it may be secret. */
function fromJson(value: Value, { budget }: Arguments): Value {
  if (typeof value !== 'string') return value
  budget.spendText(value.length)
  try {
    return JSON.parse(value, (key, member: Json) => (key === '__proto__' ? undefined : member))
  } catch {
    throw valueError('`fromjson` was given text that is no JSON', 'Check what made this text.')
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
  if (isJsonObject(value)) return budget.keysOf(value).length
  throw valueError(`${kindOf(value)} has no length`)
}

function reverse(value: Value, { budget }: Arguments): Value {
  const items = [...itemsOf(value, budget)].reverse()
  return typeof value === 'string' ? items.join('') : items
}

function pairs(value: Value, filter: string, given: Arguments): readonly (readonly Json[])[] {
  if (value === undefined || value === null) return []
  if (isJsonObject(value)) return pairsOf(value, given)
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

const filters: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  ...textFilters,
  ...listFilters,
  ['default', fallBack],
  ['d', fallBack],
  ['map', map],
  ['int', toInteger],
  ['float', toFloat],
  ['abs', (value) => Math.abs(needNumber(value, 'abs'))],
  ['round', round],
])

/** All names of filters. */
export function filterNames(): readonly string[] {
  return [...filters.keys()]
}

/** The filter of this name, or `undefined`. */
export function filterNamed(name: string): Filter | undefined {
  return filters.get(name)
}

/** As in Jinja, only what is missing gets the default; with `true` as second argument also what is false or empty. */
function fallBack(value: Value, given: Arguments): Value {
  const isReplaced =
    value === undefined || (given.flag(1, 'boolean') && !truthOf(value, given.budget))
  return isReplaced ? (given.value(0, 'default_value') ?? '') : value
}

function map(value: Value, given: Arguments): Value {
  const items = itemsOf(value, given.budget)
  const attribute = given.value(Number.POSITIVE_INFINITY, 'attribute')
  if (attribute !== undefined) {
    const fallback = given.value(Number.POSITIVE_INFINITY, 'default') ?? null
    return items.map((item): Json => memberAt(item, attribute) ?? fallback)
  }
  const name = given.text(0, 'filter')
  const filter = filters.get(name)
  if (filter === undefined) throw valueError('`map` was given a name that is no filter')
  const rest = given.after(name, 1)
  return items.map((item) => filter(item, rest) ?? null)
}

function toInteger(value: Value, given: Arguments): Value {
  const number = parsedNumber(value)
  return number === undefined ? (given.value(0, 'default') ?? 0) : Math.trunc(number)
}

function toFloat(value: Value, given: Arguments): Value {
  return parsedNumber(value) ?? given.value(0, 'default') ?? 0
}

function parsedNumber(value: Value): number | undefined {
  if (typeof value !== 'string') return numberOf(value)
  const text = value.trim()
  return /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i.test(text) && Number.isFinite(Number(text))
    ? Number(text)
    : undefined
}

function needNumber(value: Value, filter: string): number {
  const number = numberOf(value)
  if (number !== undefined) return number
  throw valueError(
    `\`${filter}\` needs a number, not ${kindOf(value)}`,
    'Convert with `| int` or `| float` first.',
  )
}

/** A number with so many decimals; a half goes to the even neighbour, as Python rounds whole numbers. */
function round(value: Value, given: Arguments): Value {
  const number = needNumber(value, 'round')
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
