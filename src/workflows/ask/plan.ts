import * as z from 'zod'
import type { Patch } from '../../graph/graph.ts'
import { callModelForObject } from '../../kernel/model-object.ts'
import type { RunContext } from '../../kernel/run-context.ts'
import { conversationOf } from './envelope.ts'
import { modelText, opening, response, withinBoundary } from './roles.ts'
import type { AskState } from './state.ts'
import type { TeamParts } from './team.ts'

/** Steps for the researcher and for the expert at most, each. */
export const maxPlannedSteps = 20

const stepsSchema = z.array(modelText.trim().min(1)).max(maxPlannedSteps)
const planSchema = z.object({
  research_steps: stepsSchema,
  expert_steps: stepsSchema,
})

/** The planner: turns the question into steps for the researcher and the expert. */
export function planNode(team: TeamParts) {
  return (state: AskState, context: RunContext): Promise<Patch<AskState>> =>
    withinBoundary('planner', context, async () => {
      const { planner, planner_web } = team.prompts
      const messages = [
        opening(context, 'system', state.web ? `${planner}\n\n${planner_web}` : planner),
        ...conversationOf(state.agentMessages, 'planner'),
      ]
      const feedback = state.criticPlannerDecision === 'reject' ? state.criticPlannerFeedback : null
      const roleInput = { question: state.question, feedback }
      const model = context.services.models.forRole('planner')
      const { value } = await callModelForObject(
        context,
        'model',
        model,
        { messages, roleInput },
        planSchema,
      )
      return {
        researchSteps: value.research_steps,
        expertSteps: value.expert_steps,
        agentMessages: [
          response(context, 'planner', null, `plan complete\n${JSON.stringify(value)}`),
        ],
      }
    })
}
