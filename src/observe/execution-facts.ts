import type { Failure } from '../kernel/errors.ts'
import type { EventOf, EventType, RunEvent } from '../kernel/run/event.ts'
import type { SpanFailure, SpanStatus } from './span.ts'

/** What begins an execution. */
export const beginnings = ['run.started', 'run.resumed', 'run.forked'] as const

/** An event that begins an execution. */
export type Beginning = EventOf<(typeof beginnings)[number]>

/** Whether an event begins an execution. */
export function isBeginning(event: RunEvent): event is Beginning {
  return (beginnings as readonly string[]).includes(event.type)
}

/** How a step stands after its end; failed where nothing is said here. */
export const stepStatuses: Partial<Record<EventType, SpanStatus>> = {
  'step.done': 'ok',
  'step.cancelled': 'cancelled',
}

/** What a run's execution says of itself at its beginning. */
export function beginningFacts(
  event: RunEvent,
  { session, user }: Readonly<Record<string, string>>,
): Record<string, string | number> {
  const parent = event.type === 'run.forked' ? event.data.parent : undefined
  return {
    begunBy: event.type.slice('run.'.length),
    ...(session === undefined ? {} : { session }),
    ...(user === undefined ? {} : { user }),
    ...(parent === undefined ? {} : { parentRunId: parent.runId, parentSeq: parent.seq }),
  }
}

/** A failure without what is for programs. */
export function shortFailure({ code, message }: Failure): SpanFailure {
  return { code, message }
}
