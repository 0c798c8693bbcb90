import type { Message } from '../kernel/agent/message.ts'
import type { RunContext } from '../kernel/run/run-context.ts'

/** What a model is asked: instructions, and what they are about. */
export interface Prompt {
  readonly system: string
  readonly user: string
}

/** A prompt as the messages of a conversation. @param name unique within the context */
export function toMessages(context: RunContext, name: string, prompt: Prompt): readonly Message[] {
  return [
    toTextMessage(context, `${name}.system`, 'system', prompt.system),
    toTextMessage(context, `${name}.user`, 'user', prompt.user),
  ]
}

/** One message of text. */
export function toTextMessage(
  context: RunContext,
  name: string,
  role: 'system' | 'user',
  text: string,
): Message {
  return { id: context.id(name), role, parts: [{ type: 'text', text }], createdAt: context.now() }
}

/** A text between tags that say what it is. */
export function wrapInTag(tag: string, text: string): string {
  return `<${tag}>\n${text}\n</${tag}>`
}
