import * as z from 'zod'
import { type Message, messageText } from '../agent/message.ts'
import { ScholiumError } from '../errors.ts'
import type { RunContext } from '../run/run-context.ts'
import { parseJsonObject } from '../text/json-from-text.ts'
import { toJsonSchema } from '../text/json-schema.ts'
import { noticeCutAnswer } from './cut-answer.ts'
import type { ModelBinding } from './model.ts'
import { callModel, type ModelReply } from './model-call.ts'
import type { ModelRequest } from './model-request.ts'

/** A checked object and the messages that led to it. */
export interface ObjectReply<T> {
  readonly value: T
  readonly message: Message
  /** Whether it was cut off at its maximum length, twice: what there is of it fits. */
  readonly isCut: boolean
}

/**
 * A model call whose answer is one object of a schema, from structured output or from JSON in text. An answer that does not
 * fit, or was cut off at its maximum length, is asked for once more, with the reason. What is cut off again is used where
 * the rest of it fits, and a notice says so.
 *
 * @param fromProse the object of an answer in words, in place of asking again. Default: there is none
 * @throws `model_output_malformed` when the second answer does not fit either, and as {@link callModel}
 */
export async function callModelForObject<Schema extends z.ZodType>(
  context: RunContext,
  name: string,
  binding: ModelBinding,
  request: Omit<ModelRequest, 'responseSchema'>,
  schema: Schema,
  fromProse: FromProse<z.output<Schema>> = () => undefined,
): Promise<ObjectReply<z.output<Schema>>> {
  const responseSchema = toJsonSchema(schema)
  const asked = { ...request, responseSchema }
  const read = (reply: ModelReply) => readObject(reply, schema, fromProse)
  const isAskedAgain = (reply: ModelReply) => !read(reply).isUsable
  const first = read(await callModel(context, name, binding, asked, isAskedAgain))
  if (first.isUsable) return first.reply
  const correction: Message = {
    id: context.id(`${name}.correction`),
    role: 'user',
    parts: [{ type: 'text', text: correctionText(first.reason) }],
    createdAt: context.now(),
  }
  const messages = [...request.messages, first.message, correction]
  const again = await callModel(context, `${name}.again`, binding, { ...asked, messages })
  const second = read(again)
  if (second.isUsable) return second.reply
  const reply = second.reply ?? first.reply
  if (reply === undefined) throw malformed(binding, second)
  await noticeCutAnswer(context, name, binding)
  return reply
}

/** The object that a text without JSON stands for; `undefined` if the text may be something else. */
type FromProse<T> = (text: string) => T | undefined

type ReadObject<T> =
  | { readonly isUsable: true; readonly reply: ObjectReply<T> }
  | {
      readonly isUsable: false
      readonly reason: string
      readonly message: Message
      /** What fits of an answer that was cut off. */
      readonly reply?: ObjectReply<T>
    }

function readObject<Schema extends z.ZodType>(
  { message, finishReason }: ModelReply,
  schema: Schema,
  fromProse: FromProse<z.output<Schema>>,
): ReadObject<z.output<Schema>> {
  const parsed = parseReply(message, schema)
  const said = parsed.ok || finishReason === 'length' ? undefined : fromProse(messageText(message))
  if (said !== undefined) return { isUsable: true, reply: { value: said, message, isCut: false } }
  const isCutOff = finishReason === 'length' && (!parsed.ok || parsed.truncated)
  if (parsed.ok && !isCutOff)
    return { isUsable: true, reply: { value: parsed.value, message, isCut: false } }
  return {
    isUsable: false,
    message,
    reason: isCutOff || parsed.ok ? cutOffReason : parsed.reason,
    ...(parsed.ok ? { reply: { value: parsed.value, message, isCut: true } } : {}),
  }
}

/** Why an answer that was cut off cannot be used. */
export const cutOffReason = 'it reached its maximum length before its JSON ended'

function malformed(
  binding: ModelBinding,
  { reason, message }: { readonly reason: string; readonly message: Message },
): ScholiumError {
  return new ScholiumError(
    'model_output_malformed',
    `${binding.name} returned no usable ${binding.role} answer: ${reason}`,
    {
      hint:
        reason === cutOffReason
          ? 'Raise maxOutputTokens in the configuration, or use another model for this role.'
          : 'Try another model for this role; small models often cannot follow a JSON format.',
      details: { role: binding.role, text: messageText(message).slice(0, 500) },
    },
  )
}

/** The first object in a message that fits the schema; `truncated` when the text ended before it. */
export function parseReply<Schema extends z.ZodType>(
  message: Message,
  schema: Schema,
): { ok: true; value: z.output<Schema>; truncated: boolean } | { ok: false; reason: string } {
  const { required = [] } = toJsonSchema(schema) as { readonly required?: readonly string[] }
  const found = parseJsonObject(messageText(message), required)
  if (!found.ok) return { ok: false, reason: found.reason }
  const parsed = schema.safeParse(found.value)
  return parsed.success
    ? { ok: true, value: parsed.data, truncated: found.truncated }
    : { ok: false, reason: z.prettifyError(parsed.error) }
}

function correctionText(reason: string): string {
  const advice = reason === cutOffReason ? '. Be much shorter.' : ''
  return `That answer could not be used: ${reason}${advice}\nAnswer again with one JSON object of the requested form and nothing else.`
}
