import type { EventType, RunEvent } from '../kernel/run/event.ts'
import type { RunStore } from '../kernel/run/run-store.ts'

/** The events whose outputs spans need: inputs of calls, and the end of a run. */
const described: readonly EventType[] = ['step.started', 'run.finished']

const others: readonly EventType[] = [
  'run.started',
  'run.resumed',
  'run.forked',
  'run.waiting',
  'run.suspended',
  'step.done',
  'step.failed',
  'step.cancelled',
  'step.outcome_unknown',
  'node.done',
  'turn.done',
  'limit.reached',
  'notice',
]

/**
 * A run's events as {@link buildSpans} expects them, with outputs only where needed, since reading all outputs of a long log is
 * much slower.
 */
export async function* eventsForSpans(store: RunStore, runId: string): AsyncGenerator<RunEvent> {
  const full = store.events(runId, { types: described })[Symbol.asyncIterator]()
  let next = await full.next()
  try {
    for await (const event of store.events(runId, { types: others, withOutput: false })) {
      while (next.done !== true && next.value.seq < event.seq) {
        yield next.value
        next = await full.next()
      }
      yield event
    }
    for (; next.done !== true; next = await full.next()) yield next.value
  } finally {
    await full.return?.()
  }
}
