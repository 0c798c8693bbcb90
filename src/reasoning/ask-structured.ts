import { type Message, messageText } from '../kernel/agent/message.ts'
import type { ScholiumError } from '../kernel/errors.ts'
import { noticeCutAnswer } from '../kernel/model/cut-answer.ts'
import type { ModelBinding } from '../kernel/model/model.ts'
import { callModel, type ModelReply } from '../kernel/model/model-call.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { type Prompt, toMessages, toTextMessage } from './conversation.ts'

/** What was parsed from a model's text, or why it cannot be used. */
export type Reading<T> =
  | { readonly ok: true; readonly value: T; readonly truncated: boolean }
  | { readonly ok: false; readonly error: ScholiumError }

/**
 * Asks a model and parses its answer with `read`. An answer that is unusable or was cut off at its maximum length is requested
 * once more, with the reason. If the second one is cut off too, it is used as far as it can be read.
 * @throws `model_output_malformed` with the raw text if the second answer is unusable too, and as `callModel`
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

/** Whether a text ended too early to be accepted the first time: its JSON is incomplete, or the model was stopped. */
function isCut({ finishReason }: ModelReply, isTruncated: boolean): boolean {
  return isTruncated || finishReason === 'length'
}

/**
 * Parses a model's message. If its text alone is unusable, tries it with the thoughts that the model put into tags before it;
 * thoughts from a separate reasoning channel are never part of it.
 */
function readMessage<T>(message: Message, read: (text: string) => Reading<T>): Reading<T> {
  const alone = read(messageText(message))
  const thoughts = message.parts.flatMap((part) =>
    part.type === 'reasoning' && part.origin === undefined ? [part.text] : [],
  )
  if (alone.ok || thoughts.length === 0) return alone
  return read(`<thinking>${thoughts.join('\n')}</thinking>\n${messageText(message)}`)
}
