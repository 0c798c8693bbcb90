import type { Failure } from '../kernel/errors.ts'
import type { Hash, JsonObject } from '../kernel/json.ts'
import type { CodeInput, CodeSettings } from './settings.ts'
import type { FileChange, Todo } from './tools/code-tool.ts'
import type { TurnAnswer } from './turn-answer.ts'

/** How a turn ended. `done` is one that asked no model; `length`: its answer was cut off at its maximal length. */
export type TurnOutcome =
  | 'answer'
  | 'length'
  | 'max_steps'
  | 'limit'
  | 'cancelled'
  | 'failed'
  | 'done'

/** What was not done because nobody allowed it. */
export type RefusedCall = {
  readonly toolName: string
  /** What it would have done, in a line. */
  readonly title: string
  readonly reason: string
  /** Rules that would have let it through. */
  readonly rules: readonly string[]
}

/** What a turn changes in its session; what is absent stays as it was. */
export type TurnPatch = {
  readonly turn: number
  readonly kind: TurnAnswer['kind']
  readonly outcome: TurnOutcome
  /** What was asked, for lists. */
  readonly prompt?: string
  /** What people are told at its end: of a request Markdown that loads nothing by being shown. */
  readonly answer: string
  readonly failure?: Failure
  /** The conversation: so many messages of before stay, and these follow. */
  readonly messages: { readonly from: number; readonly added: readonly Hash[] }
  readonly settings?: CodeSettings
  readonly files?: readonly string[]
  /** The hashes of files as they were last read or written; null: not known any more. */
  readonly hashes?: Readonly<Record<string, Hash | null>>
  readonly changes?: readonly FileChange[]
  /** The turn whose changes this one took back. */
  readonly undone?: number
  readonly commands?: readonly string[]
  readonly refused?: readonly RefusedCall[]
  readonly todo?: readonly Todo[]
  /** The ids of the sources that answers of the question team cite, each at the place of its number. */
  readonly sources?: readonly string[]
  readonly isTainted?: boolean
  readonly modelCalls?: number
  readonly toolCalls?: Readonly<Record<string, number>>
  /** Of what was dropped by a compaction, in words. */
  readonly notes?: readonly string[]
  /** What the person was told of the request, such as a file that could not be put behind it. */
  readonly notices?: readonly string[]
}

/** A turn, for lists and for what looks back. */
export type PastTurn = Omit<
  TurnPatch,
  'messages' | 'settings' | 'files' | 'hashes' | 'sources' | 'isTainted'
>

/** What a session is between two turns; JSON, made of its turns' patches alone. */
export type SessionState = {
  readonly turns: readonly PastTurn[]
  /** The conversation without the system message. */
  readonly messages: readonly Hash[]
  readonly settings: CodeSettings
  /** Files of whose contents the model was shown something, in the order in which they first were. */
  readonly files: readonly string[]
  readonly hashes: Readonly<Record<string, Hash>>
  readonly todo: readonly Todo[]
  /** The ids of the sources that were cited: `[1]` stands for the first in the whole session. */
  readonly sources: readonly string[]
  /** Whether the conversation holds text from elsewhere that no result in it shows. */
  readonly isTainted: boolean
  readonly hasEnded: boolean
}

/** A session before its first turn. */
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

/** The session after a turn. */
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

/** A state with fields that a fork changed. */
export function withForkedFields(
  state: SessionState,
  fields: JsonObject | undefined,
): SessionState {
  return fields === undefined ? state : { ...state, ...(fields as Partial<SessionState>) }
}
