import { ScholiumError } from '../../kernel/errors.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'

/** The state of an agent file: what the file sees, and the hidden keys below. */
export type AgentState = { readonly [key: string]: Json }

/**
 * Keys that belong to the runner, kept in the state so that a resumed run finds them in the log. Files do not see
 * them.
 */
export const hiddenKey = {
  /** Whether the state may contain untrusted text. */
  tainted: '__tainted',
  /** The result of the last node whose route reads it. */
  result: '__result',
  /** The value of `core.return`. */
  output: '__output',
  /** The node that takes over after a failure. */
  fallback: '__fallback',
} as const

const hiddenKeys: ReadonlySet<string> = new Set(Object.values(hiddenKey))

/** Keys that an object would not keep as plain members, or that would change it. */
const refusedKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** The state as a file sees it. */
export function visibleState(state: JsonObject): JsonObject {
  if (!Object.keys(state).some((key) => hiddenKeys.has(key))) return state
  return Object.fromEntries(Object.entries(state).filter(([key]) => !hiddenKeys.has(key)))
}

/**
 * An object as a state change, without absent members.
 * @throws `invalid_input` for a key that a state cannot have
 */
export function toPatch(values: JsonObject, whose: string): AgentState {
  const members = Object.entries(values).filter(
    (member): member is [string, Json] => member[1] !== undefined,
  )
  for (const [key] of members) {
    if (!hiddenKeys.has(key) && !refusedKeys.has(key)) continue
    throw new ScholiumError(
      'invalid_input',
      `${whose} returns "${key}", which is not allowed as a state key.`,
      {
        hint: 'Use another name.',
      },
    )
  }
  return Object.fromEntries(members)
}

/** Whether a state may contain untrusted text. */
export function isTaintedState(state: JsonObject): boolean {
  return state[hiddenKey.tainted] === true
}
