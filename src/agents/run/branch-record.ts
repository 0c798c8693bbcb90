import { isDeepStrictEqual } from 'node:util'
import { toFailure } from '../../kernel/errors.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import { shownFailure } from './shown-failure.ts'
import { type AgentState, visibleState } from './state.ts'

/** What a branch came to, as a fan-in finds it in `parallel_results`. */
export type BranchRecord = {
  /** The node with which it began, or `node[0]` for an item of a list. */
  readonly branch: string
  /** Its place among the branches, from 0. */
  readonly index: number
  readonly success: boolean
  /** What of the state the branch changed; of one that failed, what it began with beside the state around it. */
  readonly state: JsonObject
  /** Whether the members of the state around it belong to its state too: it is kept once, not with each branch. */
  readonly inherits?: true
  readonly error: string | null
  /** The code of the failure; null for none. */
  readonly error_type: string | null
  readonly failure?: JsonObject
  /** Always 0: a state that held times would be another one in each execution. They are in the trace. */
  readonly timing_ms: 0
}

/**
 * The record of a branch with the state after it.
 * @param around the state that it was begun with; absent for a branch that saw nothing of it
 */
export function succeeded(
  branch: string,
  index: number,
  state: AgentState,
  around?: AgentState,
): BranchRecord {
  const end = { success: true, error: null, error_type: null, timing_ms: 0 } as const
  return { branch, index, ...ownState(state, around), ...end }
}

/** The record of a branch with the state before it, and why it failed. */
export function failed(
  branch: string,
  index: number,
  state: AgentState,
  reason: unknown,
  around?: AgentState,
): BranchRecord {
  const failure = toFailure(reason)
  const { message, code } = failure
  const end = { success: false, error: message, error_type: code, timing_ms: 0 } as const
  return { branch, index, ...ownState(state, around), failure: shownFailure(failure), ...end }
}

/** A branch's state without the results of branches before it, which would grow with each fan-out. */
function ownState(
  state: AgentState,
  around: AgentState | undefined,
): Pick<BranchRecord, 'state' | 'inherits'> {
  const { parallel_results: _results, ...own } = visibleState(state)
  if (around === undefined) return { state: own }
  const changed = Object.entries(own).filter(([key, value]) => !isSame(value, around, key))
  return { state: Object.fromEntries(changed), inherits: true }
}

/** By content: what a resumed run read from its log is no other value than what it once made. */
function isSame(value: Json | undefined, around: AgentState, key: string): boolean {
  return Object.hasOwn(around, key) && isDeepStrictEqual(value, around[key])
}
