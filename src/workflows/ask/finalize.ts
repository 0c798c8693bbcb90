import * as z from 'zod'
import { noEvidenceText } from '../../citations/role-input.ts'
import type { Patch } from '../../graph/graph.ts'
import type { Failure } from '../../kernel/errors.ts'
import { callModelForObject } from '../../kernel/model-object.ts'
import type { RunContext } from '../../kernel/run-context.ts'
import { lastInstruction } from './envelope.ts'
import { finalShare } from './final-share.ts'
import { fillPrompt } from './prompts.ts'
import { describeResearch, describeSteps, opening, response, withinBoundary } from './roles.ts'
import type { AskState } from './state.ts'
import type { TeamParts } from './team.ts'

const finalSchema = z.object({
  final_answer: z.string().trim().min(1),
  final_reasoning_trace: z.string(),
})

/** The finalizer: puts the answer into its last form. A text that the orchestrator has fixed stays as it is. */
export function finalizeNode(team: TeamParts) {
  return async (state: AskState, context: RunContext): Promise<Patch<AskState>> => {
    const { finalAnswer, finalReasoningTrace, limit } = state
    if (finalAnswer !== '') return complete(context, finalAnswer, finalReasoningTrace)
    if (limit !== null) return composePartial(state, context, limit)
    const withShare = context.child('final', { share: finalShare })
    const patch = await withinBoundary('finalizer', withShare, () =>
      finalize(team, state, withShare),
    )
    const failure = patch.limit ?? patch.error ?? null
    return failure === null ? patch : { ...patch, ...composePartial(state, context, failure) }
  }
}

async function finalize(
  team: TeamParts,
  state: AskState,
  context: RunContext,
): Promise<Patch<AskState>> {
  const prompt = fillPrompt(team.prompts.finalizer, {
    question: state.question,
    research_steps_and_results: describeResearch(state.researchResults),
    expert_steps: describeSteps(state.expertSteps),
    expert_answer: state.expertAnswer,
    expert_reasoning: state.expertReasoning,
  })
  const messages = [
    opening(context, 'system', prompt),
    opening(context, 'user', lastInstruction(state.agentMessages, 'finalizer')),
  ]
  const roleInput = {
    question: state.question,
    research_steps: state.researchSteps,
    expert_steps: state.expertSteps,
    research: state.researchResults,
    expert_answer: state.expertAnswer,
    expert_reasoning: state.expertReasoning,
  }
  const model = context.services.models.forRole('finalizer')
  const { value } = await callModelForObject(
    context,
    'model',
    model,
    { messages, roleInput },
    finalSchema,
  )
  return complete(context, value.final_answer, value.final_reasoning_trace)
}

/** After a limit or a failure, code puts together what critics had approved by then: the expert's answer, else the research results. */
function composePartial(
  state: AskState,
  context: RunContext,
  { message }: Failure,
): Patch<AskState> {
  const text =
    state.criticExpertDecision === 'approve'
      ? state.expertAnswer
      : approvedResults(state).join('\n\n')
  const trace = `${message} The answer is what had been found and approved by then.`
  return complete(context, text === '' ? noEvidenceText : text, trace)
}

function approvedResults(state: AskState): readonly string[] {
  // The index moves on when a result is approved, so what stands before it was.
  const approved = state.researchResults.slice(0, Math.max(0, state.currentResearchIndex))
  const results = approved.map(({ result }) => result)
  return results.filter((result) => result !== noEvidenceText)
}

function complete(
  context: RunContext,
  finalAnswer: string,
  finalReasoningTrace: string,
): Patch<AskState> {
  const final = { final_answer: finalAnswer, final_reasoning_trace: finalReasoningTrace }
  const text = `finalizer complete\n${JSON.stringify(final)}`
  return {
    finalAnswer,
    finalReasoningTrace,
    agentMessages: [response(context, 'finalizer', null, text)],
  }
}
