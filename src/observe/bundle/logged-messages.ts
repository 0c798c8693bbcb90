import type { Message } from '../../kernel/agent/message.ts'
import { messageContent } from '../../kernel/agent/message-hash.ts'
import { isJsonObject, type Json, type JsonObject, sha256 } from '../../kernel/json.ts'
import { type BundledEvent, memberNames } from './form.ts'

/** The manifest's name for a missing message. */
export function missingMessage(hash: string): string {
  return `${memberNames.messages} ${hash}`
}

/** Collects the messages that models were sent, and which of them the log contains, as outputs of steps or in a state. */
export class LoggedMessages {
  private readonly sent = new Set<string>()
  private readonly held = new Set<string>()

  record({ type, data, output }: BundledEvent): void {
    const input = type === 'step.started' ? output : data.input
    for (const hash of sentIn(input)) this.sent.add(hash)
    if (type !== 'step.started') for (const hash of heldIn(output)) this.held.add(hash)
  }

  /** The hashes of messages that were sent but whose texts are not in the log. */
  keptElsewhere(): readonly string[] {
    return [...this.sent].filter((hash) => !this.held.has(hash))
  }
}

/** The hashes of the messages that a model call added to the previous call's. */
function sentIn(input: Json | undefined): readonly string[] {
  if (!isJsonObject(input) || !isJsonObject(input.messages)) return []
  const { added } = input.messages
  return Array.isArray(added) ? added.filter((hash) => typeof hash === 'string') : []
}

/** The hash of each message in a value. A model's answer has no role there; it is the assistant's. */
function* heldIn(value: Json | undefined): Generator<string> {
  if (value === null || typeof value !== 'object') return
  if (isJsonObject(value) && Array.isArray(value.parts)) yield hashMessage(value)
  for (const member of Object.values(value)) yield* heldIn(member)
}

function hashMessage({ role = 'assistant', parts }: JsonObject): string {
  return sha256(messageContent({ role, parts } as unknown as Message))
}
