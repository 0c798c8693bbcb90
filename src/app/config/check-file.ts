import type { z } from 'zod'
import { findNearest } from '../../kernel/text/nearest.ts'
import { type ConfigFile, configJsonSchema, configSchema, type JsonSchema } from './schema.ts'

/** A mistake in a configuration. */
export interface Mistake {
  readonly path: readonly PropertyKey[]
  /** Whether the key itself is wrong, not its value. */
  readonly at: 'key' | 'value'
  readonly message: string
}

/** A valid configuration, or all of its mistakes. */
export type CheckOutcome =
  | { readonly ok: true; readonly config: ConfigFile }
  | { readonly ok: false; readonly mistakes: readonly Mistake[] }

/** Checks a value against the schema of the configuration file. An empty file is an empty configuration. */
export function checkConfig(value: unknown): CheckOutcome {
  const parsed = configSchema.safeParse(withoutEmpty(value), { reportInput: true })
  if (parsed.success) return { ok: true, config: parsed.data }
  return { ok: false, mistakes: parsed.error.issues.flatMap((issue) => findMistakes(issue, [])) }
}

type Issue = z.core.$ZodIssue

function findMistakes(issue: Issue, above: readonly PropertyKey[]): readonly Mistake[] {
  const path = [...above, ...issue.path]
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: [...path, key],
      at: 'key',
      message: unknownKey(path, key),
    }))
  if (issue.code === 'invalid_union') {
    // A model is a name or a map: a map's own mistakes say more than that it is not a name.
    const isMap = typeof issue.input === 'object' && issue.input !== null
    const branch = (isMap ? issue.errors[1] : issue.errors[0]) ?? []
    return branch.flatMap((inner) => findMistakes(inner, path))
  }
  const isMissing = issue.code === 'invalid_type' && issue.input === undefined
  const message = isMissing ? 'is missing' : issue.message
  const named = path.length === 0 ? 'the file' : path.map(String).join('.')
  return [{ path, at: 'value', message: `${named} ${message}` }]
}

const keyWords = /^(api|secret|access|auth)?[-_]?(key|token|secret|password)$/i

function unknownKey(path: readonly PropertyKey[], key: string): string {
  if (keyWords.test(key))
    return `"${key}": keys do not belong in a configuration file; put the key in an environment variable and name the variable with apiKeyFrom`
  const known = keysAt(configJsonSchema(), path)
  const meant = findNearest(key, known)
  const there = path.length === 0 ? '' : ` in ${path.map(String).join('.')}`
  const hint = meant === undefined ? `; known: ${known.join(', ')}` : `; did you mean "${meant}"?`
  return `unknown setting "${key}"${there}${hint}`
}

/** The keys that the schema knows at a path. */
function keysAt(schema: JsonSchema, path: readonly PropertyKey[]): readonly string[] {
  const [first, ...rest] = path
  const options = [schema, ...(schema.anyOf ?? [])]
  if (first === undefined)
    return options
      .flatMap(({ properties = {} }) => Object.keys(properties))
      .filter((key) => key !== '$schema')
  return options.flatMap(({ properties, additionalProperties }) => {
    const next = properties?.[String(first)] ?? additionalProperties
    return typeof next === 'object' ? keysAt(next, rest) : []
  })
}

/** A heading whose lines are all commented out has no meaning. */
function withoutEmpty(value: unknown): unknown {
  if (value === null || value === undefined) return {}
  if (typeof value !== 'object' || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
}
