import type { ReadPassage } from '../../citations/claim.ts'
import type { ResearchResult } from '../../citations/role-input.ts'
import type { Patch } from '../../graph/graph.ts'
import { ScholiumError, toFailure } from '../../kernel/errors.ts'
import type { Message } from '../../kernel/message.ts'
import type { RunContext } from '../../kernel/run-context.ts'
import { teamMessage } from './envelope.ts'
import type { AskState, Worker } from './state.ts'

/** Errors that are not an agent's: they stop or end the run as a whole. */
const runCodes = new Set([
  'cancelled',
  'fenced',
  'store_failed',
  'step_changed',
  'step_missing',
  'step_repeated',
  'waiting',
])

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
    if (runCodes.has(failure.code)) throw error
    if (failure.code === 'limit_reached') {
      return { limit: failure, gaps: [{ kind: 'limit', detail: failure.message }] }
    }
    await context.notice('failed', 'error', `${component}: ${failure.message}`)
    if (failure.code === 'model_output_malformed' && isWorker(component))
      return { malformed: component }
    return {
      error: failure,
      errorComponent: component,
      gaps: [{ kind: 'error', detail: `${component}: ${failure.message}` }],
    }
  }
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

/** A system or user message that opens a conversation with a model. */
export function opening(context: RunContext, role: 'system' | 'user', text: string): Message {
  return { id: context.id(role), role, parts: [{ type: 'text', text }], createdAt: context.now() }
}

/** The research steps with their results, as prompts show them. */
export function describeResearch(research: readonly ResearchResult[]): string {
  if (research.length === 0) return '(nothing was looked up)'
  return research
    .map(({ request, result }, index) => `${index + 1}. ${request}\n${result}`)
    .join('\n\n')
}

/** Steps as a numbered list. */
export function describeSteps(steps: readonly string[]): string {
  return steps.length === 0
    ? '(none)'
    : steps.map((step, index) => `${index + 1}. ${step}`).join('\n')
}

/** Passages as prompts show them: delimited, each under its number. */
export function describeEvidence(passages: readonly ReadPassage[]): string {
  if (passages.length === 0) return '(no passage was read)'
  return passages
    .map(
      ({ n, page, text }) =>
        `[${n}]${page === undefined ? '' : ` page ${page}`}\n<<<\n${text}\n>>>`,
    )
    .join('\n\n')
}

/** Fails unless the model gave what the node cannot do without. */
export function requireText(text: string, component: string): string {
  if (text.trim() !== '') return text
  throw new ScholiumError('model_output_malformed', `${component} gave an empty answer.`)
}
