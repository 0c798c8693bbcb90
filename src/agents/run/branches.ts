import { endsAt, ScholiumError, toFailure } from '../../kernel/errors.ts'
import { countCharacters } from '../../kernel/json.ts'
import type { RunContext } from '../../kernel/run/run-context.ts'
import { settleAll } from '../../kernel/run/run-with-dependencies.ts'
import { recordFailedAttempt } from './attempts.ts'
import {
  type BranchRecord,
  createTooLargeError,
  maxResultCharacters,
  recordFailure,
  recordSuccess,
} from './branch-record.ts'
import { type AgentState, hiddenKey, isTaintedState } from './state.ts'

/** One of several concurrent branches, on its own state. */
export interface Branch {
  readonly name: string
  readonly state: AgentState
  /** The surrounding state; absent if it sees none of it. */
  readonly around?: AgentState
  /** The state after it. */
  work(context: RunContext): Promise<AgentState>
}

/** How branches are run. */
export interface BranchRules {
  /** Maximum number of concurrent branches. */
  readonly limit: number
  /** Whether no further branches begin after a failure. */
  readonly isFailFast: boolean
}

/**
 * Runs branches concurrently. Outcomes are collected in branch order, whichever ended first; a failure is that
 * branch's outcome. Branches do not see each other's state.
 * @throws what ends the run, once all begun branches have stopped; `invalid_input` if the results are too large
 * together
 */
export async function runBranches(
  context: RunContext,
  branches: readonly Branch[],
  { limit, isFailFast }: BranchRules,
): Promise<AgentState> {
  const records: BranchRecord[] = []
  let isTainted = false
  let characters = 0
  // Branches run in waves, so that which ones begin after a failure does not depend on timing.
  const waveSize = isFailFast ? limit : branches.length
  for (let from = 0; from < branches.length; from += waveSize) {
    const wave = branches.slice(from, from + waveSize)
    if (isFailFast && records.some(({ success }) => !success)) {
      records.push(
        ...wave.map(({ name, state, around }, offset) =>
          recordFailure(name, from + offset, state, createNotStartedError(), around),
        ),
      )
      continue
    }
    const settled = await runWave(context, wave, from, limit)
    for (const [offset, outcome] of settled.entries()) {
      const { name, state, around } = wave[offset] as Branch
      if (outcome.status === 'fulfilled') {
        isTainted ||= isTaintedState(outcome.value)
        const record = recordSuccess(name, from + offset, outcome.value, around)
        characters += countCharacters(record, maxResultCharacters)
        if (characters > maxResultCharacters) throw createTooLargeError()
        records.push(record)
        continue
      }
      isTainted = true
      const { message } = toFailure(outcome.reason)
      await recordFailedAttempt(context, toSegment(from + offset), `${name}: ${message}`)
      records.push(recordFailure(name, from + offset, state, outcome.reason, around))
    }
  }
  return { parallel_results: records, ...(isTainted ? { [hiddenKey.tainted]: true } : {}) }
}

function createNotStartedError(): ScholiumError {
  return new ScholiumError('tool_failed', 'It was not started because an earlier branch failed.')
}

async function runWave(context: RunContext, wave: readonly Branch[], from: number, limit: number) {
  const contexts = wave.map((_, offset) => context.branch(toSegment(from + offset)))
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

function toSegment(index: number): string {
  return `branch[${index}]`
}
