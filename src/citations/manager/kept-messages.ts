import type { Message } from '../../kernel/agent/message.ts'
import type { Hash } from '../../kernel/json.ts'
import type { RunContext } from '../../kernel/run/run-context.ts'

/** A message of a run's state: where its content is kept, and the index's number for each of its local ones. JSON only. */
export type KeptMessage = {
  readonly hash: Hash
  /** Absent for a message that was not numbered. */
  readonly citations?: readonly number[]
}

/** Keeps messages in the run with what they cite; a state then holds this. */
export function keepCitedMessages(
  context: RunContext,
  messages: readonly Message[],
): readonly KeptMessage[] {
  const hashes = context.keepMessages(messages)
  return messages.map(({ citations }, index) => ({
    hash: hashes[index] as Hash,
    ...(citations === undefined ? {} : { citations }),
  }))
}

/** Messages that were kept in the run, with what they cite. @throws `step_missing` */
export async function loadCitedMessages(
  context: RunContext,
  kept: readonly KeptMessage[],
): Promise<readonly Message[]> {
  const messages = await context.loadMessages(kept.map(({ hash }) => hash))
  return messages.map((message, index) => {
    const { citations } = kept[index] as KeptMessage
    return citations === undefined ? message : { ...message, citations }
  })
}
