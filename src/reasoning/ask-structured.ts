import { type Message, messageText } from '../kernel/agent/message.ts'
import type { ScholiumError } from '../kernel/errors.ts'
import { noticeCutAnswer } from '../kernel/model/cut-answer.ts'
import type { ModelBinding } from '../kernel/model/model.ts'
import { callModel, type ModelReply } from '../kernel/model/model-call.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { type Prompt, toMessages, toTextMessage } from './conversation.ts'

/** What was made of a model's text, or why it cannot be used. */
export type Reading<T> =
  | { readonly ok: true; readonly value: T; readonly truncated: boolean }
  | { readonly ok: false; readonly error: ScholiumError }

/**
 * What `read` makes of a model's answer. One that cannot be used, or was cut off at its maximum length, is asked for once more
 * with the reason; one that is cut off again is used where what there is of it can be read.
 *
 * @throws `model_output_malformed` with the raw text when the second answer cannot be used either, and as `callModel`
 */
export async function askStructured<T>(
  context: RunContext,
  name: string,
  model: ModelBinding,
  prompt: Prompt,
  read: (text: string) => Reading<T>,
): Promise<T> {
  const messages = toMessages(context, name, prompt)
  const isAskedAgain = (reply: ModelReply) => {
    const reading = readMessage(reply.message, read)
    return !reading.ok || isCut(reply, reading.truncated)
  }
  const first = await callModel(context, name, model, { messages }, isAskedAgain)
  const reading = readMessage(first.message, read)
  if (reading.ok && !isCut(first, reading.truncated)) return reading.value
  const reason = reading.ok
    ? 'it reached its maximum length before its end. Be much shorter.'
    : String(reading.error.details.reason)
  const correction = toTextMessage(
    context,
    `${name}.correction`,
    'user',
    `That answer could not be used: ${reason}\nAnswer again with one JSON object of the requested form and nothing else.`,
  )
  const again = await callModel(context, `${name}.again`, model, {
    messages: [...messages, first.message, correction],
    knownCount: messages.length,
  })
  const second = readMessage(again.message, read)
  const used = second.ok || !reading.ok ? second : reading
  if (!used.ok) throw used.error
  if (used === reading || again.finishReason === 'length')
    await noticeCutAnswer(context, name, model)
  return used.value
}

/** Whether a text ended too early to be taken at once: its JSON is open, or the model was stopped. */
function isCut({ finishReason }: ModelReply, isTruncated: boolean): boolean {
  return isTruncated || finishReason === 'length'
}

/**
 * Reads what a model said; where that cannot be used, with the thoughts that it put into tags in front of it. Thoughts that came
 * through a channel of their own are no part of what it said.
 */
function readMessage<T>(message: Message, read: (text: string) => Reading<T>): Reading<T> {
  const alone = read(messageText(message))
  const thoughts = message.parts.flatMap((part) =>
    part.type === 'reasoning' && part.origin === undefined ? [part.text] : [],
  )
  if (alone.ok || thoughts.length === 0) return alone
  return read(`<thinking>${thoughts.join('\n')}</thinking>\n${messageText(message)}`)
}
