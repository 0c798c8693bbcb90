import { findPlace, type Located } from './located.ts'
import type { DocumentProblem } from './problem.ts'
import type { Unsupported } from './unsupported.ts'

/** An object of a document as a plain value. */
export type PlainMap = { readonly [key: string]: unknown }

/** Whether a value is an object. */
export function isMap(value: unknown): value is PlainMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An object without empty keys: a heading whose lines are all commented out has no effect. */
export function omitNull(value: PlainMap): PlainMap {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
}

/** The object at a path without unsupported keys; each is reported in `problems`. */
export function removeUnsupported(
  root: Located,
  path: readonly string[],
  value: PlainMap,
  table: Readonly<Record<string, Unsupported>>,
  problems: DocumentProblem[],
): PlainMap {
  const [kept, rest]: [[string, unknown][], string[]] = [[], []]
  for (const [key, member] of Object.entries(value)) {
    if (Object.hasOwn(table, key)) rest.push(key)
    else kept.push([key, member])
  }
  for (const key of rest) {
    const { fate, reason, hint } = table[key] as Unsupported
    const isIgnored = fate === 'ignored'
    problems.push({
      code: isIgnored ? 'IGNORED_KEY' : 'NOT_SUPPORTED',
      severity: isIgnored ? 'warning' : 'error',
      message: `${[...path.filter(isName), key].join('.')} is ${isIgnored ? 'ignored' : 'not supported'}: ${reason}`,
      ...(hint === undefined ? {} : { hint }),
      path: [...path, key],
      ...findPlace(root, [...path, key], 'key'),
    })
  }
  return Object.fromEntries(kept)
}

function isName(key: string): boolean {
  return !/^(\d+|nodes|edges)$/.test(key)
}
