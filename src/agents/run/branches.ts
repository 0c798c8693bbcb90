import { endsAt, ScholiumError, toFailure } from '../../kernel/errors.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import type { RunContext } from '../../kernel/run-context.ts'
import { settleAll } from '../../kernel/settle-all.ts'
import { setAside, shownFailure } from './attempts.ts'
import { type AgentState, hidden, isTaintedState, visibleState } from './state.ts'

/** One of several things done at once, on a state of its own. */
export interface Branch {
  readonly name: string
  readonly state: AgentState
  /** The state after it, and what it gave. */
  work(context: RunContext): Promise<{ readonly state: AgentState; readonly result: Json }>
}

/** How branches are run. */
export interface BranchRules {
  /** Branches that go on at the same time at most. */
  readonly limit: number
  /** Whether a failure ends the whole, with as many branches begun as go on at once; otherwise it is that branch's result. */
  readonly isFailFast: boolean
}

/** What a branch came to, as a fan-in finds it in `parallel_results`. */
export type BranchRecord = {
  readonly branch: string
  readonly index: number
  readonly success: boolean
  /** The state after the branch; of one that failed, before it. */
  readonly state: JsonObject
  readonly result: Json
  readonly error: string | null
  readonly failure?: JsonObject
  /** Always 0: a state that held times would be another one in each execution. They are in the trace. */
  readonly timing_ms: 0
}

/**
 * Runs branches at once. What they came to meets in the order of the branches, whichever ended first; a failure is that
 * branch's result. Nothing of a branch's state reaches another one.
 * @throws what ends the run, and with `isFailFast` the failure of the first branch that has one, once all that began are at rest
 */
export async function runBranches(
  context: RunContext,
  branches: readonly Branch[],
  { limit, isFailFast }: BranchRules,
): Promise<AgentState> {
  const records: BranchRecord[] = []
  let isTainted = false
  // With a limit of its own a wave is what goes on at once, so that which branches begin is not a matter of time.
  const waveSize = isFailFast ? limit : branches.length
  for (let from = 0; from < branches.length; from += waveSize) {
    const wave = branches.slice(from, from + waveSize)
    const settled = await settleWave(context, wave, from, limit)
    for (const [offset, outcome] of settled.entries()) {
      const branch = wave[offset] as Branch
      const index = from + offset
      if (outcome.status === 'fulfilled') {
        isTainted ||= isTaintedState(outcome.value.state)
        records.push(succeeded(branch, index, outcome.value))
        continue
      }
      if (isFailFast) throw outcome.reason
      const failure = toFailure(outcome.reason)
      await setAside(context, segmentOf(index), `${branch.name}: ${failure.message}`)
      records.push(failed(branch, index, outcome.reason))
    }
  }
  return { parallel_results: records, ...(isTainted ? { [hidden.tainted]: true } : {}) }
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

function succeeded(
  { name }: Branch,
  index: number,
  { state, result }: { readonly state: AgentState; readonly result: Json },
): BranchRecord {
  const own = ownState(state)
  return { branch: name, index, success: true, state: own, result, error: null, timing_ms: 0 }
}

function failed({ name, state }: Branch, index: number, reason: unknown): BranchRecord {
  const failure = toFailure(reason)
  return {
    branch: name,
    index,
    success: false,
    state: ownState(state),
    result: null,
    error: failure.message,
    failure: shownFailure(failure),
    timing_ms: 0,
  }
}

/** A branch's state without the results of branches before it, which would grow with each fan-out. */
function ownState(state: AgentState): JsonObject {
  const { parallel_results: _results, ...own } = visibleState(state)
  return own
}
