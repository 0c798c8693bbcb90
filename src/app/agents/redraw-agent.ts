import type { AgentInput } from '../../agents/run/agent-input.ts'
import { gapsOf, stateAfter } from '../../agents/run/agent-workflow.ts'
import { hidden, visibleState } from '../../agents/run/state.ts'
import { type Failure, toFailure } from '../../kernel/errors.ts'
import type { RunEvent } from '../../kernel/event.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import type { RedrawnResult } from '../../observe/bundle/result-check.ts'
import { isObject } from '../../observe/bundle/run-facts.ts'
import { readEnds } from '../read-ends.ts'

/** The result of an agent's run as the ends of its nodes say it: name, state and output; of how it ended, what follows from its failure. */
export async function redrawAgent(
  events: AsyncIterable<RunEvent>,
  result: JsonObject,
): Promise<RedrawnResult> {
  const { input, ends } = await readEnds(events)
  if (!isObject(input?.document))
    return { recorded: {}, judged: {}, problems: ['the log does not say which file it is of.'] }
  try {
    const given = input as unknown as AgentInput
    const state = stateAfter(given, ends)
    const hasBegun = ends.length > 0 || result.status === 'answered' || !isEmpty(result.state)
    const recorded = {
      schema: 'scholium.agent/1',
      agent: given.document.name,
      state: hasBegun ? visibleState(state) : {},
      output: state[hidden.output] ?? null,
      ...endOf(result),
    }
    return { recorded, judged: {}, problems: [] }
  } catch (error) {
    const text = `the state that it rests on is unsound: ${toFailure(error).message}`
    return { recorded: {}, judged: {}, problems: [text] }
  }
}

/** How a run ended stands in its status; why, in its failure alone. */
function endOf({ status, failure = null }: JsonObject): JsonObject {
  if (status === 'answered') return { stopReason: 'finished', gaps: [], failure: null }
  if (!isObject(failure)) return {}
  const { node, ...rest } = failure
  const gaps = gapsOf(rest as unknown as Failure, typeof node === 'string' ? node : undefined)
  return { gaps: gaps as unknown as Json }
}

function isEmpty(value: Json | undefined): boolean {
  return isObject(value) && Object.keys(value).length === 0
}
