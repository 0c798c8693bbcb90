import * as z from 'zod'
import type { Patch } from '../graph/graph.ts'
import { callModelForObject } from '../kernel/model/model-object.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { modelText, opening } from '../team/conversation.ts'
import { cutPatch } from '../team/gap.ts'
import { continuedPrompt, earlierTurnsOf } from './earlier.ts'
import { conversationOf } from './envelope.ts'
import { inOrder, type Needs, readNeeds } from './plan-needs.ts'
import { response, withinBoundary } from './roles.ts'
import type { AskState } from './state.ts'
import type { TeamParts } from './team.ts'

/** Steps for the researcher and for the expert at most, each. */
export const maxPlannedSteps = 20

/** The steps of a plan, for one role. */
export const stepsSchema = z.array(modelText.trim().min(1)).max(maxPlannedSteps)
const planSchema = z.object({
  research_steps: stepsSchema,
  expert_steps: stepsSchema,
})
/** Of steps that are worked on at once. */
const planWithNeedsSchema = planSchema.extend({
  needs: z.array(z.array(z.number().int())).default([]),
})
type Plan = z.output<typeof planSchema> & { readonly needs?: Needs }

/** The planner: turns the question into steps for the researcher and the expert. */
export function planNode(team: TeamParts) {
  return (state: AskState, context: RunContext): Promise<Patch<AskState>> =>
    withinBoundary('planner', context, async () => {
      const messages = [
        opening(context, 'system', systemPrompt(team.prompts, state)),
        ...conversationOf(state.agentMessages, 'planner'),
      ]
      const feedback = state.criticPlannerDecision === 'reject' ? state.criticPlannerFeedback : null
      const roleInput = { question: state.question, feedback, ...earlierTurnsOf(state) }
      const model = context.services.models.forRole('planner')
      const { value, isCut } = await callModelForObject<z.ZodType<Plan>>(
        context,
        'model',
        model,
        { messages, roleInput },
        state.sequential ? planSchema : planWithNeedsSchema,
      )
      return {
        researchSteps: value.research_steps,
        expertSteps: value.expert_steps,
        ...cutPatch(isCut, 'The plan'),
        ...(state.sequential ? {} : { researchNeeds: await usableNeeds(value, context) }),
        agentMessages: [
          response(context, 'planner', null, `plan complete\n${JSON.stringify(value)}`),
        ],
      }
    })
}

/** A planner's instructions: with those for steps at once, for the web where it may be asked, and for what was asked before. */
function systemPrompt(
  { planner, planner_web, planner_mcp, planner_needs, planner_continued }: TeamParts['prompts'],
  state: AskState,
) {
  return [
    planner,
    ...(state.web ? [planner_web] : []),
    ...(state.mcpTools.length === 0 ? [] : [planner_mcp]),
    ...(state.sequential ? [] : [planner_needs]),
    ...continuedPrompt(state, planner_continued),
  ].join('\n\n')
}

/** Needs that cannot be used leave the plan in its order, which is right whatever they were meant to say. */
async function usableNeeds(
  { needs = [], research_steps: steps }: Plan,
  context: RunContext,
): Promise<Needs> {
  const read = readNeeds(needs, steps.length)
  if ('needs' in read) return read.needs
  const text = `The plan's "needs" cannot be used (${read.problem}): its steps are worked on one after the other.`
  await context.notice('needs', 'warning', text)
  return inOrder(steps.length)
}
