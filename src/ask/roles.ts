import type { ResearchResult } from '../citations/role-requests.ts'
import type { Patch } from '../graph/graph.ts'
import { type Envelope, type Message, messageText, type Role } from '../kernel/agent/message.ts'
import { endsRun, toFailure } from '../kernel/errors.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { type AskState, isTeamMessage, type Worker } from './state.ts'

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
export function createResponse(
  context: RunContext,
  sender: string,
  stepId: number | null,
  text: string,
): Message {
  return createTeamMessage(
    context,
    { sender, receiver: 'orchestrator', kind: 'response', stepId },
    text,
  )
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

/** Text of one message of the team at most, in UTF-16 code units; the rest is cut and the cut is marked. */
export const maxMessageLength = 200_000

/** A message of the team: from the orchestrator to an agent, or back. */
export function createTeamMessage(context: RunContext, envelope: Envelope, text: string): Message {
  const role: Role = envelope.sender === 'orchestrator' ? 'user' : 'assistant'
  return {
    id: context.id(`${envelope.sender}>${envelope.receiver}`),
    role,
    parts: [{ type: 'text', text: cutMessage(text) }],
    meta: envelope,
    createdAt: context.now(),
  }
}

/** Text as it fits into one message of the team. */
export function cutMessage(text: string): string {
  if (text.length <= maxMessageLength) return text
  const end =
    text.charCodeAt(maxMessageLength - 1) >> 10 === 0x36 ? maxMessageLength - 1 : maxMessageLength
  return `${text.slice(0, end)}\n[cut: ${text.length - end} more characters]`
}

/**
 * The messages between the orchestrator and one agent, in order: the orchestrator's are the user's, the agent's the
 * assistant's. Narrowed by kind and by research step. What is no message of the team is left out.
 */
export function selectConversation(
  messages: readonly Message[],
  agent: string,
  filter: { readonly kind?: Envelope['kind']; readonly stepId?: number | null } = {},
): readonly Message[] {
  return messages.filter((message) => {
    const { meta } = message
    if (meta === undefined || !isTeamMessage(message)) return false
    const isBetween =
      (meta.sender === agent && meta.receiver === 'orchestrator') ||
      (meta.sender === 'orchestrator' && meta.receiver === agent)
    const isKind = filter.kind === undefined || meta.kind === filter.kind
    return isBetween && isKind && (filter.stepId === undefined || meta.stepId === filter.stepId)
  })
}

/** The last instruction that the orchestrator gave an agent, or empty text. */
export function findLastInstruction(messages: readonly Message[], agent: string): string {
  const last = selectConversation(messages, agent, { kind: 'instruction' }).at(-1)
  return last === undefined ? '' : messageText(last)
}
