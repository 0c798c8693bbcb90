import { ScholiumError } from '../kernel/errors.ts'
import type { Json, JsonObject } from '../kernel/json.ts'

/** A change of a state: where, as `field`, `field.name` or `field[0].name`, and the value that shall stand there. */
export interface StateChange {
  readonly path: string
  readonly value: Json
}

/**
 * The fields of a state that changes make other, each whole.
 * @throws `invalid_input` for a path that leads nowhere, or a value of another kind than the field has
 */
export function changedFields(state: JsonObject, changes: readonly StateChange[]): JsonObject {
  let changed = state
  const fields = new Set<string>()
  for (const { path, value } of changes) {
    const names = namesOf(path)
    const field = names[0] as string
    if (!Object.hasOwn(state, field)) throw noSuchField(path, Object.keys(state))
    changed = setAt(changed, names, value, path) as JsonObject
    checkKind(field, state[field] as Json, changed[field] as Json)
    fields.add(field)
  }
  return Object.fromEntries([...fields].map((field) => [field, changed[field] as Json]))
}

function namesOf(path: string): readonly string[] {
  if (/^[^.[\]]+(?:\.[^.[\]]+|\[\d+\])*$/.test(path))
    return path.replaceAll(/\[(\d+)\]/g, '.$1').split('.')
  throw new ScholiumError('invalid_input', `"${path}" is not a path into the state.`, {
    hint: 'Write it as field, field.name or field[0].',
  })
}

function setAt(value: Json | undefined, names: readonly string[], given: Json, path: string): Json {
  const [name, ...rest] = names
  if (name === undefined) return given
  if (Array.isArray(value)) {
    const index = Number(name)
    // One after the last adds to the list.
    if (Number.isInteger(index) && index >= 0 && index <= value.length)
      return Object.assign([...value], { [index]: setAt(value[index], rest, given, path) })
  } else if (typeof value === 'object' && value !== null) {
    const object = value as JsonObject
    return { ...object, [name]: setAt(object[name], rest, given, path) }
  }
  throw new ScholiumError(
    'invalid_input',
    `The state has no field "${path}": there is nothing at "${name}".`,
  )
}

function checkKind(field: string, before: Json, after: Json): void {
  if (before === null || after === null) return
  if (typeof before === typeof after && Array.isArray(before) === Array.isArray(after)) return
  throw new ScholiumError(
    'invalid_input',
    `"${field}" must be ${kindOf(before)}, not ${kindOf(after)}.`,
    {
      hint: 'Give the value as JSON, such as 3 or ["a","b"].',
    },
  )
}

function kindOf(value: Json): string {
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function noSuchField(path: string, fields: readonly string[]): ScholiumError {
  return new ScholiumError('invalid_input', `The state has no field "${path}".`, {
    hint: `Its fields: ${fields.join(', ')}.`,
  })
}
