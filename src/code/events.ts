import type { Failure } from '../kernel/errors.ts'
import type { Json } from '../kernel/json.ts'
import type { RefusedCall, TurnOutcome } from './state.ts'
import type { Preview } from './tools/code-tool.ts'
import type { TurnAnswer } from './turn-answer.ts'

/** What happens in a session, for those who watch it. Of a turn that is resumed, what was done before is told again. */
export type CodeEvent =
  | { readonly type: 'turn.started'; readonly turn: number; readonly kind: TurnAnswer['kind'] }
  /** A piece of what the model says while it says it; the whole follows as `message`. */
  | { readonly type: 'delta'; readonly kind: 'text' | 'reasoning'; readonly text: string }
  /** What the model said, whole, thoughts left out. */
  | { readonly type: 'message'; readonly text: string }
  | { readonly type: 'thought'; readonly text: string }
  | {
      readonly type: 'tool.started'
      readonly callId: string
      readonly toolName: string
      readonly input: Json
    }
  /** A call that changes something was let through: what it is about to do. */
  | { readonly type: 'tool.allowed'; readonly callId: string; readonly preview: Preview }
  | { readonly type: 'tool.progress'; readonly key: string; readonly data: Json }
  | {
      readonly type: 'tool.done'
      readonly callId: string
      readonly toolName: string
      readonly output: Json
      readonly isError: boolean
      /** What the model reads of it, where that is not the output itself. */
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
 * What a person is asked: `permission` before something is done, the prompt of a step that waits for the answer; `trust` before a
 * session begins whether the instructions of its folder count as theirs, where "always" is for all sessions in it.
 */
export type PermissionRequest = {
  readonly kind: 'permission' | 'trust'
  readonly callId: string
  readonly toolName: string
  readonly preview: Preview
  /** Why it is asked. */
  readonly reason: string
  /** What "always" would allow for the rest of the session; empty where it can only be allowed once. */
  readonly always: readonly string[]
}

/** What a person answers to it: `once`, `always` for its rules, or `no` with a note for the model. */
export type PermissionAnswer =
  | { readonly decision: 'once' | 'always' }
  | { readonly decision: 'no'; readonly note?: string }
