import type { AgentInput } from '../../agents/run/agent-input.ts'
import type { AgentResult } from '../../agents/run/agent-result.ts'
import { foldAgentState, listCutAnswers, listGaps } from '../../agents/run/agent-workflow.ts'
import { hiddenKey, visibleState } from '../../agents/run/state.ts'
import type { Failure } from '../../kernel/errors.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import { isJsonObject } from '../../kernel/json.ts'
import { formatCutAnswers, isCutAnswer } from '../../kernel/model/cut-answer.ts'
import type { RunEvent } from '../../kernel/run/event.ts'
import type { RebuiltResult } from '../../observe/bundle/result-check.ts'
import { readEnds, rebuildSafely, wrongResult } from '../runs/rebuild-result.ts'

/**
 * Rebuilds the result of an agent's run from its nodes' ends: name, state and output; how it ended follows from its
 * failure.
 */
export async function rebuildAgentResult(
  events: AsyncIterable<RunEvent>,
  result: JsonObject,
): Promise<RebuiltResult> {
  const { input, ends, others } = await readEnds(events)
  if (!isJsonObject(input?.document)) return wrongResult('the log does not name the agent file.')
  return rebuildSafely(() => {
    const given = input as unknown as AgentInput
    const notices = others.filter((event) => event.type === 'notice')
    const state = foldAgentState(given, ends)
    const hasBegun = ends.length > 0 || result.status === 'answered' || !isEmpty(result.state)
    const recorded = {
      schema: 'scholium.agent/1',
      agent: given.document.name,
      state: hasBegun ? visibleState(state) : {},
      output: state[hiddenKey.output] ?? null,
      ...rebuildEnd(result, listCutAnswers(formatCutAnswers(notices.filter(isCutAnswer)))),
    }
    return { recorded, judged: {}, problems: [] }
  })
}

/** The status says how a run ended; its failure, or the log of cut answers, says why. */
function rebuildEnd({ failure = null }: JsonObject, cut: AgentResult['gaps']): JsonObject {
  if (!isJsonObject(failure)) {
    const status = cut.length === 0 ? 'answered' : 'partial'
    return { status, stopReason: 'finished', gaps: cut, failure: null }
  }
  const { node, ...rest } = failure
  const gaps = listGaps(rest as Failure, typeof node === 'string' ? node : undefined)
  return { gaps }
}

function isEmpty(value: Json | undefined): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0
}
