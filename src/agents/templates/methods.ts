import type { Json, JsonObject } from '../../kernel/json.ts'
import { isJsonObject } from '../../kernel/json.ts'
import type { Arguments } from './arguments.ts'
import { valueError } from './template-error.ts'
import { capitalize, joinTexts, replaceText, split, strip, titleCase } from './text-operations.ts'
import {
  areEqual,
  describeKind,
  getMember,
  isList,
  listItems,
  toText,
  type Value,
} from './value.ts'

type Method<Owner> = (owner: Owner, given: Arguments) => Value

const bothEnds = { start: true, end: true }

const textMethods: ReadonlyMap<string, Method<string>> = new Map<string, Method<string>>([
  ['upper', (text) => text.toUpperCase()],
  ['lower', (text) => text.toLowerCase()],
  ['title', (text) => titleCase(text)],
  ['capitalize', (text) => capitalize(text)],
  ['strip', (text, given) => strip(text, characters(given), bothEnds, given.budget)],
  [
    'lstrip',
    (text, given) => strip(text, characters(given), { start: true, end: false }, given.budget),
  ],
  [
    'rstrip',
    (text, given) => strip(text, characters(given), { start: false, end: true }, given.budget),
  ],
  [
    'split',
    (text, given) => {
      const separator = given.value(0, 'sep') ?? undefined
      const at = separator === undefined ? undefined : given.text(0, 'sep')
      return split(text, at, given.wholeNumber(1, 'maxsplit', -1), given.budget)
    },
  ],
  ['splitlines', (text, given) => splitLines(text, given)],
  [
    'replace',
    (text, given) =>
      replaceText(
        text,
        given.text(0, 'old'),
        given.text(1, 'new'),
        given.wholeNumber(2, 'count', -1),
        given.budget,
      ),
  ],
  ['startswith', (text, given) => readBeginnings(given).some((part) => text.startsWith(part))],
  ['endswith', (text, given) => readBeginnings(given).some((part) => text.endsWith(part))],
  [
    'join',
    (text, given) =>
      joinTexts(listItems(given.value(0, 'items'), given.budget), text, given.budget),
  ],
  ['find', (text, given) => findPlaceInList(text, given)],
  ['count', (text, given) => split(text, given.text(0, 'part'), -1, given.budget).length - 1],
  ['isdigit', (text) => /^\p{Nd}+$/u.test(text)],
])

const objectMethods: ReadonlyMap<string, Method<JsonObject>> = new Map<string, Method<JsonObject>>([
  ['get', (object, given) => getMember(object, given.value(0, 'key')) ?? given.value(1, 'default')],
  ['items', (object, given) => listPairs(object, given)],
  ['keys', (object, given) => listItems(object, given.budget)],
  ['values', (object, given) => listPairs(object, given).map(([, value]) => value as Json)],
])

const listMethods: ReadonlyMap<string, Method<readonly Json[]>> = new Map<
  string,
  Method<readonly Json[]>
>([
  ['index', (list, given) => findPlace(list, given)],
  ['count', (list, given) => list.filter((item) => isSame(item, given)).length],
])

/** The keys and values of an object as pairs. */
export function listPairs(object: JsonObject, { budget }: Arguments): readonly (readonly Json[])[] {
  return listItems(object, budget).map((key) => [key, getMember(object, key) ?? null])
}

/** Whether any kind of value has a method of this name. */
export function isMethod(name: string): boolean {
  return textMethods.has(name) || objectMethods.has(name) || listMethods.has(name)
}

/** Names of all methods. */
export function methodNames(): readonly string[] {
  return [...new Set([...textMethods.keys(), ...objectMethods.keys(), ...listMethods.keys()])]
}

/**
 * Calls a method of a value; a method of nothing returns nothing. @throws {@link ScholiumError} `template_failed` if
 * values of this kind have no such method
 */
export function callMethod(owner: Value, name: string, given: Arguments): Value {
  if (owner === undefined || owner === null) return undefined
  const call = bindMethod(owner, name)
  if (call !== undefined) return call(given)
  throw valueError(`${describeKind(owner)} has no method \`${name}\``)
}

function bindMethod(owner: Value, name: string): ((given: Arguments) => Value) | undefined {
  if (typeof owner === 'string') {
    const method = textMethods.get(name)
    return method && ((given) => method(chargeText(owner, given), given))
  }
  if (isList(owner)) {
    const method = listMethods.get(name)
    return method && ((given) => method(owner, given))
  }
  const method = isJsonObject(owner) ? objectMethods.get(name) : undefined
  return method && ((given) => method(owner as JsonObject, given))
}

function chargeText(text: string, { budget }: Arguments): string {
  budget.spend(1 + text.length / 100)
  return text
}

function findPlaceInList(text: string, given: Arguments): number {
  const part = given.text(0, 'part')
  given.budget.spendSearch(text.length, part.length)
  return text.indexOf(part)
}

function characters(given: Arguments): string | undefined {
  return given.isEmpty ? undefined : given.text(0, 'chars')
}

function readBeginnings(given: Arguments): readonly string[] {
  const value = given.value(0, 'part')
  const parts = isList(value) ? value : [given.text(0, 'part')]
  return parts.map((part) => {
    const text = toText(part, given.budget)
    given.budget.spend(1 + text.length / 100)
    return text
  })
}

function splitLines(text: string, { budget }: Arguments): readonly string[] {
  const lines = text.split(/\r\n|\r|\n/)
  if (lines.at(-1) === '') lines.pop()
  budget.spendList(lines.length)
  return lines
}

function isSame(item: Json, given: Arguments): boolean {
  return areEqual(item, given.value(0, 'value'), given.budget)
}

function findPlace(list: readonly Json[], given: Arguments): number {
  const place = list.findIndex((item) => isSame(item, given))
  if (place === -1) throw valueError('`index` found no such item in the list')
  return place
}
