import { isDeepStrictEqual } from 'node:util'
import { type Failure, ScholiumError, toFailure } from '../../kernel/errors.ts'
import { countCharacters, type Json, type JsonObject } from '../../kernel/json.ts'
import { type AgentState, visibleState } from './state.ts'

/** The outcome of a branch, as a fan-in finds it in `parallel_results`. */
export type BranchRecord = {
  /** The node it began with, or `node[0]` for an item of a list. */
  readonly branch: string
  /** Its index among the branches, starting at 0. */
  readonly index: number
  readonly success: boolean
  /**
   * What the branch changed in the state; for a failed branch, what it began with in addition to the surrounding
   * state.
   */
  readonly state: JsonObject
  /** Whether the surrounding state also belongs to its state; it is kept once instead of with each branch. */
  readonly inherits?: true
  readonly error: string | null
  /** The failure's code; null if there was none. */
  readonly error_type: string | null
  readonly failure?: JsonObject
  /** Always 0, since times in a state would make each execution differ. They are in the trace. */
  readonly timing_ms: 0
}

/**
 * The record of a branch with the state after it.
 * @param around the state it began with; absent for a branch that saw none of it
 */
export function recordSuccess(
  branch: string,
  index: number,
  state: AgentState,
  around?: AgentState,
): BranchRecord {
  const end = { success: true, error: null, error_type: null, timing_ms: 0 } as const
  return { branch, index, ...readOwnState(state, around), ...end }
}

/** The record of a branch with the state before it, and why it failed. */
export function recordFailure(
  branch: string,
  index: number,
  state: AgentState,
  reason: unknown,
  around?: AgentState,
): BranchRecord {
  const failure = toFailure(reason)
  const { message, code } = failure
  const end = { success: false, error: message, error_type: code, timing_ms: 0 } as const
  return { branch, index, ...readOwnState(state, around), failure: toStateFailure(failure), ...end }
}

/** A branch's state without earlier branch results, which would grow with each fan-out. */
function readOwnState(
  state: AgentState,
  around: AgentState | undefined,
): Pick<BranchRecord, 'state' | 'inherits'> {
  const { parallel_results: _results, ...own } = visibleState(state)
  if (around === undefined) return { state: own }
  const changed = Object.entries(own).filter(([key, value]) => !isSame(value, around, key))
  return { state: Object.fromEntries(changed), inherits: true }
}

/** Compares contents: values read from a log are not the same objects. */
function isSame(value: Json | undefined, around: AgentState, key: string): boolean {
  return Object.hasOwn(around, key) && isDeepStrictEqual(value, around[key])
}

/** A failure as kept in the state. */
export function toStateFailure({ code, message, retryable, hint, details }: Failure): JsonObject {
  return {
    code,
    message,
    retryable,
    ...(hint === undefined ? {} : { hint }),
    ...(details === undefined ? {} : { details }),
  }
}

/**
 * A record as code and templates see it: its state over the surrounding state, then its own members, which take
 * precedence. Values are shared, not copied.
 */
function withOuterState(record: Json, around: JsonObject): Json {
  if (!isRecord(record)) return record
  const { inherits, ...own } = record
  if (inherits !== true) return { ...own.state, ...own }
  const { parallel_results: _results, ...outer } = around
  const state = { ...outer, ...own.state }
  return { ...state, ...own, state }
}

/** Branch records as {@link withOuterState} returns them. */
export function expandRecords(records: readonly Json[], around: JsonObject): readonly Json[] {
  return records.map((record) => withOuterState(record, around))
}

/** Whether a state member holds records that inherit the surrounding state. */
export function hasRecords(state: JsonObject): boolean {
  return Object.values(state).some(areRecords)
}

/** The state with such records expanded by {@link withOuterState}, each list on first access. */
export function withRecords(state: JsonObject): JsonObject {
  if (!hasRecords(state)) return state
  const members = Object.entries(state).map(([key, value = null]) => {
    if (!areRecords(value)) return [key, { enumerable: true, value }] as const
    return [key, { enumerable: true, get: memoize(() => expandRecords(value, state)) }] as const
  })
  return Object.defineProperties({}, Object.fromEntries(members))
}

function areRecords(value: Json | undefined): value is readonly Json[] {
  if (!Array.isArray(value)) return false
  const [first = null] = value as readonly Json[]
  return isRecord(first) && first.inherits === true
}

function isRecord(value: Json): value is BranchRecord & JsonObject {
  if (typeof value !== 'object' || value === null) return false
  return 'state' in value && 'branch' in value && 'timing_ms' in value
}

/** A function whose result is computed on its first call. */
export function memoize<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Maximum JSON characters of all results of a fan-out together. */
export const maxResultCharacters = 64_000_000

/** @throws `invalid_input` if larger than branch results may be together */
export function checkSize(value: Json, most = maxResultCharacters): void {
  if (countCharacters(value, most) > most) throw createTooLargeError(most)
}

/** The error for results that are too large together. */
export function createTooLargeError(most = maxResultCharacters): ScholiumError {
  return new ScholiumError(
    'invalid_input',
    `The results of the branches have more than ${most / 1_000_000} million characters in total.`,
    { hint: 'Return less from each branch, run fewer branches, or write large texts to files.' },
  )
}

/** Maximum JSON characters of a state. */
const maxStateCharacters = 128_000_000

/** Changes up to this size do not require counting the whole state. */
const smallChangeCharacters = 10_000

/** The state after a change. @throws `invalid_input` if it becomes too large */
export function applyChange<State extends JsonObject>(state: State, patch: JsonObject): State {
  const changed = { ...state, ...patch }
  if (countCharacters(patch, smallChangeCharacters) <= smallChangeCharacters) return changed
  if (countCharacters(changed, maxStateCharacters) <= maxStateCharacters) return changed
  throw new ScholiumError(
    'invalid_input',
    `The state has more than ${maxStateCharacters / 1_000_000} million characters.`,
    { hint: 'Store less in it, or write large texts to files.' },
  )
}
