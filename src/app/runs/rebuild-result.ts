import { toFailure } from '../../kernel/errors.ts'
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import type { RunEvent } from '../../kernel/run/event.ts'
import { effectiveEvents, isStateEvent, type StateEvent } from '../../kernel/run/rewind.ts'
import type { RebuiltResult } from '../../observe/bundle/result-check.ts'

/** What the result of a run is rebuilt from. */
export interface Ends {
  /** `undefined` where the log does not say what the run began with. */
  readonly input: JsonObject | undefined
  /** The ends of nodes and turns, and forks, that no later session took back. */
  readonly ends: readonly StateEvent[]
  /** Other events that were asked for and not taken back. */
  readonly others: readonly RunEvent[]
  /** The model of each role, as last recorded. */
  readonly models: JsonObject
}

/**
 * Reads the events from which a run's result is rebuilt from a log, which may be somebody else's.
 * @param keeps which other events to keep. Default: notices
 * @param slim removes parts of an end event that no result needs, to save memory
 */
export async function readEnds(
  events: AsyncIterable<RunEvent>,
  keeps: (event: RunEvent) => boolean = ({ type }) => type === 'notice',
  slim: (event: StateEvent) => StateEvent = (event) => event,
): Promise<Ends> {
  let input: JsonObject | undefined
  let ends: StateEvent[] = []
  let others: RunEvent[] = []
  let models: JsonObject = {}
  for await (const event of events) {
    const { type, output } = event
    const configuration = 'configuration' in event.data ? event.data.configuration : undefined
    if (type === 'run.started' && isJsonObject(output)) input = output
    if (isJsonObject(configuration) && isJsonObject(configuration.models))
      models = configuration.models
    ends = effectiveEvents(ends, event)
    others = effectiveEvents(others, event)
    if (isStateEvent(event)) ends.push(slim(event))
    else if (keeps(event)) others.push(event)
  }
  return { input, ends, others, models }
}

/** Rebuilds with `rebuild`; a state that it cannot be rebuilt from, as a forger may write it, is a problem of the result. */
export function rebuildSafely(rebuild: () => RebuiltResult): RebuiltResult {
  try {
    return rebuild()
  } catch (error) {
    return unsound(toFailure(error).message)
  }
}

/** The same for a state that is not what a run makes. */
export function unsound(reason: string): RebuiltResult {
  return wrongResult(`the state it is based on is invalid: ${reason}`)
}

/** A result that cannot be rebuilt, because something is wrong with its log. */
export function wrongResult(problem: string): RebuiltResult {
  return { recorded: {}, judged: {}, problems: [problem] }
}

/** A result that is not rebuilt, for a reason that is nobody's fault. */
export function openResult(open: string): RebuiltResult {
  return { recorded: {}, judged: {}, problems: [], open }
}

/** A result that no node made. That of a run that failed outside of its nodes stands in itself alone. */
export function unmadeResult({ status }: JsonObject): RebuiltResult {
  return status === 'failed'
    ? openResult('the run failed outside its nodes')
    : wrongResult('the log does not contain the end of the node that produced it.')
}

/** Where a result differs from the one that its node gave. */
export function differencesFromNode(made: Json | undefined, result: JsonObject): readonly string[] {
  if (!isJsonObject(made)) return ['the node that produced it returned no result.']
  return [...new Set([...Object.keys(made), ...Object.keys(result)])]
    .filter((name) => !isSame(made[name], result[name]))
    .map((name) => `its ${name} is not what the node that produced it returned.`)
}

/** Whether two values are the same JSON; an absent one is null. */
export function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return canonicalJson(one ?? null) === canonicalJson(other ?? null)
}
