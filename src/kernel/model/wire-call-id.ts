import type { Message, Part, ToolCallPart, ToolResultPart } from '../agent/message.ts'
import { sha256 } from '../json.ts'

/**
 * Ids that the model which gave them takes back: its own form may matter to it (Kimi's tell the tool and its place), but
 * OpenAI refuses more than 40 characters.
 * @see https://platform.openai.com/docs/api-reference/chat/create
 */
const ownId = /^[\w.:-]{1,40}$/

/**
 * The messages with unique tool call ids in a form that `model` accepts. A message whose ids do not change is returned as the
 * same object. An id from another model becomes nine letters and digits, the form of the strictest service.
 * @see https://docs.mistral.ai/capabilities/function_calling
 */
export function withWireCallIds(messages: readonly Message[], model: string): readonly Message[] {
  const used = new Set<string>()
  let awaited = new Map<string, string[]>()
  const rename = (part: Part): Part => {
    if (part.type === 'tool-call') {
      const isKept = part.origin?.model === model && ownId.test(part.toolCallId)
      const toolCallId = freeId(part.toolCallId, isKept, used)
      awaited.set(part.toolCallId, [...(awaited.get(part.toolCallId) ?? []), toolCallId])
      return withId(part, toolCallId)
    }
    if (part.type !== 'tool-result') return part
    return withId(part, awaited.get(part.toolCallId)?.shift() ?? shortId(part.toolCallId))
  }
  return messages.map((message) => {
    const { role, parts } = message
    if (role === 'assistant') awaited = new Map()
    if (role !== 'assistant' && role !== 'tool') return message
    const renamed = parts.map(rename)
    return renamed.every((part, index) => part === parts[index])
      ? message
      : { ...message, parts: renamed }
  })
}

/** The part under this id; the very same one where that is its own. */
function withId(part: ToolCallPart | ToolResultPart, toolCallId: string): Part {
  return part.toolCallId === toolCallId ? part : { ...part, toolCallId }
}

function freeId(id: string, isKept: boolean, used: Set<string>): string {
  let free = isKept ? id : shortId(id)
  for (let number = 2; used.has(free); number++) free = shortId(`${id} ${number}`)
  used.add(free)
  return free
}

function shortId(id: string): string {
  return sha256(id).slice(0, 9)
}
