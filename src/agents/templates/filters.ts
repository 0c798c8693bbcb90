import type { Json } from '../../kernel/json.ts'
import type { Arguments } from './arguments.ts'
import { listFilters } from './list-filters.ts'
import { valueError } from './template-error.ts'
import { type Filter, textFilters } from './text-filters.ts'
import { itemsOf, kindOf, memberAt, numberOf, truthOf, type Value } from './value.ts'

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
  if (filter === undefined) throw valueError('`map` was given a name that is not a filter')
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
