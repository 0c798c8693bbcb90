import type { LanguageModelV4FunctionTool, LanguageModelV4Message } from '@ai-sdk/provider'
import {
  type ImagePart,
  type Message,
  messageText,
  type Origin,
  type Part,
  type ToolCallPart,
  type ToolResultPart,
  toolCallsOf,
} from '../agent/message.ts'
import { type Tool, wireToolName } from '../agent/tool.ts'
import { type Json, type JsonObject, sha256 } from '../json.ts'
import { collectImages } from '../limits/image-tokens.ts'
import { memoizeByIdentity } from '../run/memoize-by-identity.ts'
import { formatResult } from '../text/result-text.ts'

type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content']
type ToolContent = Extract<LanguageModelV4Message, { role: 'tool' }>['content']
type TextContent = { readonly type: 'text'; readonly text: string }

type UserPart = Extract<LanguageModelV4Message, { role: 'user' }>['content'][number]

/** One turn of a conversation in the form that every provider accepts: roles alternate, and no turn is empty. */
type Turn =
  | { readonly role: 'user'; readonly content: UserPart[] }
  | { readonly role: 'assistant'; readonly content: AssistantContent }
  | { readonly role: 'tool'; readonly content: ToolContent }

/** Placeholder if a conversation does not begin with the user. */
const missingStart = '(Earlier messages are missing.)'
/** Text before the images of tool results. */
const resultPictures = '(The pictures of the results above, in their order. They are material.)'
/** Placeholder if a conversation does not end with the user or a tool. */
const goOn = 'Go on.'

/**
 * Converts a repaired conversation for AI SDK models so that every provider accepts the request, whoever wrote the messages: one
 * system message, first; the user begins; roles alternate; the results of one turn are together; nothing is blank; no lone
 * surrogates; ids, names and arguments in the strictest required form.
 *
 * It depends only on its arguments. The messages themselves keep what was really said: only the request differs. Results of tools
 * are text (see {@link formatResult}), or JSON values for an engine that computes with them. Reasoning is returned only to the model that wrote it, only while its tool calls are being answered, and only with its
 * signature.
 */
export function toModelPrompt(
  messages: readonly Message[],
  model: string,
  results: 'text' | 'json' = 'text',
): LanguageModelV4Message[] {
  const lastUser = messages.findLastIndex(({ role }) => role === 'user')
  const drafts = withWireCallIds(messages, model).flatMap((message, index) =>
    toTurn(message, { model, results, isOpen: index > lastUser }),
  )
  const turns = drafts.reduce<Turn[]>(joinTurn, [])
  if (turns[0]?.role !== 'user') turns.unshift(userTurn(turns.length === 0 ? goOn : missingStart))
  if (turns.at(-1)?.role === 'assistant') turns.push(userTurn(goOn))
  const instructions = messages
    .filter(({ role }) => role === 'system')
    .map((message) => messageText(message).toWellFormed())
    .filter(hasWords)
  return instructions.length === 0
    ? turns
    : [{ role: 'system', content: instructions.join('\n\n') }, ...turns]
}

function hasWords(text: string): boolean {
  return text.trim() !== ''
}

function userTurn(text: string): Turn {
  return { role: 'user', content: [{ type: 'text', text }] }
}

/** The receiver of a message: the model, the form of results for it, and whether its calls are still being answered. */
interface Reader {
  readonly model: string
  readonly results: 'text' | 'json'
  readonly isOpen: boolean
}

function toTurn(message: Message, reader: Reader): readonly Turn[] {
  if (message.role === 'user') {
    const content = userContent(message)
    return content.length === 0 ? [] : [{ role: 'user', content }]
  }
  if (message.role === 'assistant') {
    const content = assistantContent(message, reader)
    return content.length === 0 ? [] : [{ role: 'assistant', content }]
  }
  const content = message.role === 'tool' ? toolContents[reader.results](message) : []
  if (content.length === 0) return []
  const images = collectImages([message]).map(imageContent)
  // Few services accept images in results; all accept them from the user.
  const shown: Turn[] =
    images.length === 0
      ? []
      : [{ role: 'user', content: [{ type: 'text', text: resultPictures }, ...images] }]
  return [{ role: 'tool', content }, ...shown]
}

/** Cached, since a conversation is sent again in every turn, and tool results are most of it. */
const toolContents = {
  text: memoizeByIdentity((message: Message): ToolContent => message.parts.flatMap(textPart)),
  json: memoizeByIdentity((message: Message): ToolContent => message.parts.flatMap(jsonPart)),
}

function joinTurn(turns: Turn[], turn: Turn): Turn[] {
  const last = turns.at(-1)
  const joined = last === undefined ? undefined : joinedTurn(last, turn)
  if (joined === undefined) turns.push(turn)
  else turns.splice(-1, 1, joined)
  return turns
}

function joinedTurn(first: Turn, second: Turn): Turn | undefined {
  if (first.role === 'user' && second.role === 'user')
    return { role: 'user', content: joinedUser(first.content, second.content) }
  if (first.role === 'tool' && second.role === 'tool')
    return { role: 'tool', content: [...first.content, ...second.content] }
  if (first.role !== 'assistant' || second.role !== 'assistant') return undefined
  // Reasoning must come first in its turn, but here other text does.
  const content = [...first.content, ...second.content].filter(({ type }) => type !== 'reasoning')
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const calls = content.filter(({ type }) => type !== 'text')
  const text: TextContent[] = texts.length > 0 ? [{ type: 'text', text: texts.join('\n\n') }] : []
  return { role: 'assistant', content: [...text, ...calls] }
}

/** The text of a message, followed by its images. */
function userContent(message: Message): UserPart[] {
  const text = messageText(message).toWellFormed()
  const images = collectImages([message]).map(imageContent)
  return [...(hasWords(text) ? [{ type: 'text' as const, text }] : []), ...images]
}

function imageContent({ mediaType, data }: ImagePart): UserPart {
  return { type: 'file', mediaType, data: { type: 'data', data } }
}

/** Adjacent texts are joined; images stay in place. */
function joinedUser(first: readonly UserPart[], second: readonly UserPart[]): UserPart[] {
  const [last, next] = [first.at(-1), second[0]]
  if (last?.type !== 'text' || next?.type !== 'text') return [...first, ...second]
  const text = `${last.text}\n\n${next.text}`
  return [...first.slice(0, -1), { type: 'text', text }, ...second.slice(1)]
}

/** Calls last, since their results must follow them; reasoning only if there are calls. */
function assistantContent(message: Message, { model, isOpen }: Reader): AssistantContent {
  const calls = toolCallsOf(message).map((part) => callPart(part, model))
  const content: Array<AssistantContent[number]> = []
  for (const part of joinTexts(message.parts)) {
    if (part.type === 'text' && hasWords(part.text))
      content.push({ type: 'text', text: part.text.toWellFormed() })
    if (part.type !== 'reasoning' || !isOpen || calls.length === 0) continue
    const providerOptions = sentMetadata(part.origin, model)
    if (providerOptions === undefined) continue
    content.push({ type: 'reasoning', text: part.text.toWellFormed(), providerOptions })
  }
  return [...content, ...calls]
}

/** Parts without calls; each text is joined with the one before it. */
function joinTexts(parts: readonly Part[]): readonly Part[] {
  const joined: Part[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (part.type === 'tool-call') continue
    if (part.type === 'text' && last?.type === 'text')
      joined.splice(-1, 1, { type: 'text', text: last.text + part.text })
    else joined.push(part)
  }
  return joined
}

function callPart({ toolCallId, toolName, input, origin }: ToolCallPart, model: string) {
  const providerOptions = sentMetadata(origin, model)
  return {
    type: 'tool-call' as const,
    toolCallId,
    toolName: wireToolName(toolName),
    input: callArguments(input),
    ...(providerOptions === undefined ? {} : { providerOptions }),
  }
}

/** Providers require arguments to be an object; anything else that a model wrote is wrapped so that it stays visible. */
function callArguments(input: Json): JsonObject {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
  return wellFormed(isObject ? input : { invalid_arguments: input }) as JsonObject
}

/**
 * The metadata returned to the model that wrote a part, without references to data stored at the provider: those may be gone when
 * a run is resumed, or belong to another account.
 */
function sentMetadata(origin: Origin | undefined, model: string) {
  if (origin?.model !== model || origin.metadata === undefined) return undefined
  const kept = Object.entries(origin.metadata).flatMap(([provider, values]) => {
    const own = Object.entries(values).filter(([name, value]) => name !== 'itemId' && value != null)
    return own.length === 0 ? [] : [[provider, Object.fromEntries(own)] as const]
  })
  return kept.length === 0 ? undefined : (Object.fromEntries(kept) as Record<string, never>)
}

function textPart(part: Part): ToolContent {
  if (part.type !== 'tool-result') return []
  const { output, isError = false } = part
  const value = formatResult(output, isError)
  return [{ ...resultHead(part), output: { type: isError ? 'error-text' : 'text', value } }]
}

function jsonPart(part: Part): ToolContent {
  if (part.type !== 'tool-result') return []
  const value = wellFormed(part.output) as never
  return [{ ...resultHead(part), output: { type: part.isError ? 'error-json' : 'json', value } }]
}

function resultHead({ toolCallId, toolName }: ToolResultPart) {
  return { type: 'tool-result' as const, toolCallId, toolName: wireToolName(toolName) }
}

/** A value without lone surrogates in its strings, such as truncation leaves: providers reject such JSON. */
function wellFormed(value: Json): Json {
  if (typeof value === 'string') return value.toWellFormed()
  if (typeof value !== 'object' || value === null || isWellFormed(value)) return value
  if (Array.isArray(value)) return value.map(wellFormed)
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name.toWellFormed(), wellFormed(item as Json)]),
  )
}

function isWellFormed(value: Json): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isWellFormed)
  return Object.entries(value).every(
    ([name, item]) => name.isWellFormed() && isWellFormed(item as Json),
  )
}

/** Converts a tool for AI SDK models. */
export function toModelTool(tool: Tool): LanguageModelV4FunctionTool {
  return {
    type: 'function',
    name: wireToolName(tool.name),
    description: tool.description,
    inputSchema: leanSchema(tool.parameters) as LanguageModelV4FunctionTool['inputSchema'],
  }
}

/** A schema without what tells a model nothing: its dialect, and bounds that only say that a number is a safe integer. */
function leanSchema(value: Json): Json {
  if (Array.isArray(value)) return value.map(leanSchema)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(
    ([name, part]) =>
      !(name === '$schema' && typeof part === 'string') &&
      !(name === 'minimum' && part === Number.MIN_SAFE_INTEGER) &&
      !(name === 'maximum' && part === Number.MAX_SAFE_INTEGER),
  )
  return Object.fromEntries(kept.map(([name, part]) => [name, leanSchema(part as Json)]))
}

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
