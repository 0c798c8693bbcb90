import type { Failure } from '../kernel/errors.ts'
import type { JsonObject } from '../kernel/json.ts'
import type { EventType } from '../kernel/run/event.ts'
import type { SpanFailure, SpanStatus } from './span.ts'

/** What begins an execution. */
export const beginnings: readonly EventType[] = ['run.started', 'run.resumed', 'run.forked']

/** How a step stands after its end; failed where nothing is said here. */
export const stepStatuses: Partial<Record<EventType, SpanStatus>> = {
  'step.done': 'ok',
  'step.cancelled': 'cancelled',
}

/** What a run's execution says of itself at its beginning. */
export function beginningFacts(
  type: EventType,
  data: JsonObject,
  labels: JsonObject,
): Record<string, string | number> {
  const { session, user } = labels as { session?: string; user?: string }
  const parent = data.parent as { runId: string; seq: number } | undefined
  return {
    begunBy: type.slice('run.'.length),
    ...(session === undefined ? {} : { session }),
    ...(user === undefined ? {} : { user }),
    ...(parent === undefined ? {} : { parentRunId: parent.runId, parentSeq: parent.seq }),
  }
}

/** A failure without what is for programs. */
export function shortFailure({ code, message }: Failure): SpanFailure {
  return { code, message }
}
