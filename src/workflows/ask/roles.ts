import * as z from 'zod'
import type { ReadPassage } from '../../citations/claim.ts'
import type { PlannerOutput, ResearchResult } from '../../citations/role-input.ts'
import type { Patch } from '../../graph/graph.ts'
import { endsRun, toFailure } from '../../kernel/errors.ts'
import type { Message } from '../../kernel/message.ts'
import type { RunContext } from '../../kernel/run-context.ts'
import { teamMessage } from './envelope.ts'
import { needsOf, numberedNeeds } from './plan-needs.ts'
import { fillPrompt, splitPrompt } from './prompts.ts'
import type { AskState, Worker } from './state.ts'

/**
 * A node's work with the team's one boundary for errors: a limit ends the work, an answer without form is the same role's
 * rejection, anything else ends the run as failed with the component's name.
 */
export async function withinBoundary(
  component: string,
  context: RunContext,
  work: () => Promise<Patch<AskState>>,
): Promise<Patch<AskState>> {
  try {
    return await work()
  } catch (error) {
    const failure = toFailure(error)
    if (failure.code === 'limit_reached') {
      return { limit: failure, gaps: [{ kind: 'limit', detail: failure.message }] }
    }
    if (endsRun(failure.code)) throw error
    if (failure.code === 'model_output_malformed' && isWorker(component))
      return reportMalformed(component, failure.message, context)
    await context.notice('failed', 'error', `${component}: ${failure.message}`)
    return {
      error: failure,
      errorComponent: component,
      gaps: [{ kind: 'error', detail: `${component}: ${failure.message}` }],
    }
  }
}

/** What is left of a role's work when its answer had no usable form: the role is told why and tries again. */
export async function reportMalformed(
  worker: Worker,
  reason: string,
  context: RunContext,
): Promise<Patch<AskState>> {
  await context.notice('failed', 'error', `${worker}: ${reason}`)
  return { malformed: worker, malformedReason: reason }
}

function isWorker(component: string): component is Worker {
  return component === 'planner' || component === 'researcher' || component === 'expert'
}

/** Text that a model wrote: half characters, which no file or terminal can carry, are replaced. */
export const modelText = z.string().overwrite((text) => text.toWellFormed())

/** What an agent says to the orchestrator when it is done. */
export function response(
  context: RunContext,
  sender: string,
  stepId: number | null,
  text: string,
): Message {
  return teamMessage(context, { sender, receiver: 'orchestrator', kind: 'response', stepId }, text)
}

/** A system or user message that opens a conversation with a model. */
export function opening(context: RunContext, role: 'system' | 'user', text: string): Message {
  return { id: context.id(role), role, parts: [{ type: 'text', text }], createdAt: context.now() }
}

/**
 * A conversation's beginning: the role's instructions, then as the user's message what it works on with the orchestrator's
 * instruction. What others wrote has no system prompt's authority.
 *
 * @param additions more instructions
 */
export function openConversation(
  context: RunContext,
  prompt: string,
  values: Readonly<Record<string, string>>,
  instruction: string,
  additions: readonly string[] = [],
): readonly Message[] {
  const { instructions, material } = splitPrompt(prompt)
  const system = [instructions, ...additions].join('\n\n')
  const text = `${fillPrompt(material, values)}\n\n${instruction}`
  return [opening(context, 'system', system), opening(context, 'user', text)]
}

/** The research steps with their results as prompts show them: JSON, out of which no text in them can break. */
export function describeResearch(research: readonly ResearchResult[]): string {
  if (research.length === 0) return '(nothing was looked up)'
  return research.map(({ request, result }) => JSON.stringify({ request, result })).join('\n')
}

/** A plan as the planner gives it. */
export function planOf(state: AskState): PlannerOutput {
  const { researchSteps, researchNeeds, expertSteps } = state
  return {
    research_steps: researchSteps,
    ...(researchNeeds.length === 0 ? {} : { needs: numberedNeeds(needsOf(state)) }),
    expert_steps: expertSteps,
  }
}

/** Steps as a numbered list. */
export function describeSteps(steps: readonly string[]): string {
  return steps.length === 0
    ? '(none)'
    : steps.map((step, index) => `${index + 1}. ${step}`).join('\n')
}

/** Passages as prompts show them, each with its number: JSON, out of which no text in them can break. */
export function describeEvidence(passages: readonly ReadPassage[]): string {
  if (passages.length === 0) return '(no passage was read)'
  return passages.map(({ n, page, text }) => JSON.stringify({ n, page, text })).join('\n')
}
