import { ScholiumError } from '../../kernel/errors.ts'
import type { RunStatus } from '../../kernel/event.ts'
import { isTopBoundary, type Place } from '../../kernel/fork.ts'
import type { RunStore } from '../../kernel/run-store.ts'
import { findRunId } from '../run-id.ts'

const ended: readonly RunStatus[] = ['answered', 'partial', 'unanswered', 'failed']

/** Whether a session with this status goes on as another run. */
export function hasEnded(status: RunStatus): boolean {
  return ended.includes(status)
}

/** The id of the session that a person means. @throws `run_not_found`, `invalid_input` for a run that is no session */
export async function sessionId(store: RunStore, run: string): Promise<string> {
  const runId = await findRunId(store, run)
  const { workflow } = await store.get(runId)
  if (workflow === 'code') return runId
  throw new ScholiumError('invalid_input', `Run ${runId} is no session of the coding agent.`, {
    hint: `Go on with it by: scholium resume ${runId}`,
  })
}

/** The place after a turn of a session, or after its last one. @throws `invalid_input` for a turn that it does not have */
export async function placeAfter(store: RunStore, runId: string, turn?: number): Promise<Place> {
  let place: Place = { seq: 1, boundary: 'code', at: '' }
  const types = ['run.started', 'run.resumed', 'run.forked', 'node.done'] as const
  let isFound = turn === undefined || turn === 0
  for await (const { type, key, seq, data } of store.events(runId, { types, withOutput: false })) {
    if (type === 'run.started' || type === 'run.forked') place = { ...place, seq }
    if (!isTopBoundary({ type, key }) || data.kind === 'end') continue
    place = { seq, boundary: key, at: '' }
    isFound ||= key === `code/turn[${turn}]`
    if (key === `code/turn[${turn}]`) break
  }
  if (isFound) return place
  throw new ScholiumError('invalid_input', `The session ${runId} has no turn ${turn}.`)
}
