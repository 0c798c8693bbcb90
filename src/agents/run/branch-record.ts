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
  /** The state after the branch; of one that failed, before it. */
  readonly state: JsonObject
  readonly error: string | null
  /** The code of the failure; null for none. */
  readonly error_type: string | null
  readonly failure?: JsonObject
  /** Always 0: a state that held times would be another one in each execution. They are in the trace. */
  readonly timing_ms: 0
}

/** The record of a branch with the state after it. */
export function succeeded(branch: string, index: number, state: AgentState): BranchRecord {
  const end = { success: true, error: null, error_type: null, timing_ms: 0 } as const
  return { branch, index, state: ownState(state), ...end }
}

/** The record of a branch with the state before it, and why it failed. */
export function failed(
  branch: string,
  index: number,
  state: AgentState,
  reason: unknown,
): BranchRecord {
  const failure = toFailure(reason)
  const { message, code } = failure
  const end = { success: false, error: message, error_type: code, timing_ms: 0 } as const
  return { branch, index, state: ownState(state), failure: shownFailure(failure), ...end }
}

/** A record as code and templates find it: with the members of its state beside its own, which come first. */
export function withState(record: Json): Json {
  const { state } = record as Partial<BranchRecord>
  return state === undefined ? record : { ...state, ...(record as JsonObject) }
}

/** A branch's state without the results of branches before it, which would grow with each fan-out. */
function ownState(state: AgentState): JsonObject {
  const { parallel_results: _results, ...own } = visibleState(state)
  return own
}
