import type { Hash, Json, JsonObject } from '../kernel/json.ts'

/** One request that the server got. */
export interface ModelRequestSeen {
  /** Counts from 1 over all requests. */
  readonly number: number
  /** The model's name as it was asked for. */
  readonly model: string
  /** The request's body as it came. */
  readonly body: JsonObject
  /** The hash of the body: equal requests have equal hashes. */
  readonly bodyHash: Hash
  /** The text of the system message. */
  readonly system: string
  /** The text of the last message. */
  readonly lastText: string
  /** The role of the last message: `tool` when a tool's result has just come. */
  readonly lastRole: string
  /** The names of the offered tools. */
  readonly tools: readonly string[]
  /** The texts of which vectors are asked for; none where an answer is. */
  readonly texts: readonly string[]
  /** The key that came with it; empty for none. */
  readonly apiKey: string
}

/** How an answer is given. */
export interface Manner {
  /** How long it takes until it begins. */
  readonly delayMs?: number
  /** How long it takes between two chunks of a stream. */
  readonly chunkDelayMs?: number
  /** What the model thinks before. */
  readonly reasoning?: string
  /** Default: `tool_calls` or `stop`. */
  readonly finishReason?: string
  /** Only this many chunks of a stream come, or the first half of a body. */
  readonly cut?: {
    readonly afterChunks: number
    /** The connection is lost; the answer ends as if it were whole; or nothing more comes. */
    readonly by: 'reset' | 'end' | 'silence'
  }
}

/** An answer of the scripted model. */
export type ScriptedAnswer = Manner &
  (
    | { readonly text: string }
    | { readonly json: Json }
    | { readonly toolCalls: readonly { readonly name: string; readonly input: Json }[] }
  )

/** Vectors of the texts of a request. */
export interface ScriptedVectors {
  readonly vectors: readonly (readonly number[])[]
  /** What the service says that it read; null: it says nothing. Default: a token for each four characters of the texts, rounded up. */
  readonly tokens?: number | null
}

/** What the scripted model says, or how the server fails. */
export type ScriptedReply =
  | ScriptedAnswer
  | ScriptedVectors
  /** Server-sent events with this data, as they are. */
  | { readonly events: readonly string[] }
  | {
      readonly status: number
      readonly body?: Json
      readonly headers?: Readonly<Record<string, string>>
    }
  /** Never answers. */
  | { readonly hang: true }
  /** Closes the connection without an answer. */
  | { readonly reset: true }

/** Decides what a request gets. */
export type Script = (seen: ModelRequestSeen) => ScriptedReply | Promise<ScriptedReply>
