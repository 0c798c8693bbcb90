import { ScholiumError } from '../../kernel/errors.ts'
import type { RunStatus } from '../../kernel/run/event.ts'
import { isTopBoundary, type Place } from '../../kernel/run/place.ts'
import { effectiveEvents } from '../../kernel/run/rewind.ts'
import type { RunStore } from '../../kernel/run/run-store.ts'
import { findRunId } from '../runs/run-id.ts'

/** The workflow name of recorded sessions. */
export const codeWorkflowName = 'code'

const ended: readonly RunStatus[] = ['answered', 'partial', 'unanswered', 'failed']

/** Whether a session with this status must continue as another run. */
export function hasEnded(status: RunStatus): boolean {
  return ended.includes(status)
}

/**
 * The id of the session that a person means. @throws `run_not_found`, `invalid_input` for a run that is not a session
 */
export async function sessionId(store: RunStore, run: string): Promise<string> {
  const runId = await findRunId(store, run)
  const { workflow } = await store.get(runId)
  if (workflow === codeWorkflowName) return runId
  throw new ScholiumError('invalid_input', `Run ${runId} is not a coding session.`, {
    hint: `Resume it with: scholium resume ${runId}`,
  })
}

/** The place after a turn of a session, or after its last one. @throws `invalid_input` for a missing turn */
export async function placeAfter(store: RunStore, runId: string, turn?: number): Promise<Place> {
  let places: Place[] = []
  const types = ['run.started', 'run.resumed', 'run.forked', 'node.done'] as const
  for await (const event of store.events(runId, { types, withOutput: false })) {
    const { type, key, seq } = event
    if (type === 'run.started') places = [{ seq, boundary: codeWorkflowName, at: '' }]
    if (type === 'run.forked')
      places = [...places.slice(0, -1), { ...(places.at(-1) as Place), seq }]
    places = effectiveEvents(places, event)
    if (isTopBoundary(event) && event.data.kind !== 'end')
      places.push({ seq, boundary: key, at: '' })
  }
  const boundary = turn === 0 ? codeWorkflowName : `${codeWorkflowName}/turn[${turn}]`
  const place = turn === undefined ? places.at(-1) : places.find((one) => one.boundary === boundary)
  if (place !== undefined) return place
  throw new ScholiumError('invalid_input', `The session ${runId} has no turn ${turn}.`)
}
