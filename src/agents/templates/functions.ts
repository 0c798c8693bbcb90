import { nearest } from '../../kernel/text/nearest.ts'
import type { Arguments } from './arguments.ts'
import { filterNamed, filterNames } from './filters.ts'
import type { Frame } from './frame.ts'
import type { Node } from './syntax.ts'
import { syntaxError, valueError } from './template-error.ts'
import { memberOf, truthOf, type Value } from './value.ts'
import { testNames } from './value-tests.ts'

/** `range(stop)`, `range(start, stop)` or `range(start, stop, step)` as Python counts; its length is paid for before it is made. */
function rangeOf(given: Arguments): Value {
  const hasStart = given.positional.length > 1
  const start = hasStart ? given.wholeNumber(0, 'start', 0) : 0
  const stop = given.wholeNumber(hasStart ? 1 : 0, 'stop', 0)
  const step = given.wholeNumber(2, 'step', 1)
  if (step === 0) throw valueError('the step of `range` cannot be 0')
  const length = Math.max(0, Math.ceil((stop - start) / step))
  given.budget.spendList(length)
  return Array.from({ length }, (_, index) => start + index * step)
}

/** What a function called by its name gives. */
export type NamedFunction = (given: Arguments) => Value

/** The functions of expressions: Jinja's `range`, and those of Python that its plain expressions lean on, each as the filter. */
export const functions: ReadonlyMap<string, NamedFunction> = new Map<string, NamedFunction>([
  ['range', rangeOf],
  ['bool', (given) => truthOf(given.positional[0], given.budget)],
  ['len', asFilter('length')],
  ['str', asFilter('string')],
  ['sorted', asFilter('sort')],
  ...['int', 'float', 'abs', 'round', 'list', 'sum'].map((name): [string, NamedFunction] => [
    name,
    asFilter(name),
  ]),
  ['min', ofSeveral('min')],
  ['max', ofSeveral('max')],
])

function asFilter(name: string): NamedFunction {
  const filter = filterNamed(name)
  return (given) => filter?.(given.positional[0], given.after(name, 1))
}

/** `min(list)` or `min(a, b, …)`. */
function ofSeveral(name: string): NamedFunction {
  const filter = filterNamed(name)
  return (given) => {
    const values = given.positional.map((value) => value ?? null)
    const isList = values.length === 1
    return filter?.(isList ? values[0] : values, given.after(name, values.length))
  }
}

/** Names that are values and not read from anywhere. */
export const constants: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['none', null],
  ['None', null],
  ['null', null],
])

/** Ends an evaluation that reads a name nobody gave: missing keys are nothing, but missing names are mistakes. */
export function missingName({ scope }: Frame, name: string): never {
  const isStateKey = memberOf(scope.state, name) !== undefined
  throw valueError(
    `there is no \`${name}\` here`,
    isStateKey ? `Write \`state.${name}\`.` : `There are ${Object.keys(scope).join(', ')}.`,
  )
}

/** Which argument of a filter names another filter or a test. */
const handedOn: ReadonlyMap<string, { readonly place: number; readonly kind: 'filter' | 'test' }> =
  new Map([
    ['map', { place: 0, kind: 'filter' }],
    ['select', { place: 0, kind: 'test' }],
    ['reject', { place: 0, kind: 'test' }],
    ['selectattr', { place: 1, kind: 'test' }],
    ['rejectattr', { place: 1, kind: 'test' }],
  ])

/** Finds a mistyped name in `map("…")` and `select("…")` before anything runs. @throws {@link ScholiumError} `invalid_agent_file` */
export function checkHandedOn(filter: string, nodes: readonly Node[], offset: number): void {
  const named = handedOn.get(filter)
  const argument = named && nodes[named.place]
  if (named === undefined || argument?.type !== 'StringLiteral') return
  const known = named.kind === 'filter' ? filterNames() : testNames()
  if (!known.includes(argument.value)) throw unknownName(named.kind, argument.value, known, offset)
}

/** The error for a name that does not exist, with the one that was most likely meant. */
export function unknownName(kind: string, name: string, known: readonly string[], offset: number) {
  const meant = nearest(name, known)
  return syntaxError(
    `There is no ${kind} \`${name}\``,
    offset,
    meant === undefined
      ? `There are ${[...known].sort().join(', ')}.`
      : `Did you mean \`${meant}\`?`,
  )
}
