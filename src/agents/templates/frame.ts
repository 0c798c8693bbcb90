import type { JsonObject } from '../../kernel/json.ts'
import type { Budget } from './budget.ts'
import { getMember, type Value } from './value.ts'

/** What an expression reads while it is evaluated. */
export interface Frame {
  /** The names that the caller gives: `state`, `variables`, … */
  readonly scope: JsonObject
  /** What the template has bound itself, the innermost `for` first. */
  readonly bindings: Bindings | undefined
  readonly budget: Budget
}

/** Names bound in one place of a template, and those around it. */
export interface Bindings {
  readonly values: Map<string, Value>
  readonly outer: Bindings | undefined
}

/** What a name stands for: the innermost binding, else what the caller gave. */
export function lookUp(frame: Frame, name: string): Value {
  for (let place = frame.bindings; place !== undefined; place = place.outer) {
    if (place.values.has(name)) return place.values.get(name)
  }
  return getMember(frame.scope, name)
}

/** Whether a name is bound or given at all, be it to nothing. */
export function isKnown(frame: Frame, name: string): boolean {
  for (let place = frame.bindings; place !== undefined; place = place.outer) {
    if (place.values.has(name)) return true
  }
  return Object.hasOwn(frame.scope, name)
}
