import * as z from 'zod'
import { type Message, messageText, type Part, toolCallsOf } from '../agent/message.ts'
import { ScholiumError } from '../errors.ts'
import type { Json } from '../json.ts'

const textContent = z.union([
  z.string(),
  z
    .array(z.object({ type: z.enum(['text', 'input_text', 'output_text']), text: z.string() }))
    .transform((parts) => parts.map(({ text }) => text).join('')),
])
const toolCall = z.object({
  id: z.string(),
  type: z.literal('function').default('function'),
  function: z.object({ name: z.string().min(1), arguments: z.string() }),
})
const messageSchema = z.discriminatedUnion('role', [
  z.object({ role: z.enum(['system', 'developer', 'user']), content: textContent }),
  z.object({
    role: z.literal('assistant'),
    content: textContent.nullish(),
    refusal: z.string().nullish(),
    reasoning_content: z.string().nullish(),
    tool_calls: z.array(toolCall).nullish(),
  }),
  z.object({
    role: z.literal('tool'),
    tool_call_id: z.string(),
    content: textContent,
    is_error: z.boolean().optional(),
  }),
])

/** A message as chat completions have it. `is_error` is ours: others take no notice of it. */
export type OpenAiMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant'
      readonly content: string | null
      readonly reasoning_content?: string
      readonly tool_calls?: readonly z.output<typeof toolCall>[]
    }
  | {
      readonly role: 'tool'
      readonly tool_call_id: string
      readonly content: string
      readonly is_error?: true
    }

/**
 * Messages in the form of OpenAI's chat completions: a message for each result of a tool, values as JSON, plain text as it is.
 * @see https://platform.openai.com/docs/api-reference/chat/create
 */
export function toOpenAiMessages(messages: readonly Message[]): readonly OpenAiMessage[] {
  return messages.flatMap((message): readonly OpenAiMessage[] => {
    if (message.role === 'tool') return message.parts.flatMap(resultMessage)
    if (message.role === 'assistant') return [assistantMessage(message)]
    return [{ role: message.role, content: messageText(message) }]
  })
}

function assistantMessage(message: Message): OpenAiMessage {
  const text = messageText(message)
  const reasoning = message.parts
    .map((part) => (part.type === 'reasoning' ? part.text : ''))
    .join('')
  const calls = toolCallsOf(message).map(({ toolCallId, toolName, input }) => ({
    id: toolCallId,
    type: 'function' as const,
    function: { name: toolName, arguments: toText(input) },
  }))
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }
}

function resultMessage(part: Part): readonly OpenAiMessage[] {
  if (part.type !== 'tool-result') return []
  const { toolCallId, output, isError } = part
  const content = toText(output)
  return [
    { role: 'tool', tool_call_id: toolCallId, content, ...(isError ? { is_error: true } : {}) },
  ]
}

/** JSON, or a text itself where nobody could take it for JSON. */
function toText(value: Json): string {
  return typeof value === 'string' && !isJson(value) ? value : JSON.stringify(value)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function fromText(text: string): Json {
  return isJson(text) ? (JSON.parse(text) as Json) : text
}

/** What messages from outside are given. */
export interface Arrival {
  /** The id of the message at an index. */
  readonly idOf: (index: number) => string
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

/**
 * Messages from those of a chat completion, as a client sends them; results that stand together are one message.
 * @throws `invalid_input` for what is no such list, and for pictures, sounds and files, which are not taken
 */
export function fromOpenAiMessages(
  value: unknown,
  { idOf, createdAt }: Arrival,
): readonly Message[] {
  const parsed = z.array(messageSchema).safeParse(value)
  if (!parsed.success) {
    throw new ScholiumError(
      'invalid_input',
      `Not valid chat messages: ${z.prettifyError(parsed.error)}`,
      {
        hint: 'Use the chat completions format with text contents.',
      },
    )
  }
  const names = new Map<string, string>()
  const messages: Message[] = []
  for (const given of parsed.data) {
    const { role, parts } = fromOpenAiMessage(given, names)
    const last = messages.at(-1)
    if (role === 'tool' && last?.role === 'tool')
      messages.splice(-1, 1, { ...last, parts: [...last.parts, ...parts] })
    else messages.push({ id: idOf(messages.length), role, parts, createdAt })
  }
  return messages
}

type Given = z.output<typeof messageSchema>

/** The role and the parts of one message. A result has the name of the last call of its id. */
function fromOpenAiMessage(
  given: Given,
  names: Map<string, string>,
): Pick<Message, 'role' | 'parts'> {
  if (given.role === 'tool') {
    const { tool_call_id: toolCallId, content, is_error: isError } = given
    const toolName = names.get(toolCallId) ?? 'unknown'
    const output = fromText(content)
    const error = isError === true ? { isError } : {}
    return {
      role: 'tool',
      parts: [{ type: 'tool-result', toolCallId, toolName, output, ...error }],
    }
  }
  if (given.role !== 'assistant') {
    const role = given.role === 'user' ? 'user' : 'system'
    return { role, parts: [{ type: 'text', text: given.content }] }
  }
  const thoughts = given.reasoning_content ?? ''
  const text = given.content ?? given.refusal ?? ''
  const calls = (given.tool_calls ?? []).map(({ id, function: { name, arguments: args } }) => {
    names.set(id, name)
    return { type: 'tool-call', toolCallId: id, toolName: name, input: fromText(args) } as const
  })
  const reasoning: Part[] = thoughts === '' ? [] : [{ type: 'reasoning', text: thoughts }]
  const words: Part[] = text === '' ? [] : [{ type: 'text', text }]
  return { role: 'assistant', parts: [...reasoning, ...words, ...calls] }
}
