import * as z from 'zod'
import type { CalculationOutput } from '../citations/role-input.ts'
import type { Patch } from '../graph/graph.ts'
import { runGraph } from '../graph/run-graph.ts'
import type { ToolResultPart } from '../kernel/agent/message.ts'
import { createToolRegistry } from '../kernel/agent/tool.ts'
import type { Hash, Json } from '../kernel/json.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { modelText, openConversation } from '../team/conversation.ts'
import { cutPatch } from '../team/gap.ts'
import { createAgentGraph } from './agent-graph.ts'
import type { Calculation } from './calculated.ts'
import { continuedPrompt, earlierTurnsOf } from './earlier.ts'
import { describeEarlierEvidence } from './earlier-evidence.ts'
import { conversationOf, lastInstruction } from './envelope.ts'
import { calculationsOfPython, expertToolsFor, Figures, offersPython } from './expert-python.ts'
import { picturesFor } from './pictures.ts'
import { shownQuestion } from './question-pages.ts'
import {
  describeResearch,
  describeSteps,
  reportMalformed,
  response,
  withinBoundary,
} from './roles.ts'
import type { AskState } from './state.ts'
import { maxTurns, type TeamParts } from './team.ts'

const answerSchema = z.object({
  expert_answer: modelText.trim().min(1),
  reasoning_trace: modelText,
})

/** The expert: answers from the research results and calculations in its own sub-graph. */
export function expertNode(team: TeamParts) {
  return (state: AskState, context: RunContext): Promise<Patch<AskState>> =>
    withinBoundary('expert', context, async () => {
      const conversation = await conversationFor(team, state, context)
      const figures = new Figures(state.figures)
      const graph = await expertGraph(team, state, figures, context)
      const done = await runGraph(graph, context, { conversation })
      const calculated = done.findings as unknown as readonly Calculation[]
      const kept = {
        expertState: { conversation: done.conversation },
        calculations: [...state.calculations, ...calculated],
        ...(figures.all.length === 0 ? {} : { figures: figures.all }),
      }
      if (done.answer === null)
        return { ...kept, ...(await reportMalformed('expert', done.problem, context)) }
      const { expert_answer: answer, reasoning_trace: reasoning } = done.answer
      return {
        ...kept,
        ...cutPatch(done.isCut, 'The expert’s answer'),
        expertAnswer: String(answer),
        expertReasoning: String(reasoning),
        agentMessages: [
          response(context, 'expert', null, `expert complete\n${JSON.stringify(done.answer)}`),
        ],
      }
    })
}

async function expertGraph(
  team: TeamParts,
  state: AskState,
  figures: Figures,
  context: RunContext,
) {
  const { question, expertSteps, researchResults } = state
  const feedback = state.criticExpertDecision === 'reject' ? state.criticExpertFeedback : null
  return createAgentGraph({
    name: 'expert',
    schema: answerSchema,
    agent: {
      model: context.services.models.forRole('expert'),
      tools: createToolRegistry(await expertToolsFor(team, state, context)),
      maxTurns,
      roleInput: {
        question,
        expert_steps: expertSteps,
        research: researchResults,
        feedback,
        ...earlierTurnsOf(state),
      },
      present: (result) => figures.present(result),
    },
    findings: (results, calls) =>
      [...calculationsIn(results), ...calculationsOfPython(results, calls)] as unknown as Json,
  })
}

function calculationsIn(results: readonly ToolResultPart[]): readonly CalculationOutput[] {
  return results.flatMap(({ output, isError }) => {
    const { expression, result } = output as { readonly expression?: Json; readonly result?: Json }
    if (isError === true || expression === undefined || result === undefined) return []
    return [{ expression: String(expression), result: String(result) }]
  })
}

async function conversationFor(
  team: TeamParts,
  state: AskState,
  context: RunContext,
): Promise<readonly Hash[]> {
  const { expertState, agentMessages } = state
  if (expertState !== null) {
    const last = conversationOf(agentMessages, 'expert', { kind: 'instruction' }).slice(-1)
    return [...expertState.conversation, ...context.keepMessages(last)]
  }
  const values = {
    question: shownQuestion(state),
    expert_steps: describeSteps(state.expertSteps),
    research_steps_and_results: describeResearch(state.researchResults),
  }
  const task = lastInstruction(agentMessages, 'expert')
  const instruction = `${task}${await describeEarlierEvidence(team, state, context)}`
  const { expert, expert_python, expert_continued } = team.prompts
  const additions = [
    ...(offersPython(state, context) ? [expert_python] : []),
    ...continuedPrompt(state, expert_continued),
  ]
  const opened = openConversation(context, expert, values, instruction, additions)
  const [system, ...others] = context.keepMessages(opened) as readonly [Hash, ...Hash[]]
  return [system, ...picturesFor(state, 'expert'), ...others]
}
