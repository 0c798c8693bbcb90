import { findNearest } from '../../kernel/text/nearest.ts'
import type { Arguments } from './arguments.ts'
import { filterNames, findFilter } from './filters.ts'
import type { Frame } from './frame.ts'
import type { Node } from './syntax.ts'
import { syntaxError, valueError } from './template-error.ts'
import { getMember, isTruthy, type Value } from './value.ts'
import { testNames } from './value-tests.ts'

/** A function called by name. */
export type NamedFunction = (given: Arguments) => Value

/** Functions in expressions: Jinja's `range`, and Python's that plain expressions use, each equal to the filter. */
export const functions: ReadonlyMap<string, NamedFunction> = new Map<string, NamedFunction>([
  ['range', createRange],
  ['bool', (given) => isTruthy(given.positional[0], given.budget)],
  ['len', filterAsFunction('length')],
  ['str', filterAsFunction('string')],
  ['sorted', filterAsFunction('sort')],
  ...['int', 'float', 'abs', 'round', 'list', 'sum'].map((name): [string, NamedFunction] => [
    name,
    filterAsFunction(name),
  ]),
  ['min', extremeOfSeveral('min')],
  ['max', extremeOfSeveral('max')],
])

function filterAsFunction(name: string): NamedFunction {
  const filter = findFilter(name)
  return (given) => filter?.(given.positional[0], given.after(name, 1))
}

/** `min(list)` or `min(a, b, …)`. */
function extremeOfSeveral(name: string): NamedFunction {
  const filter = findFilter(name)
  return (given) => {
    const values = given.positional.map((value) => value ?? null)
    const isList = values.length === 1
    return filter?.(isList ? values[0] : values, given.after(name, values.length))
  }
}

/** `range(stop)`, `range(start, stop)` or `range(start, stop, step)` as in Python; its length is charged first. */
function createRange(given: Arguments): Value {
  const hasStart = given.positional.length > 1
  const start = hasStart ? given.wholeNumber(0, 'start', 0) : 0
  const stop = given.wholeNumber(hasStart ? 1 : 0, 'stop', 0)
  const step = given.wholeNumber(2, 'step', 1)
  if (step === 0) throw valueError('the step of `range` cannot be 0')
  const length = Math.max(0, Math.ceil((stop - start) / step))
  given.budget.spendList(length)
  return Array.from({ length }, (_, index) => start + index * step)
}

/** Names with constant values. */
export const constants: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['none', null],
  ['None', null],
  ['null', null],
])

/** Fails an evaluation that reads an unknown name: missing keys are nothing, missing names are mistakes. */
export function explainMissingName({ scope }: Frame, name: string): never {
  const isStateKey = getMember(scope.state, name) !== undefined
  throw valueError(
    `there is no \`${name}\` here`,
    isStateKey ? `Write \`state.${name}\`.` : `There are ${Object.keys(scope).join(', ')}.`,
  )
}

/** Which argument of a filter names another filter or a test. */
const forwardedNames: ReadonlyMap<
  string,
  { readonly place: number; readonly kind: 'filter' | 'test' }
> = new Map([
  ['map', { place: 0, kind: 'filter' }],
  ['select', { place: 0, kind: 'test' }],
  ['reject', { place: 0, kind: 'test' }],
  ['selectattr', { place: 1, kind: 'test' }],
  ['rejectattr', { place: 1, kind: 'test' }],
])

/**
 * Finds mistyped names in `map("…")` and `select("…")` before anything runs. @throws {@link ScholiumError}
 * `invalid_agent_file`
 */
export function checkHandedOn(filter: string, nodes: readonly Node[], offset: number): void {
  const named = forwardedNames.get(filter)
  const argument = named && nodes[named.place]
  if (named === undefined || argument?.type !== 'StringLiteral') return
  const known = named.kind === 'filter' ? filterNames() : testNames()
  if (!known.includes(argument.value))
    throw explainUnknownName(named.kind, argument.value, known, offset)
}

/** The error for an unknown name, with the most likely intended one. */
export function explainUnknownName(
  kind: string,
  name: string,
  known: readonly string[],
  offset: number,
) {
  const meant = findNearest(name, known)
  return syntaxError(
    `There is no ${kind} \`${name}\``,
    offset,
    meant === undefined
      ? `There are ${[...known].sort().join(', ')}.`
      : `Did you mean \`${meant}\`?`,
  )
}
