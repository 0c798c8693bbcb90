import type { Arguments } from './arguments.ts'
import { filterNamed } from './filters.ts'
import { rangeOf } from './range.ts'
import { truthOf, type Value } from './value.ts'

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
