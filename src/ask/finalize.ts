import * as z from 'zod'
import { nothingFoundText } from '../citations/role-requests.ts'
import { toInertMarkdown } from '../claims/verify/inert-markdown.ts'
import type { Patch } from '../graph/graph.ts'
import type { Failure } from '../kernel/errors.ts'
import { leavesNoShare } from '../kernel/limits/limit-reached.ts'
import { callModelForObject } from '../kernel/model/model-object.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { modelText, openConversation } from '../team/conversation.ts'
import { cutPatch } from '../team/gap.ts'
import { finalShare } from './budget.ts'
import { continuationPrompts } from './earlier.ts'
import { presentQuestion } from './research-web.ts'
import {
  createResponse,
  describeResearch,
  describeSteps,
  findLastInstruction,
  withinBoundary,
} from './roles.ts'
import { createBasisPatch } from './short-answer.ts'
import { type AskState, approvedResults, isAnswerApproved } from './state.ts'
import type { TeamParts } from './team.ts'

const finalSchema = z.object({
  final_answer: modelText.trim().min(1),
  final_reasoning_trace: modelText,
})

/**
 * The finalizer: puts the answer into its last form. A text that the orchestrator has fixed stays as it is. After a limit the
 * model gets what was approved by then, as far as the share that was set aside for it goes; otherwise code puts it together.
 */
export function finalizeNode(team: TeamParts) {
  return async (state: AskState, context: RunContext): Promise<Patch<AskState>> => {
    const { finalAnswer, finalReasoningTrace, limit } = state
    if (finalAnswer !== '') return complete(context, finalAnswer, finalReasoningTrace)
    if (limit !== null) return finalizeAtLimit(team, state, context, limit)
    const withShare = context.child('final', { share: finalShare })
    const patch = await withinBoundary('finalizer', withShare, () =>
      finalize(team, state, withShare),
    )
    const failure = patch.limit ?? patch.error ?? null
    return failure === null ? patch : { ...patch, ...composePartial(state, context, failure) }
  }
}

async function finalizeAtLimit(
  team: TeamParts,
  state: AskState,
  context: RunContext,
  limit: Failure,
): Promise<Patch<AskState>> {
  const researchResults = approvedResults(state)
  if (researchResults.length === 0 || leavesNoShare(limit))
    return composePartial(state, context, limit)
  const withShare = context.child('final', { share: finalShare })
  const expertAnswer = researchResults.map(({ result }) => result).join('\n\n')
  const approved = { ...state, researchResults, expertAnswer, expertReasoning: limit.message }
  const patch = await withinBoundary('finalizer', withShare, async () => {
    const made = await finalize(team, approved, withShare)
    return { ...made, finalReasoningTrace: `${limit.message} ${made.finalReasoningTrace}` }
  })
  return patch.finalAnswer === undefined ? composePartial(state, context, limit) : patch
}

async function finalize(
  team: TeamParts,
  state: AskState,
  context: RunContext,
): Promise<Patch<AskState>> {
  const { question, researchResults, expertSteps, expertAnswer, expertReasoning } = state
  const values = {
    question: presentQuestion(state),
    research_steps_and_results: describeResearch(researchResults),
    expert_steps: describeSteps(expertSteps),
    expert_answer: JSON.stringify(expertAnswer),
    expert_reasoning: JSON.stringify(expertReasoning),
  }
  const instruction = findLastInstruction(state.agentMessages, 'finalizer')
  const isShort = state.answerFormat === 'short'
  const { finalizer, finalizer_short: short, finalizer_continued: continued } = team.prompts
  const additions = [...(isShort ? [short] : []), ...continuationPrompts(state, continued)]
  const messages = openConversation(context, finalizer, values, instruction, additions)
  const roleInput = {
    question,
    research_steps: state.researchSteps,
    expert_steps: expertSteps,
    research: researchResults,
    expert_answer: expertAnswer,
    expert_reasoning: expertReasoning,
    ...(isShort ? { answer_format: 'short' as const } : {}),
  }
  const model = context.services.models.forRole('finalizer')
  const { value, isCut } = await callModelForObject(
    context,
    'model',
    model,
    { messages, roleInput },
    finalSchema,
  )
  return {
    ...complete(context, value.final_answer, value.final_reasoning_trace),
    ...createBasisPatch(state, value.final_answer),
    ...cutPatch(isCut, 'The final answer'),
  }
}

/** After a limit or a failure, code puts together what critics had approved by then: the expert's answer, else the research results. */
function composePartial(
  state: AskState,
  context: RunContext,
  { message }: Failure,
): Patch<AskState> {
  const results = approvedResults(state).map(({ result }) => result)
  const text = isAnswerApproved(state) ? state.expertAnswer : results.join('\n\n')
  const trace = `${message} The answer contains what had been found and approved until then.`
  return complete(context, text === '' ? nothingFoundText : text, trace)
}

function complete(
  context: RunContext,
  finalAnswer: string,
  finalReasoningTrace: string,
): Patch<AskState> {
  const final = { final_answer: finalAnswer, final_reasoning_trace: finalReasoningTrace }
  const text = `finalizer complete\n${JSON.stringify(final)}`
  return {
    finalAnswer: toInertMarkdown(finalAnswer),
    finalReasoningTrace: toInertMarkdown(finalReasoningTrace),
    agentMessages: [createResponse(context, 'finalizer', null, text)],
  }
}
