import type { ResearchResult } from '../citations/role-input.ts'
import type { Patch } from '../graph/graph.ts'
import type { Message } from '../kernel/agent/message.ts'
import { endsRun, toFailure } from '../kernel/errors.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { teamMessage } from './envelope.ts'
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

/** What an agent says to the orchestrator when it is done. */
export function response(
  context: RunContext,
  sender: string,
  stepId: number | null,
  text: string,
): Message {
  return teamMessage(context, { sender, receiver: 'orchestrator', kind: 'response', stepId }, text)
}

/** The research steps with their results as prompts show them: JSON, out of which no text in them can break. */
export function describeResearch(research: readonly ResearchResult[]): string {
  if (research.length === 0) return '(nothing was looked up)'
  return research.map(({ request, result }) => JSON.stringify({ request, result })).join('\n')
}

/** Steps as a numbered list. */
export function describeSteps(steps: readonly string[]): string {
  return steps.length === 0
    ? '(none)'
    : steps.map((step, index) => `${index + 1}. ${step}`).join('\n')
}
