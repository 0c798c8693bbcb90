import * as z from 'zod'
import { ScholiumError } from './errors.ts'
import type { JsonObject } from './json.ts'
import { parseJsonObject } from './json-from-text.ts'
import { type Message, messageText } from './message.ts'
import type { ModelBinding } from './model.ts'
import type { ModelRequest } from './model-attempts.ts'
import { callModel } from './model-call.ts'
import type { RunContext } from './run-context.ts'

/** A checked object and the messages that led to it. */
export interface ObjectReply<T> {
  readonly value: T
  readonly message: Message
}

/**
 * A model call whose answer is one object of a schema, from structured output or from JSON in text. An answer that does not
 * fit is asked for once more, with the reason.
 *
 * @throws `model_output_malformed` when the second answer does not fit either, and as {@link callModel}
 */
export async function callModelForObject<Schema extends z.ZodType>(
  context: RunContext,
  name: string,
  binding: ModelBinding,
  request: Omit<ModelRequest, 'responseSchema'>,
  schema: Schema,
): Promise<ObjectReply<z.output<Schema>>> {
  const responseSchema = z.toJSONSchema(schema, { io: 'input' }) as JsonObject
  const first = await callModel(context, name, binding, { ...request, responseSchema })
  const parsed = parseReply(first.message, schema)
  if (parsed.ok) return { value: parsed.value, message: first.message }
  const correction: Message = {
    id: context.id(`${name}.correction`),
    role: 'user',
    parts: [{ type: 'text', text: correctionText(parsed.reason) }],
    createdAt: context.now(),
  }
  const messages = [...request.messages, first.message, correction]
  const second = await callModel(context, `${name}.again`, binding, {
    ...request,
    messages,
    responseSchema,
  })
  const reparsed = parseReply(second.message, schema)
  if (reparsed.ok) return { value: reparsed.value, message: second.message }
  const excerpt = messageText(second.message).slice(0, 500)
  throw new ScholiumError(
    'model_output_malformed',
    `${binding.name} gave no usable ${binding.role} answer: ${reparsed.reason}`,
    {
      hint: 'Try another model for this role; small models often cannot keep to a JSON format.',
      details: { role: binding.role, text: excerpt },
    },
  )
}

/** The first object in a message that fits the schema. */
export function parseReply<Schema extends z.ZodType>(
  message: Message,
  schema: Schema,
): { ok: true; value: z.output<Schema> } | { ok: false; reason: string } {
  const shape = (z.toJSONSchema(schema, { io: 'input' }) as { required?: string[] }).required ?? []
  const found = parseJsonObject(messageText(message), shape)
  if (!found.ok) return { ok: false, reason: found.reason }
  const parsed = schema.safeParse(found.value)
  return parsed.success
    ? { ok: true, value: parsed.data }
    : { ok: false, reason: z.prettifyError(parsed.error) }
}

function correctionText(reason: string): string {
  return `That answer could not be used: ${reason}\nAnswer again with one JSON object of the requested form and nothing else.`
}
