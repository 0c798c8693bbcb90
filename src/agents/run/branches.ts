import { endsAt, ScholiumError, toFailure } from '../../kernel/errors.ts'
import { countCharacters } from '../../kernel/json.ts'
import type { RunContext } from '../../kernel/run/run-context.ts'
import { settleAll } from '../../kernel/run/settle-all.ts'
import { setAside } from './attempts.ts'
import {
  type BranchRecord,
  failed,
  maxResultCharacters,
  resultsTooLarge,
  succeeded,
} from './branch-record.ts'
import { type AgentState, hidden, isTaintedState } from './state.ts'

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
