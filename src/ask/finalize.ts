import * as z from 'zod'
import { nothingFoundText } from '../citations/role-requests.ts'
import { toInertMarkdown } from '../claims/verify/inert-markdown.ts'
import type { Failure } from '../kernel/errors.ts'
import { leavesNoShare } from '../kernel/limits/limit-reached.ts'
import { callModelForObject } from '../kernel/model/model-object.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { modelText, openConversation } from '../team/conversation.ts'
import { cutPatch } from '../team/gap.ts'
import { isAnswerInWords } from './agent-graph.ts'
import { finalShare } from './budget.ts'
import { needsFinalizer } from './depth.ts'
import { continuationPrompts } from './earlier.ts'
import { presentQuestion } from './research-web.ts'
import {
  describeResearch,
  describeSteps,
  findLastInstruction,
  respond,
  withinBoundary,
} from './roles.ts'
import { createBasisPatch } from './short-answer.ts'
import {
  type AskPatch,
  type AskState,
  approvedResults,
  isAnswerApproved,
  mergePatches,
  withFields,
} from './state.ts'
import type { TeamParts } from './team.ts'

const finalSchema = z.object({
  final_answer: modelText.trim().min(1),
  final_reasoning_trace: modelText,
})

/**
 * The finalizer: writes the answer in its final form. A text that code has fixed is unchanged, and so is a draft that needs
 * no other form ({@link needsFinalizer}). After a limit, the model gets what critics had approved, within the reserved
 * budget. Without either, code composes the answer.
 */
export function finalizeNode(team: TeamParts) {
  return async (state: AskState, context: RunContext): Promise<AskPatch> => {
    const { answer, control } = state
    if (answer.text !== '') return complete(context, answer.text, answer.reasoning)
    if (control.limit !== null) return finalizeAtLimit(team, state, context, control.limit)
    if (!needsFinalizer(state)) return complete(context, answer.draft, answer.draftReasoning)
    const withShare = context.child('final', { share: finalShare })
    const patch = await withinBoundary('finalizer', withShare, () =>
      finalize(team, state, withShare),
    )
    const failure = patch.control?.limit ?? patch.control?.error ?? null
    return failure === null ? patch : mergePatches(patch, composePartial(state, context, failure))
  }
}

async function finalizeAtLimit(
  team: TeamParts,
  state: AskState,
  context: RunContext,
  limit: Failure,
): Promise<AskPatch> {
  const results = approvedResults(state)
  if (results.length === 0 || leavesNoShare(limit)) return composePartial(state, context, limit)
  const withShare = context.child('final', { share: finalShare })
  const draft = results.map(({ result }) => result).join('\n\n')
  const approved = withFields(state, {
    research: { results },
    answer: { draft, draftReasoning: limit.message },
  })
  const patch = await withinBoundary('finalizer', withShare, async () => {
    const made = await finalize(team, approved, withShare)
    const reasoning = `${limit.message} ${made.answer?.reasoning}`
    return mergePatches(made, { answer: { reasoning } })
  })
  return patch.answer?.text === undefined ? composePartial(state, context, limit) : patch
}

async function finalize(team: TeamParts, state: AskState, context: RunContext): Promise<AskPatch> {
  const { question, plan, research, answer, control } = state
  const values = {
    question: presentQuestion(question),
    research_steps_and_results: describeResearch(research.results),
    expert_steps: describeSteps(plan.expertSteps),
    expert_answer: JSON.stringify(answer.draft),
    expert_reasoning: JSON.stringify(answer.draftReasoning),
  }
  const instruction = findLastInstruction(control.messages, 'finalizer')
  const isShort = question.answerFormat === 'short'
  const { finalizer, finalizer_short: short, finalizer_continued: continued } = team.prompts
  const additions = [...(isShort ? [short] : []), ...continuationPrompts(question, continued)]
  const messages = openConversation(context, finalizer, values, instruction, additions)
  const roleRequest = {
    question: question.text,
    research_steps: plan.researchSteps,
    expert_steps: plan.expertSteps,
    research: research.results,
    expert_answer: answer.draft,
    expert_reasoning: answer.draftReasoning,
    ...(isShort ? { answer_format: 'short' as const } : {}),
  }
  const model = context.services.models.forRole('finalizer')
  const { value, isCut } = await callModelForObject(
    context,
    'model',
    model,
    { messages, roleRequest },
    finalSchema,
    (text) =>
      isAnswerInWords(text)
        ? { final_answer: text, final_reasoning_trace: state.answer.draftReasoning }
        : undefined,
  )
  return mergePatches(
    complete(context, value.final_answer, value.final_reasoning_trace),
    createBasisPatch(state, value.final_answer),
    { control: cutPatch(isCut, 'The final answer') },
  )
}

/** After a limit or a failure, code puts together what critics had approved: the expert's answer, else the research results. */
function composePartial(state: AskState, context: RunContext, { message }: Failure): AskPatch {
  const results = approvedResults(state).map(({ result }) => result)
  const text = isAnswerApproved(state) ? state.answer.draft : results.join('\n\n')
  const trace = `${message} The answer contains what had been found and approved until then.`
  return complete(context, text === '' ? nothingFoundText : text, trace)
}

function complete(context: RunContext, text: string, reasoning: string): AskPatch {
  const final = { final_answer: text, final_reasoning_trace: reasoning }
  return {
    answer: { text: toInertMarkdown(text), reasoning: toInertMarkdown(reasoning) },
    ...respond(context, 'finalizer', null, `finalizer complete\n${JSON.stringify(final)}`),
  }
}
