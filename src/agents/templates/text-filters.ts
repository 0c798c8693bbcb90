import { hashJson, type Json, sha256 } from '../../kernel/json.ts'
import type { Arguments } from './arguments.ts'
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
import { itemsOf, jsonTextOf, measure, memberAt, textOf, type Value } from './value.ts'

/** What a filter gives for the value before the `|`. */
export type Filter = (value: Value, given: Arguments) => Value

/** Filters that give text, or read it. */
export const textFilters: ReadonlyMap<string, Filter> = new Map<string, Filter>([
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
