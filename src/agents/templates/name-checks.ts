import { nearest } from '../../kernel/text/nearest.ts'
import { filterNames } from './filters.ts'
import type { Frame } from './frame.ts'
import type { Node } from './syntax.ts'
import { syntaxError, valueError } from './template-error.ts'
import { memberOf } from './value.ts'
import { testNames } from './value-tests.ts'

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
