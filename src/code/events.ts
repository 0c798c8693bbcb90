import type { Failure } from '../kernel/errors.ts'
import type { Json } from '../kernel/json.ts'
import type { RefusedCall, TurnOutcome } from './state.ts'
import type { Preview } from './tools/code-tool.ts'
import type { TurnAnswer } from './turn-answer.ts'

/**
 * Events of a session, for whoever watches it. When a turn is resumed, the events of its earlier part are emitted
 * again.
 */
export type CodeEvent =
  | { readonly type: 'turn.started'; readonly turn: number; readonly kind: TurnAnswer['kind'] }
  /** A piece of the model's output as it streams; the complete text follows as `message`. */
  | { readonly type: 'delta'; readonly kind: 'text' | 'reasoning'; readonly text: string }
  /** The model's complete message, without thoughts. */
  | { readonly type: 'message'; readonly text: string }
  | { readonly type: 'thought'; readonly text: string }
  | {
      readonly type: 'tool.started'
      readonly callId: string
      readonly toolName: string
      readonly input: Json
    }
  /** A call that changes something was allowed; `preview` says what it will do. */
  | { readonly type: 'tool.allowed'; readonly callId: string; readonly preview: Preview }
  | { readonly type: 'tool.progress'; readonly key: string; readonly data: Json }
  | {
      readonly type: 'tool.done'
      readonly callId: string
      readonly toolName: string
      readonly output: Json
      readonly isError: boolean
      /** What the model reads instead of the raw output, if that differs. */
      readonly shown?: string
    }
  | { readonly type: 'permission'; readonly request: PermissionRequest }
  | { readonly type: 'file.read'; readonly path: string }
  | { readonly type: 'refused'; readonly call: RefusedCall }
  | { readonly type: 'context'; readonly tokens: number; readonly windowTokens: number }
  | { readonly type: 'notice'; readonly level: 'info' | 'warning'; readonly text: string }
  | {
      readonly type: 'turn.done'
      readonly turn: number
      readonly outcome: TurnOutcome
      readonly answer: string
      readonly failure?: Failure
    }

/**
 * A question to a person. `permission`: before a call runs; it is the prompt of a waiting step. `trust`: before a
 * session starts, whether the folder's instructions count as the person's own; "always" then applies to all sessions
 * in that folder.
 */
export type PermissionRequest = {
  readonly kind: 'permission' | 'trust'
  readonly callId: string
  readonly toolName: string
  readonly preview: Preview
  /** Why the person is asked. */
  readonly reason: string
  /** Rules that "always" would add for the rest of the session; empty if the call can only be allowed once. */
  readonly always: readonly string[]
}

/** The answer: `once`, `always` for the offered rules, or `no` with a note for the model. */
export type PermissionAnswer =
  | { readonly decision: 'once' | 'always' }
  | { readonly decision: 'no'; readonly note?: string }
