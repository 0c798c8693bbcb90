import * as z from 'zod'
import type { PlannerOutput } from '../citations/role-requests.ts'
import { callModelForObject } from '../kernel/model/model-object.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { createMessage, modelText } from '../team/conversation.ts'
import { cutPatch } from '../team/gap.ts'
import { continuationPrompts, toEarlierTurns } from './earlier.ts'
import { describeSources, respond, selectConversation, withinBoundary } from './roles.ts'
import {
  type AskPatch,
  type AskState,
  mergePatches,
  type PlanStage,
  type QuestionStage,
} from './state.ts'
import type { TeamParts } from './team.ts'

/** Maximum number of steps for the researcher, and for the expert. */
export const maxPlannedSteps = 20

/** The steps of a plan, for one role. */
export const stepsSchema = z.array(modelText.trim().min(1)).max(maxPlannedSteps)
const planSchema = z.object({
  research_steps: stepsSchema,
  expert_steps: stepsSchema,
})
/** For steps that can run in parallel. */
const planWithNeedsSchema = planSchema.extend({
  needs: z.array(z.array(z.number().int())).default([]),
})
type Plan = z.output<typeof planSchema> & { readonly needs?: Needs }

/** The planner: turns the question into steps for the researcher and the expert. */
export function planNode(team: TeamParts) {
  return (state: AskState, context: RunContext): Promise<AskPatch> =>
    withinBoundary('planner', context, async () => {
      const sources = describeSources(state.question)
      const messages = [
        createMessage(context, 'system', buildSystemPrompt(team.prompts, state.question)),
        ...(sources === '' ? [] : [createMessage(context, 'user', sources)]),
        ...selectConversation(state.control.messages, 'planner'),
      ]
      const feedback = state.plan.decision === 'reject' ? state.plan.feedback : null
      const roleRequest = {
        question: state.question.text,
        feedback,
        ...toEarlierTurns(state.question),
      }
      const model = context.services.models.forRole('planner')
      const { value, isCut } = await callModelForObject<z.ZodType<Plan>>(
        context,
        'model',
        model,
        { messages, roleRequest },
        state.question.sequential ? planSchema : planWithNeedsSchema,
      )
      const { research_steps: researchSteps, expert_steps: expertSteps } = value
      const needs = state.question.sequential
        ? {}
        : { needs: await selectUsableNeeds(value, context) }
      const text = `plan complete\n${JSON.stringify(value)}`
      return mergePatches(
        {
          plan: { researchSteps, expertSteps, ...needs },
          control: cutPatch(isCut, 'The plan'),
        },
        respond(context, 'planner', null, text),
      )
    })
}

/**
 * A planner's instructions, including those for parallel steps, for the web if it may be used, and for earlier
 * questions.
 */
function buildSystemPrompt(
  { planner, planner_web, planner_mcp, planner_needs, planner_continued }: TeamParts['prompts'],
  question: QuestionStage,
) {
  return [
    planner,
    ...(question.web ? [planner_web] : []),
    ...(question.mcpTools.length === 0 ? [] : [planner_mcp]),
    ...(question.sequential ? [] : [planner_needs]),
    ...continuationPrompts(question, planner_continued),
  ].join('\n\n')
}

/** If needs are unusable, the plan's order is used, which is right whatever they were meant to say. */
async function selectUsableNeeds(
  { needs = [], research_steps: steps }: Plan,
  context: RunContext,
): Promise<Needs> {
  const read = parseNeeds(needs, steps.length)
  if ('needs' in read) return read.needs
  const text = `The plan's "needs" are invalid (${read.problem}), so its steps run one after the other.`
  await context.notice('needs', 'warning', text)
  return sequentialNeeds(steps.length)
}

/** For each research step, the indexes of the earlier ones it needs. */
export type Needs = readonly (readonly number[])[]

/** A plan's needs: usable, or why not. */
type ParsedNeeds = { readonly needs: Needs } | { readonly problem: string }

/**
 * The needs of a plan, from a planner's numbers, which start at 1; empty if no step needs another.
 * @param count number of research steps
 */
export function parseNeeds(given: Needs, count: number): ParsedNeeds {
  if (given.every((numbers) => numbers.length === 0)) return { needs: [] }
  if (given.length !== count) {
    const lists = given.length === 1 ? '1 list' : `${given.length} lists`
    return { problem: `it has ${lists} for ${count} steps` }
  }
  for (const [index, numbers] of given.entries()) {
    const wrong = numbers.find(
      (number) => !(Number.isInteger(number) && number >= 1 && number <= index),
    )
    if (wrong !== undefined)
      return { problem: `step ${index + 1} cannot need ${wrong}, which is not an earlier step` }
  }
  return { needs: given.map((numbers) => [...new Set(numbers)].map((number) => number - 1)) }
}

/** Each step needs all before it: the plan's order. */
export function sequentialNeeds(count: number): Needs {
  return Array.from({ length: count }, (_, index) => Array.from({ length: index }, (_, at) => at))
}

/**
 * The needs of each research step of a state. If they do not match the steps, as after a fork's change, the plan's
 * order is used.
 */
export function resolveNeeds({
  researchSteps,
  needs,
}: Pick<PlanStage, 'researchSteps' | 'needs'>): Needs {
  const count = researchSteps.length
  if (needs.length === 0) return researchSteps.map(() => [])
  const given: readonly unknown[] = needs
  const fits = given.length === count && given.every(areEarlierSteps)
  return fits ? needs : sequentialNeeds(count)
}

/** Whether a step's needs, which a fork may have changed to anything, are indexes of earlier steps. */
function areEarlierSteps(needed: unknown, index: number): boolean {
  return (
    Array.isArray(needed) && needed.every((one) => Number.isInteger(one) && one >= 0 && one < index)
  )
}

/** Needs as people and planners read them: with numbers from 1. */
export function toNumberedNeeds(needs: Needs): Needs {
  return needs.map((needed) => needed.map((index) => index + 1))
}

/** A plan in the planner's form. */
export function toPlannerOutput(plan: PlanStage): PlannerOutput {
  const { researchSteps, needs, expertSteps } = plan
  return {
    research_steps: researchSteps,
    ...(needs.length === 0 ? {} : { needs: toNumberedNeeds(resolveNeeds(plan)) }),
    expert_steps: expertSteps,
  }
}
