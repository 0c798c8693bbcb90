import type { Json } from '../kernel/json.ts'
import type { StateEvent } from '../kernel/run/rewind.ts'
import {
  applyPatch,
  type Channel,
  type Channels,
  initialState,
  type Patch,
  type State,
  setFields,
} from './graph.ts'

/** The state from which {@link runGraph} resumes: folded from the node ends and forks of a log, in log order. */
export function foldState<S extends State>(
  channels: Channels<S>,
  input: Patch<S>,
  ends: readonly StateEvent[],
  otherFields?: Channel<Json>,
): S {
  let state = initialState(channels, input)
  for (const end of ends) state = stateAfter(channels, state, end, otherFields)
  return state
}

function stateAfter<S extends State>(
  channels: Channels<S>,
  state: S,
  { type, data, output }: StateEvent,
  otherFields: Channel<Json> | undefined,
): S {
  if (type === 'run.forked') return setFields(channels, state, output as Patch<S>)
  if (data.branches !== undefined) return { ...state, parallel_results: output as Json }
  return applyPatch(channels, state, output as Patch<S>, otherFields)
}
