import { ScholiumError } from '../../kernel/errors.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'

/** The state of an agent file: what the file sees of it, and the keys below. */
export type AgentState = { readonly [key: string]: Json }

/** Keys of the state that belong to the runner, so that a resumed run finds them in the log. Files do not see them. */
export const hiddenKey = {
  /** Whether the state may hold text that neither the person nor the operator wrote. */
  tainted: '__tainted',
  /** The result of the last node whose route asks for it. */
  result: '__result',
  /** What `core.return` gave. */
  output: '__output',
  /** The node that takes over after a failure. */
  fallback: '__fallback',
} as const

const hiddenKeys: ReadonlySet<string> = new Set(Object.values(hiddenKey))

/** What an object would not keep as a plain member, or what would change what it is. */
const refusedKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** The state as a file sees it. */
export function visibleState(state: JsonObject): JsonObject {
  if (!Object.keys(state).some((key) => hiddenKeys.has(key))) return state
  return Object.fromEntries(Object.entries(state).filter(([key]) => !hiddenKeys.has(key)))
}

/**
 * An object as a change of the state: without members that are absent.
 * @throws `invalid_input` for a key that a state cannot have
 */
export function toPatch(values: JsonObject, whose: string): AgentState {
  const members = Object.entries(values).filter(
    (member): member is [string, Json] => member[1] !== undefined,
  )
  for (const [key] of members) {
    if (!hiddenKeys.has(key) && !refusedKeys.has(key)) continue
    throw new ScholiumError('invalid_input', `${whose} gives "${key}", which no state can have.`, {
      hint: 'Use another name.',
    })
  }
  return Object.fromEntries(members)
}

/** Whether a state may hold text from elsewhere. */
export function isTaintedState(state: JsonObject): boolean {
  return state[hiddenKey.tainted] === true
}
