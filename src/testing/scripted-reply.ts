import type { Hash, Json, JsonObject } from '../kernel/json.ts'

/** A request that the server received. */
export interface ModelRequestSeen {
  /** Number of the request, from 1. */
  readonly number: number
  /** The requested model name. */
  readonly model: string
  /** The request body. */
  readonly body: JsonObject
  /** The hash of the body: equal requests have equal hashes. */
  readonly bodyHash: Hash
  /** The text of the system message. */
  readonly system: string
  /** The text of the last message. */
  readonly lastText: string
  /** The role of the last message: `tool` after a tool result. */
  readonly lastRole: string
  /** The names of the offered tools. */
  readonly tools: readonly string[]
  /** The texts to embed; empty for other requests. */
  readonly texts: readonly string[]
  /** The API key of the request; empty if there was none. */
  readonly apiKey: string
}

/** How an answer is delivered. */
export interface Delivery {
  /** Delay before it begins, in milliseconds. */
  readonly delayMs?: number
  /** Delay between two chunks of a stream, in milliseconds. */
  readonly chunkDelayMs?: number
  /** The model's reasoning before the answer. */
  readonly reasoning?: string
  /** Default: `tool_calls` or `stop`. */
  readonly finishReason?: string
  /** Sends only this many chunks of a stream, or the first half of a body. */
  readonly cut?: {
    readonly afterChunks: number
    /** The connection is reset; the answer ends as if it were complete; or nothing more is sent. */
    readonly by: 'reset' | 'end' | 'silence'
  }
}

/** An answer of the scripted model. */
export type ScriptedAnswer = Delivery &
  (
    | { readonly text: string }
    | { readonly json: Json }
    | { readonly toolCalls: readonly { readonly name: string; readonly input: Json }[] }
  )

/** Vectors for the texts of a request. */
export interface ScriptedVectors {
  readonly vectors: readonly (readonly number[])[]
  /** The number of tokens the service reports; null: none. Default: one token per four characters, rounded up. */
  readonly tokens?: number | null
}

/** The scripted model's answer, or how the server fails. */
export type ScriptedReply =
  | ScriptedAnswer
  | ScriptedVectors
  /** Server-sent events with this data, sent unchanged. */
  | { readonly events: readonly string[] }
  | {
      readonly status: number
      readonly body?: Json
      readonly headers?: Readonly<Record<string, string>>
    }
  /** Never responds. */
  | { readonly hang: true }
  /** Closes the connection without a response. */
  | { readonly reset: true }

/** Chooses the reply to a request. */
export type Script = (seen: ModelRequestSeen) => ScriptedReply | Promise<ScriptedReply>
