import type { Message, Part } from '../agent/message.ts'
import { quoteResult } from '../agent/repair-history.ts'
import type { Tool } from '../agent/tool.ts'
import type { JsonObject } from '../json.ts'
import { collectImages } from '../limits/image-tokens.ts'
import type { ModelRequest } from './model-request.ts'

/**
 * The request with its tools described in the prompt, for services that take none, and calls and results of before as text.
 * The form is one that `toolCallsFromText` reads.
 */
export function withToolsAsText(request: ModelRequest): ModelRequest {
  const { tools = [], ...rest } = request
  const messages = request.messages.map(messageAsText)
  if (tools.length === 0) return { ...rest, messages }
  return { ...rest, messages: withInstruction(messages, describeTools(tools)) }
}

/** The request with the form of its answer described in the prompt, for services that take no schema. */
export function withSchemaAsText(request: ModelRequest): ModelRequest {
  const { responseSchema = {}, ...rest } = request
  return { ...rest, messages: withInstruction(request.messages, describeSchema(responseSchema)) }
}

/** What stands in the prompt instead of offered tools. */
export function describeTools(tools: readonly Tool[]): string {
  const lines = tools.map(({ name, description, parameters }) =>
    JSON.stringify({ name, description, parameters }),
  )
  return [
    'You can use tools. To use one, write this, one line for each call, and nothing after it; the results come in the next message:',
    '<tool_call>{"name": "NAME", "arguments": {}}</tool_call>',
    'The tools, with the JSON Schema of their arguments:',
    ...lines,
  ].join('\n')
}

/** What stands in the prompt instead of a schema of the answer. */
export function describeSchema(schema: JsonObject): string {
  return `Your final answer is one JSON object that fits this JSON Schema, and nothing else:\n${JSON.stringify(schema)}`
}

/** Added to the system message, since many templates take one only, and only at the beginning. */
function withInstruction(messages: readonly Message[], text: string): readonly Message[] {
  const [first, ...others] = messages
  if (first?.role !== 'system')
    return [
      { id: 'as-text', role: 'system', parts: [{ type: 'text', text }], createdAt: 0 },
      ...messages,
    ]
  return [{ ...first, parts: [...first.parts, { type: 'text', text: `\n\n${text}` }] }, ...others]
}

function messageAsText(message: Message): Message {
  if (message.role === 'tool')
    return {
      ...message,
      role: 'user',
      parts: [{ type: 'text', text: resultsText(message.parts) }, ...collectImages([message])],
    }
  if (!message.parts.some(({ type }) => type === 'tool-call')) return message
  return { ...message, parts: message.parts.map(callAsText) }
}

function callAsText(part: Part): Part {
  if (part.type !== 'tool-call') return part
  const call = JSON.stringify({ name: part.toolName, arguments: part.input })
  return { type: 'text', text: `\n<tool_call>${call}</tool_call>` }
}

function resultsText(parts: readonly Part[]): string {
  return parts
    .flatMap((part) => (part.type === 'tool-result' ? [quoteResult(part)] : []))
    .join('\n')
}
