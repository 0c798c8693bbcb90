import { type Envelope, type Message, messageText, type Role } from '../kernel/agent/message.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { isTeamMessage } from './state.ts'

/** Text of one message of the team at most, in UTF-16 code units; the rest is cut and the cut is marked. */
export const maxMessageLength = 200_000

/** A message of the team: from the orchestrator to an agent, or back. */
export function teamMessage(context: RunContext, envelope: Envelope, text: string): Message {
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
export function conversationOf(
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
export function lastInstruction(messages: readonly Message[], agent: string): string {
  const last = conversationOf(messages, agent, { kind: 'instruction' }).at(-1)
  return last === undefined ? '' : messageText(last)
}
