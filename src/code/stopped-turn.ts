import { type Message, type ToolResultPart, toolCallsOf } from '../kernel/agent/message.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { createMessage } from '../team/conversation.ts'

/** What a model had asked for last, and the results that there are of it. */
export interface OpenMessage {
  readonly message: Message
  readonly results: readonly ToolResultPart[]
}

/** What stands for the result of a call that was stopped. */
export const stoppedResult =
  'The turn was stopped. This call may have been begun or not: look before you rely on either.'

/**
 * The messages that a request leaves which was stopped in the middle: what was finished stays, each call without a result gets one
 * that says so, and what the model was saying is kept.
 */
export function stoppedMessages(
  context: RunContext,
  open: OpenMessage | undefined,
  partialText: string,
  present: (result: ToolResultPart) => ToolResultPart,
): readonly Message[] {
  if (open === undefined) return [createMessage(context, 'assistant', endedText(partialText))]
  const { message, results } = open
  const calls = toolCallsOf(message)
  if (calls.length === 0) return [message]
  const parts = calls.map(({ toolCallId, toolName }): ToolResultPart => {
    const made = results.find((result) => result.toolCallId === toolCallId)
    if (made !== undefined) return present(made)
    return { type: 'tool-result', toolCallId, toolName, output: stoppedResult, isError: true }
  })
  const { createdAt } = message
  return [
    message,
    { id: context.id('tools'), role: 'tool', parts, createdAt },
    createMessage(context, 'assistant', endedText('')),
  ]
}

function endedText(partial: string): string {
  const note = '(This turn ended here, before it was finished.)'
  return partial.trim() === '' ? note : `${partial.trim()}\n\n${note}`
}
