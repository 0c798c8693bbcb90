import { isDeepStrictEqual } from 'node:util'
import { type Failure, ScholiumError, toFailure } from '../../kernel/errors.ts'
import { countCharacters, type Json, type JsonObject } from '../../kernel/json.ts'
import { type AgentState, visibleState } from './state.ts'

/** A failure as a state holds it. */
export function shownFailure({ code, message, retryable, hint, details }: Failure): JsonObject {
  return {
    code,
    message,
    retryable,
    ...(hint === undefined ? {} : { hint }),
    ...(details === undefined ? {} : { details }),
  }
}

/**
 * A record as code and templates find it: its state with the members of the state around it, and those beside the record's own,
 * which come first. Their values are shared, not copied.
 */
export function withState(record: Json, around: JsonObject): Json {
  if (!isRecord(record)) return record
  const { inherits, ...own } = record
  if (inherits !== true) return { ...own.state, ...own }
  const { parallel_results: _results, ...outer } = around
  const state = { ...outer, ...own.state }
  return { ...state, ...own, state }
}

/** The records of branches as {@link withState} gives them. */
export function recordsIn(records: readonly Json[], around: JsonObject): readonly Json[] {
  return records.map((record) => withState(record, around))
}

/** Whether a member of the state holds records that inherit the state around them. */
export function holdsRecords(state: JsonObject): boolean {
  return Object.values(state).some(areRecords)
}

/** The state with such records as {@link withState} gives them, each list made when somebody reads it. */
export function withRecords(state: JsonObject): JsonObject {
  if (!holdsRecords(state)) return state
  const members = Object.entries(state).map(([key, value = null]) => {
    if (!areRecords(value)) return [key, { enumerable: true, value }] as const
    return [key, { enumerable: true, get: once(() => recordsIn(value, state)) }] as const
  })
  return Object.defineProperties({}, Object.fromEntries(members))
}

export function areRecords(value: Json | undefined): value is readonly Json[] {
  if (!Array.isArray(value)) return false
  const [first = null] = value as readonly Json[]
  return isRecord(first) && first.inherits === true
}

export function isRecord(value: Json): value is BranchRecord & JsonObject {
  if (typeof value !== 'object' || value === null) return false
  return 'state' in value && 'branch' in value && 'timing_ms' in value
}

/** What a function gives, made when it is first asked for. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Characters of JSON that the results of all branches of a fan-out may have together. */
export const maxResultCharacters = 64_000_000

/** @throws `invalid_input` for what is larger than the results of branches may be together */
export function checkSize(value: Json, most = maxResultCharacters): void {
  if (countCharacters(value, most) > most) throw resultsTooLarge(most)
}

/** Characters of JSON that a state may have. */
export const maxStateCharacters = 128_000_000

/** A change of so many characters is not worth counting a whole state for. */
export const smallChangeCharacters = 10_000

/** The state after a change. @throws `invalid_input` where the change makes it larger than a state may be */
export function changedState<State extends JsonObject>(state: State, patch: JsonObject): State {
  const changed = { ...state, ...patch }
  if (countCharacters(patch, smallChangeCharacters) <= smallChangeCharacters) return changed
  if (countCharacters(changed, maxStateCharacters) <= maxStateCharacters) return changed
  throw new ScholiumError(
    'invalid_input',
    `The state has more than ${maxStateCharacters / 1_000_000} million characters.`,
    { hint: 'Keep less in it, or write large texts to files.' },
  )
}

/** The error for results that are too large together. */
export function resultsTooLarge(most = maxResultCharacters): ScholiumError {
  return new ScholiumError(
    'invalid_input',
    `The results of the branches have more than ${most / 1_000_000} million characters together.`,
    { hint: 'Let each branch give less, run fewer of them, or write large texts to files.' },
  )
}

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
export function ownState(
  state: AgentState,
  around: AgentState | undefined,
): Pick<BranchRecord, 'state' | 'inherits'> {
  const { parallel_results: _results, ...own } = visibleState(state)
  if (around === undefined) return { state: own }
  const changed = Object.entries(own).filter(([key, value]) => !isSame(value, around, key))
  return { state: Object.fromEntries(changed), inherits: true }
}

/** By content: what a resumed run read from its log is no other value than what it once made. */
export function isSame(value: Json | undefined, around: AgentState, key: string): boolean {
  return Object.hasOwn(around, key) && isDeepStrictEqual(value, around[key])
}
