import * as z from 'zod'
import type { Patch } from '../../graph/graph.ts'
import { runGraph } from '../../graph/run-graph.ts'
import type { Hash } from '../../kernel/json.ts'
import type { RunContext } from '../../kernel/run-context.ts'
import { createToolRegistry } from '../../kernel/tool.ts'
import { createAgentGraph } from './agent-graph.ts'
import { conversationOf } from './envelope.ts'
import { fillPrompt } from './prompts.ts'
import {
  describeResearch,
  describeSteps,
  opening,
  requireText,
  response,
  withinBoundary,
} from './roles.ts'
import type { AskState } from './state.ts'
import { maxTurns, type TeamParts } from './team.ts'

const answerSchema = z.object({ expert_answer: z.string(), reasoning_trace: z.string() })

/** The expert: answers from the research results and calculations in its own sub-graph. */
export function expertNode(team: TeamParts) {
  return (state: AskState, context: RunContext): Promise<Patch<AskState>> =>
    withinBoundary('expert', context, async () => {
      const feedback = state.criticExpertDecision === 'reject' ? state.criticExpertFeedback : null
      const { question, expertSteps, researchResults } = state
      const graph = createAgentGraph({
        name: 'expert',
        schema: answerSchema,
        agent: {
          model: context.services.models.forRole('expert'),
          tools: createToolRegistry(team.expertTools),
          maxTurns,
          roleInput: { question, expert_steps: expertSteps, research: researchResults, feedback },
        },
        findings: () => null,
      })
      const done = await runGraph(graph, context, {
        conversation: conversationFor(team, state, context),
      })
      const answer = requireText(String(done.answer?.expert_answer ?? ''), 'The expert')
      const reasoning = String(done.answer?.reasoning_trace ?? '')
      return {
        expertState: { conversation: done.conversation },
        expertAnswer: answer,
        expertReasoning: reasoning,
        toolCalls: state.toolCalls + done.toolNames.length,
        calculations: state.calculations + done.toolNames.length,
        agentMessages: [
          response(context, 'expert', null, `expert complete\n${JSON.stringify(done.answer)}`),
        ],
      }
    })
}

function conversationFor(team: TeamParts, state: AskState, context: RunContext): readonly Hash[] {
  const instructions = conversationOf(state.agentMessages, 'expert', { kind: 'instruction' }).slice(
    -1,
  )
  if (state.expertState !== null) {
    return [...state.expertState.conversation, ...context.keepMessages(instructions)]
  }
  const prompt = fillPrompt(team.prompts.expert, {
    question: state.question,
    expert_steps: describeSteps(state.expertSteps),
    research_steps_and_results: describeResearch(state.researchResults),
  })
  return context.keepMessages([opening(context, 'system', prompt), ...instructions])
}
