import type { Failure } from '../kernel/errors.ts'
import type { Hash, JsonObject } from '../kernel/json.ts'
import type { CodeInput, CodeSettings } from './settings.ts'
import type { FileChange, Todo } from './tools/code-tool.ts'
import type { TurnAnswer } from './turn-answer.ts'

/** How a turn ended. `done`: it called no model. `length`: the answer was cut off at its maximum length. */
export type TurnOutcome =
  | 'answer'
  | 'length'
  | 'max_steps'
  | 'limit'
  | 'cancelled'
  | 'failed'
  | 'done'

/** A call that was not allowed. */
export type RefusedCall = {
  readonly toolName: string
  /** What it would have done, in one line. */
  readonly title: string
  readonly reason: string
  /** Rules that would have allowed it. */
  readonly rules: readonly string[]
}

/** What a turn changes in its session; absent fields stay as they were. */
export type TurnPatch = {
  readonly turn: number
  readonly kind: TurnAnswer['kind']
  readonly outcome: TurnOutcome
  /** The request, for lists. */
  readonly prompt?: string
  /** What people are shown at the end; for a request, Markdown that loads nothing when displayed. */
  readonly answer: string
  readonly failure?: Failure
  /** The conversation: the first `from` messages stay and `added` follow. */
  readonly messages: { readonly from: number; readonly added: readonly Hash[] }
  readonly settings?: CodeSettings
  readonly files?: readonly string[]
  /** Hashes of files as last read or written; `null`: no longer known. */
  readonly hashes?: Readonly<Record<string, Hash | null>>
  readonly changes?: readonly FileChange[]
  /** The turn that this one undid. */
  readonly undone?: number
  readonly commands?: readonly string[]
  readonly refused?: readonly RefusedCall[]
  readonly todo?: readonly Todo[]
  /** Ids of the sources cited so far, in the order of their numbers. */
  readonly sources?: readonly string[]
  readonly isTainted?: boolean
  readonly modelCalls?: number
  readonly toolCalls?: Readonly<Record<string, number>>
  /** Notes about compactions. */
  readonly notes?: readonly string[]
  /** Notices shown to the person, such as a file that could not be attached. */
  readonly notices?: readonly string[]
}

/** A past turn, for lists and for undo. */
export type PastTurn = Omit<
  TurnPatch,
  'messages' | 'settings' | 'files' | 'hashes' | 'sources' | 'isTainted'
>

/** A session between two turns: JSON, derived from its turns' patches alone. */
export type SessionState = {
  readonly turns: readonly PastTurn[]
  /** The conversation without the system message. */
  readonly messages: readonly Hash[]
  readonly settings: CodeSettings
  /** Files whose contents the model was shown, in order of first appearance. */
  readonly files: readonly string[]
  readonly hashes: Readonly<Record<string, Hash>>
  readonly todo: readonly Todo[]
  /** Ids of the cited sources: `[1]` is the first one in the whole session. */
  readonly sources: readonly string[]
  /** Whether the conversation holds untrusted text that no result in it shows. */
  readonly isTainted: boolean
  readonly hasEnded: boolean
}

/** The state before the first turn. */
export function createSessionState({ settings }: Pick<CodeInput, 'settings'>): SessionState {
  return {
    turns: [],
    messages: [],
    settings,
    files: [],
    hashes: {},
    todo: [],
    sources: [],
    isTainted: false,
    hasEnded: false,
  }
}

/** The state after a turn. */
export function applyTurn(state: SessionState, patch: TurnPatch): SessionState {
  const { messages, settings, files, hashes, sources, isTainted, ...past } = patch
  const known = Object.entries({ ...state.hashes, ...hashes })
  return {
    turns: [...state.turns, past],
    messages: [...state.messages.slice(0, messages.from), ...messages.added],
    settings: settings ?? state.settings,
    files: files ?? state.files,
    hashes: Object.fromEntries(known.filter(([, hash]) => hash !== null)) as SessionState['hashes'],
    todo: patch.todo ?? state.todo,
    sources: sources ?? state.sources,
    isTainted: isTainted ?? state.isTainted,
    hasEnded: patch.kind === 'end',
  }
}

/** The state with fields changed by a fork. */
export function withForkedFields(
  state: SessionState,
  fields: JsonObject | undefined,
): SessionState {
  return fields === undefined ? state : { ...state, ...(fields as Partial<SessionState>) }
}
