import { isDeepStrictEqual } from 'node:util'
import { endsAt, ScholiumError, toFailure } from '../../kernel/errors.ts'
import { countCharacters, type Json, type JsonObject } from '../../kernel/json.ts'
import type { RunContext } from '../../kernel/run/run-context.ts'
import { settleAll } from '../../kernel/run/settle-all.ts'
import { setAside, shownFailure } from './attempts.ts'
import { type AgentState, hidden, isTaintedState, visibleState } from './state.ts'

/** One of several things done at once, on a state of its own. */
export interface Branch {
  readonly name: string
  readonly state: AgentState
  /** The state that it sees around it; absent where it sees none of it. */
  readonly around?: AgentState
  /** The state after it. */
  work(context: RunContext): Promise<AgentState>
}

/** How branches are run. */
export interface BranchRules {
  /** Branches that go on at the same time at most. */
  readonly limit: number
  /** Whether no more branches begin after a failure. */
  readonly isFailFast: boolean
}

/**
 * Runs branches at once. What they came to meets in the order of the branches, whichever ended first; a failure is that
 * branch's result. Nothing of a branch's state reaches another one.
 * @throws what ends the run, once all that began are at rest; `invalid_input` for results that are too large together
 */
export async function runBranches(
  context: RunContext,
  branches: readonly Branch[],
  { limit, isFailFast }: BranchRules,
): Promise<AgentState> {
  const records: BranchRecord[] = []
  let isTainted = false
  let characters = 0
  // A wave is what goes on at once, so that which branches begin after a failure is not a matter of time.
  const waveSize = isFailFast ? limit : branches.length
  for (let from = 0; from < branches.length; from += waveSize) {
    const wave = branches.slice(from, from + waveSize)
    if (isFailFast && records.some(({ success }) => !success)) {
      records.push(
        ...wave.map(({ name, state, around }, offset) =>
          failed(name, from + offset, state, notBegun(), around),
        ),
      )
      continue
    }
    const settled = await settleWave(context, wave, from, limit)
    for (const [offset, outcome] of settled.entries()) {
      const { name, state, around } = wave[offset] as Branch
      if (outcome.status === 'fulfilled') {
        isTainted ||= isTaintedState(outcome.value)
        const record = succeeded(name, from + offset, outcome.value, around)
        characters += countCharacters(record, maxResultCharacters)
        if (characters > maxResultCharacters) throw resultsTooLarge()
        records.push(record)
        continue
      }
      isTainted = true
      const { message } = toFailure(outcome.reason)
      await setAside(context, segmentOf(from + offset), `${name}: ${message}`)
      records.push(failed(name, from + offset, state, outcome.reason, around))
    }
  }
  return { parallel_results: records, ...(isTainted ? { [hidden.tainted]: true } : {}) }
}

function notBegun(): ScholiumError {
  return new ScholiumError('tool_failed', 'It was not begun, because a branch before it failed.')
}

async function settleWave(
  context: RunContext,
  wave: readonly Branch[],
  from: number,
  limit: number,
) {
  const contexts = wave.map((_, offset) => context.branch(segmentOf(from + offset)))
  const settled = await settleAll(wave, limit, (branch, offset) =>
    branch.work(contexts[offset] as RunContext),
  )
  context.join(contexts)
  for (const outcome of settled) {
    if (outcome.status === 'fulfilled') continue
    const { reason } = outcome
    if (!(reason instanceof ScholiumError) || endsAt(reason, context.path)) throw reason
  }
  return settled
}

function segmentOf(index: number): string {
  return `branch[${index}]`
}

/**
 * A record as code and templates find it: its state with the members of the state around it, and those beside the record's own,
 * which come first. Their values are shared, not copied.
 */
function withState(record: Json, around: JsonObject): Json {
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

function areRecords(value: Json | undefined): value is readonly Json[] {
  if (!Array.isArray(value)) return false
  const [first = null] = value as readonly Json[]
  return isRecord(first) && first.inherits === true
}

function isRecord(value: Json): value is BranchRecord & JsonObject {
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
const maxResultCharacters = 64_000_000

/** @throws `invalid_input` for what is larger than the results of branches may be together */
export function checkSize(value: Json, most = maxResultCharacters): void {
  if (countCharacters(value, most) > most) throw resultsTooLarge(most)
}

/** Characters of JSON that a state may have. */
const maxStateCharacters = 128_000_000

/** A change of so many characters is not worth counting a whole state for. */
const smallChangeCharacters = 10_000

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
function resultsTooLarge(most = maxResultCharacters): ScholiumError {
  return new ScholiumError(
    'invalid_input',
    `The results of the branches have more than ${most / 1_000_000} million characters together.`,
    { hint: 'Let each branch give less, run fewer of them, or write large texts to files.' },
  )
}

/** What a branch came to, as a fan-in finds it in `parallel_results`. */
type BranchRecord = {
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
function succeeded(
  branch: string,
  index: number,
  state: AgentState,
  around?: AgentState,
): BranchRecord {
  const end = { success: true, error: null, error_type: null, timing_ms: 0 } as const
  return { branch, index, ...ownState(state, around), ...end }
}

/** The record of a branch with the state before it, and why it failed. */
function failed(
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
