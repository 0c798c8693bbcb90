import type { JsonObject } from '../../kernel/json.ts'
import type { EventOf, RunEvent } from '../../kernel/run/event.ts'
import { isOfState, type StateEvent, stillCounting } from '../../kernel/run/rewind.ts'
import { isObject } from '../../observe/bundle/run-facts.ts'

/** What the state of a run is folded from. */
export interface Ends {
  /** `undefined` where the log does not say with what the run began. */
  readonly input: JsonObject | undefined
  /** The ends of nodes and turns, and forks, that still count. */
  readonly ends: readonly StateEvent[]
  /** What the log says besides, that still counts. */
  readonly notices: readonly EventOf<'notice'>[]
}

/** Reads out of a log, which may be somebody else's, what the state of its run is folded from. */
export async function readEnds(events: AsyncIterable<RunEvent>): Promise<Ends> {
  let input: JsonObject | undefined
  let ends: StateEvent[] = []
  let notices: EventOf<'notice'>[] = []
  for await (const event of events) {
    const { type, output } = event
    if (type === 'run.started' && isObject(output)) input = output
    ends = stillCounting(ends, event)
    notices = stillCounting(notices, event)
    if (isOfState(event)) ends.push(event)
    else if (event.type === 'notice') notices.push(event)
  }
  return { input, ends, notices }
}
