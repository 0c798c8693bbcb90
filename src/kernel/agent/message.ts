import type { Json, JsonObject } from '../json.ts'

/** Who speaks in a conversation with a model. */
export type Role = 'system' | 'user' | 'assistant' | 'tool'

/** Plain text. */
export type TextPart = {
  readonly type: 'text'
  readonly text: string
}

/** A picture, in a message of the user or a tool's result. */
export type ImagePart = {
  readonly type: 'image'
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif'
  /** In pixels. */
  readonly width: number
  readonly height: number
  /** Base64. */
  readonly data: string
}

/** Which model wrote a part, as `provider:model`: another is not shown its reasoning, and may not take its ids. */
export type Origin = {
  readonly model: string
  /** What the provider wants back with the part, such as a signature, by the provider's name. */
  readonly metadata?: { readonly [provider: string]: JsonObject }
}

/** What a model thought before it answered; never part of the answer. */
export type ReasoningPart = {
  readonly type: 'reasoning'
  readonly text: string
  readonly origin?: Origin
}

/** A model's wish to call a tool. `input` is the parsed arguments. */
export type ToolCallPart = {
  readonly type: 'tool-call'
  readonly toolCallId: string
  readonly toolName: string
  readonly input: Json
  readonly origin?: Origin
}

/** What a tool gave back. `isError` marks a refusal or a failure; `output` then says why. */
export type ToolResultPart = {
  readonly type: 'tool-result'
  readonly toolCallId: string
  readonly toolName: string
  readonly output: Json
  readonly isError?: boolean
  /** Pictures that it gave, for a model that takes them. */
  readonly images?: readonly ImagePart[]
}

/** A part of a message. */
export type Part = TextPart | ImagePart | ReasoningPart | ToolCallPart | ToolResultPart

/** Where a message stands in a team's conversation: the envelope. `stepId` is the index of a research step, or null. */
export type Envelope = {
  readonly sender: string
  readonly receiver: string
  readonly kind: 'instruction' | 'response'
  readonly stepId: number | null
}

/** One immutable message. `createdAt` is in milliseconds since 1970, from the run's clock; 0 where no run is involved. */
export type Message = {
  readonly id: string
  readonly role: Role
  readonly parts: readonly Part[]
  readonly citations?: readonly number[]
  readonly meta?: Envelope
  readonly createdAt: number
}

/** The text parts of a message, joined. */
export function messageText(message: Pick<Message, 'parts'>): string {
  return message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

/** The tool calls of a message, in order. */
export function toolCallsOf(message: Pick<Message, 'parts'>): readonly ToolCallPart[] {
  return message.parts.filter((part) => part.type === 'tool-call')
}
