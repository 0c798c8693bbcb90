import { ScholiumError } from '../kernel/errors.ts'
import type { Json, JsonObject } from '../kernel/json.ts'
import type { StageChannels } from './graph.ts'

/** A change of the state: a path such as `field`, `field.name` or `field[0].name`, and the new value. */
export interface StateChange {
  readonly path: string
  readonly value: Json
}

/**
 * The fields that the changes set, each with its whole new value; fields of a stage are under the stage's name.
 * @param channels says which fields are stages
 * @throws `invalid_input` for a path that does not exist, or a value of another type than the field has
 */
export function changedFields(
  state: JsonObject,
  changes: readonly StateChange[],
  channels: StageChannels = {},
): JsonObject {
  let changed = state
  let fields: JsonObject = {}
  for (const { path, value } of changes) {
    const names = parsePath(path)
    const [field = '', inner = ''] = names
    if (!Object.hasOwn(state, field)) throw noSuchField(path, Object.keys(state))
    const isStage = channels[field]?.fields !== undefined
    const before = isStage ? (state[field] as JsonObject) : state
    const name = isStage ? inner : field
    if (!Object.hasOwn(before, name))
      throw noSuchField(
        path,
        Object.keys(before).map((one) => `${field}.${one}`),
      )
    changed = setAt(changed, names, value, path) as JsonObject
    const after = isStage ? (changed[field] as JsonObject) : changed
    checkKind(isStage ? `${field}.${name}` : name, before[name] as Json, after[name] as Json)
    const set = { [name]: after[name] as Json }
    fields = isStage
      ? { ...fields, [field]: { ...(fields[field] as JsonObject), ...set } }
      : { ...fields, ...set }
  }
  return fields
}

function parsePath(path: string): readonly string[] {
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
    // The index after the last one appends.
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
    `"${field}" must be ${describeKind(before)}, not ${describeKind(after)}.`,
    {
      hint: 'Give the value as JSON, such as 3 or ["a","b"].',
    },
  )
}

function describeKind(value: Json): string {
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function noSuchField(path: string, fields: readonly string[]): ScholiumError {
  return new ScholiumError('invalid_input', `The state has no field "${path}".`, {
    hint: `Its fields: ${fields.join(', ')}.`,
  })
}
