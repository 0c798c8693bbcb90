import type { Json } from '../../../kernel/json.ts'

/** A place at which two values differ, each side as JSON cut to a readable length. */
export interface Difference {
  readonly path: string
  readonly recorded: string
  readonly replayed: string
}

const mostDifferences = 10

/** Where two JSON values differ, outermost places that have no equal part below them; ten at most. */
export function differencesBetween(recorded: Json, replayed: Json): readonly Difference[] {
  return [...find('', recorded, replayed)].slice(0, mostDifferences)
}

function* find(
  path: string,
  before: Json | undefined,
  after: Json | undefined,
): Generator<Difference> {
  if (before === after) return
  if (!isBranch(before) || !isBranch(after) || Array.isArray(before) !== Array.isArray(after)) {
    yield {
      path: path === '' ? '(all)' : path,
      recorded: excerpt(before),
      replayed: excerpt(after),
    }
    return
  }
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const place = Array.isArray(before) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`
    yield* find(place, before[key], after[key])
  }
}

function isBranch(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null
}

const mostCharacters = 120

function excerpt(value: Json | undefined): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters)}…`
}
