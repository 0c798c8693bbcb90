import type { JsonObject } from '../../kernel/json.ts'
import type { Budget } from './budget.ts'
import { getMember, type Value } from './value.ts'

/** What an expression can read while it is evaluated. */
export interface Frame {
  /** Names given by the caller: `state`, `variables`, … */
  readonly scope: JsonObject
  /** Names bound by the template, the innermost `for` first. */
  readonly bindings: Bindings | undefined
  readonly budget: Budget
}

/** Names bound in one place of a template, and those of the enclosing place. */
export interface Bindings {
  readonly values: Map<string, Value>
  readonly outer: Bindings | undefined
}

/** The value of a name: the innermost binding, otherwise the caller's. */
export function lookUp(frame: Frame, name: string): Value {
  for (let place = frame.bindings; place !== undefined; place = place.outer) {
    if (place.values.has(name)) return place.values.get(name)
  }
  return getMember(frame.scope, name)
}

/** Whether a name is bound or given at all, even to nothing. */
export function isKnown(frame: Frame, name: string): boolean {
  for (let place = frame.bindings; place !== undefined; place = place.outer) {
    if (place.values.has(name)) return true
  }
  return Object.hasOwn(frame.scope, name)
}
