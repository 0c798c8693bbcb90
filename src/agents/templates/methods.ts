import type { Json, JsonObject } from '../../kernel/json.ts'
import { isJsonObject } from '../../kernel/json.ts'
import type { Arguments } from './arguments.ts'
import { valueError } from './template-error.ts'
import { capitalized, joined, replaced, split, stripped, titled } from './text-operations.ts'
import { areEqual, isList, itemsOf, kindOf, memberOf, textOf, type Value } from './value.ts'

type Method<Owner> = (owner: Owner, given: Arguments) => Value

const bothEnds = { start: true, end: true }

const textMethods: ReadonlyMap<string, Method<string>> = new Map<string, Method<string>>([
  ['upper', (text) => text.toUpperCase()],
  ['lower', (text) => text.toLowerCase()],
  ['title', (text) => titled(text)],
  ['capitalize', (text) => capitalized(text)],
  ['strip', (text, given) => stripped(text, characters(given), bothEnds, given.budget)],
  [
    'lstrip',
    (text, given) => stripped(text, characters(given), { start: true, end: false }, given.budget),
  ],
  [
    'rstrip',
    (text, given) => stripped(text, characters(given), { start: false, end: true }, given.budget),
  ],
  [
    'split',
    (text, given) => {
      const separator = given.value(0, 'sep') ?? undefined
      const at = separator === undefined ? undefined : given.text(0, 'sep')
      return split(text, at, given.wholeNumber(1, 'maxsplit', -1), given.budget)
    },
  ],
  ['splitlines', (text, given) => linesOf(text, given)],
  [
    'replace',
    (text, given) =>
      replaced(
        text,
        given.text(0, 'old'),
        given.text(1, 'new'),
        given.wholeNumber(2, 'count', -1),
        given.budget,
      ),
  ],
  ['startswith', (text, given) => beginnings(given).some((part) => text.startsWith(part))],
  ['endswith', (text, given) => beginnings(given).some((part) => text.endsWith(part))],
  [
    'join',
    (text, given) => joined(itemsOf(given.value(0, 'items'), given.budget), text, given.budget),
  ],
  ['find', (text, given) => placeIn(text, given)],
  ['count', (text, given) => split(text, given.text(0, 'part'), -1, given.budget).length - 1],
  ['isdigit', (text) => /^\p{Nd}+$/u.test(text)],
])

const objectMethods: ReadonlyMap<string, Method<JsonObject>> = new Map<string, Method<JsonObject>>([
  ['get', (object, given) => memberOf(object, given.value(0, 'key')) ?? given.value(1, 'default')],
  ['items', (object, given) => pairsOf(object, given)],
  ['keys', (object, given) => itemsOf(object, given.budget)],
  ['values', (object, given) => pairsOf(object, given).map(([, value]) => value as Json)],
])

const listMethods: ReadonlyMap<string, Method<readonly Json[]>> = new Map<
  string,
  Method<readonly Json[]>
>([
  ['index', (list, given) => placeOf(list, given)],
  ['count', (list, given) => list.filter((item) => isSame(item, given)).length],
])

/** The keys and values of an object as lists of two. */
export function pairsOf(object: JsonObject, { budget }: Arguments): readonly (readonly Json[])[] {
  return itemsOf(object, budget).map((key) => [key, memberOf(object, key) ?? null])
}

/** Whether some kind of value has a method of this name. */
export function isMethod(name: string): boolean {
  return textMethods.has(name) || objectMethods.has(name) || listMethods.has(name)
}

/** All names of methods. */
export function methodNames(): readonly string[] {
  return [...new Set([...textMethods.keys(), ...objectMethods.keys(), ...listMethods.keys()])]
}

/** What a method of a value gives; a method of nothing gives nothing. @throws {@link ScholiumError} `template_failed` when values of its kind have no such method */
export function callMethod(owner: Value, name: string, given: Arguments): Value {
  if (owner === undefined || owner === null) return undefined
  const call = boundMethod(owner, name)
  if (call !== undefined) return call(given)
  throw valueError(`${kindOf(owner)} has no method \`${name}\``)
}

function boundMethod(owner: Value, name: string): ((given: Arguments) => Value) | undefined {
  if (typeof owner === 'string') {
    const method = textMethods.get(name)
    return method && ((given) => method(paid(owner, given), given))
  }
  if (isList(owner)) {
    const method = listMethods.get(name)
    return method && ((given) => method(owner, given))
  }
  const method = isJsonObject(owner) ? objectMethods.get(name) : undefined
  return method && ((given) => method(owner as JsonObject, given))
}

function paid(text: string, { budget }: Arguments): string {
  budget.spend(1 + text.length / 100)
  return text
}

function placeIn(text: string, given: Arguments): number {
  const part = given.text(0, 'part')
  given.budget.spendSearch(text.length, part.length)
  return text.indexOf(part)
}

function characters(given: Arguments): string | undefined {
  return given.isEmpty ? undefined : given.text(0, 'chars')
}

function beginnings(given: Arguments): readonly string[] {
  const value = given.value(0, 'part')
  const parts = isList(value) ? value : [given.text(0, 'part')]
  return parts.map((part) => {
    const text = textOf(part, given.budget)
    given.budget.spend(1 + text.length / 100)
    return text
  })
}

function linesOf(text: string, { budget }: Arguments): readonly string[] {
  const lines = text.split(/\r\n|\r|\n/)
  if (lines.at(-1) === '') lines.pop()
  budget.spendList(lines.length)
  return lines
}

function isSame(item: Json, given: Arguments): boolean {
  return areEqual(item, given.value(0, 'value'), given.budget)
}

function placeOf(list: readonly Json[], given: Arguments): number {
  const place = list.findIndex((item) => isSame(item, given))
  if (place === -1) throw valueError('`index` finds no such item in the list')
  return place
}
