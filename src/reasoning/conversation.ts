import type { Message } from '../kernel/agent/message.ts'
import type { RunContext } from '../kernel/run/run-context.ts'

/** Instructions for a model, and the material they apply to. */
export interface Prompt {
  readonly system: string
  readonly user: string
}

/**
 * A prompt as messages.
 * @param name unique within the context
 */
export function toMessages(context: RunContext, name: string, prompt: Prompt): readonly Message[] {
  return [
    toTextMessage(context, `${name}.system`, 'system', prompt.system),
    toTextMessage(context, `${name}.user`, 'user', prompt.user),
  ]
}

/** A message with one text part. */
export function toTextMessage(
  context: RunContext,
  name: string,
  role: 'system' | 'user',
  text: string,
): Message {
  return { id: context.id(name), role, parts: [{ type: 'text', text }], createdAt: context.now() }
}

/** A text between tags that name it. */
export function wrapInTag(tag: string, text: string): string {
  return `<${tag}>\n${text}\n</${tag}>`
}
