import * as z from 'zod'
import type { ReadPassage } from '../citations/claim.ts'
import { formatPassages } from '../citations/format-passages.ts'
import type { Message } from '../kernel/agent/message.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { fillPrompt, splitPrompt } from './prompt-files.ts'

/** Text that a model wrote: half characters, which no file or terminal can carry, are replaced. */
export const modelText = z.string().overwrite((text) => text.toWellFormed())

/** A message of text that code puts into a conversation, such as those that open it; one of each role in a context. */
export function createMessage(
  context: RunContext,
  role: 'system' | 'user' | 'assistant',
  text: string,
): Message {
  return { id: context.id(role), role, parts: [{ type: 'text', text }], createdAt: context.now() }
}

/**
 * The first messages of a conversation: the role's instructions as system message, then its material and the orchestrator's
 * instruction as user message, so that text written by others never has the authority of a system prompt.
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
  return [createMessage(context, 'system', system), createMessage(context, 'user', text)]
}

/** Passages as prompts show them, each with its number: see {@link formatPassages}. */
export function describeEvidence(passages: readonly ReadPassage[]): string {
  return passages.length === 0 ? '(no passage was read)' : formatPassages(passages)
}
