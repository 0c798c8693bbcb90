import type {
  LanguageModelV4Content,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import type { Usage } from './event.ts'
import type { Json } from './json.ts'
import type { Message, Part } from './message.ts'
import type { Price } from './model.ts'
import type { Tool } from './tool.ts'

/** A message in the form that AI SDK models take. */
export function toModelMessage(message: Message): LanguageModelV4Message {
  const { role, parts } = message
  if (role === 'system') return { role, content: textOf(parts) }
  if (role === 'user') return { role, content: [{ type: 'text', text: textOf(parts) }] }
  if (role === 'assistant') return { role, content: parts.flatMap(assistantPart) }
  return { role, content: parts.flatMap(toolPart) }
}

type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content']
type ToolContent = Extract<LanguageModelV4Message, { role: 'tool' }>['content']

function assistantPart(part: Part): AssistantContent {
  if (part.type === 'tool-call') {
    const { toolCallId, toolName, input } = part
    return [{ type: 'tool-call', toolCallId, toolName, input }]
  }
  return part.type === 'text' && part.text !== '' ? [{ type: 'text', text: part.text }] : []
}

function toolPart(part: Part): ToolContent {
  if (part.type !== 'tool-result') return []
  const { toolCallId, toolName, output, isError } = part
  const value = output as never
  return [
    {
      type: 'tool-result',
      toolCallId,
      toolName,
      output: { type: isError ? 'error-json' : 'json', value },
    },
  ]
}

function textOf(parts: readonly Part[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

/** A tool in the form that AI SDK models take. */
export function toModelTool(tool: Tool): LanguageModelV4FunctionTool {
  return {
    type: 'function',
    name: tool.name,
    description: tool.description,
    inputSchema: tool.parameters as LanguageModelV4FunctionTool['inputSchema'],
  }
}

/** What a model gave back as our parts. Arguments that are no JSON stay text, for the tool's own check to refuse. */
export function fromModelContent(content: readonly LanguageModelV4Content[]): readonly Part[] {
  return content.flatMap((item): Part[] => {
    if (item.type === 'text') return item.text === '' ? [] : [{ type: 'text', text: item.text }]
    if (item.type === 'reasoning') return [{ type: 'reasoning', text: item.text }]
    if (item.type !== 'tool-call') return []
    const { toolCallId, toolName, input } = item
    return [{ type: 'tool-call', toolCallId, toolName, input: parseArguments(input) }]
  })
}

function parseArguments(text: string): Json {
  try {
    return text.trim() === '' ? {} : (JSON.parse(text) as Json)
  } catch {
    return text
  }
}

/** Tokens and their price. A count that the provider left out is 0. */
export function toUsage(usage: LanguageModelV4Usage, price: Price | null): Usage {
  const inputTokens = usage.inputTokens.total ?? 0
  const outputTokens = usage.outputTokens.total ?? 0
  return { inputTokens, outputTokens, costUsd: costOf(inputTokens, outputTokens, price) }
}

/** What tokens cost, or null when the price is not known. */
export function costOf(
  inputTokens: number,
  outputTokens: number,
  price: Price | null,
): number | null {
  if (price === null) return null
  return (inputTokens * price.inputUsdPerMTok + outputTokens * price.outputUsdPerMTok) / 1e6
}
