import { ScholiumError } from '../errors.ts'
import type { JsonObject } from '../json.ts'
import type { Place } from './place.ts'
import { effectiveEvents, isStateEvent, type StateEvent } from './rewind.ts'
import { checkWorkflow } from './run-history.ts'
import type { RunStore } from './run-store.ts'
import type { Workflow } from './workflow.ts'

const stateTypes = ['run.started', 'run.resumed', 'run.forked', 'node.done'] as const

/**
 * The state of a run's own graph at a place, from its log alone.
 * @throws `invalid_input` for a workflow without a graph; `run_incompatible` for a log without a beginning, or of another version
 * of the workflow
 */
export async function stateAt<Input extends JsonObject, Result extends JsonObject>(
  workflow: Workflow<Input, Result>,
  store: RunStore,
  runId: string,
  place: Pick<Place, 'seq'>,
): Promise<JsonObject> {
  if (workflow.foldState === undefined)
    throw new ScholiumError(
      'invalid_input',
      `A run of "${workflow.name}" has no graph and no state.`,
    )
  const { input, ends } = await endsBy(workflow, store, runId, place)
  return workflow.foldState(input, ends)
}

/** The result so far of a run that waits for a person; `undefined` if it does not wait, or its workflow does not define one. */
export async function resultSoFar<Input extends JsonObject, Result extends JsonObject>(
  workflow: Workflow<Input, Result>,
  store: RunStore,
  runId: string,
): Promise<Result | undefined> {
  const { status, lastSeq } = await store.get(runId)
  if (status !== 'waiting' || workflow.soFar === undefined) return undefined
  const { input, ends } = await endsBy(workflow, store, runId, { seq: lastSeq })
  return workflow.soFar(input, ends)
}

/** The events from which a state is folded: the input, and the ends of nodes and forks up to a place. */
async function endsBy<Input extends JsonObject, Result extends JsonObject>(
  workflow: Workflow<Input, Result>,
  store: RunStore,
  runId: string,
  place: Pick<Place, 'seq'>,
): Promise<{ readonly input: Input; readonly ends: readonly StateEvent[] }> {
  let input: Input | undefined
  let ends: StateEvent[] = []
  for await (const event of store.events(runId, { types: stateTypes })) {
    if (event.seq > place.seq) break
    if (event.type === 'run.started') {
      checkWorkflow(workflow, event)
      input = event.output as Input
    }
    ends = effectiveEvents(ends, event)
    if (isStateEvent(event)) ends.push(event)
  }
  if (input === undefined)
    throw new ScholiumError('run_incompatible', `The log of run ${runId} has no start event.`)
  return { input, ends }
}
