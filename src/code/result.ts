import type { Failure } from '../kernel/errors.ts'
import type { Hash } from '../kernel/json.ts'
import { listChangedFiles } from './file-changes.ts'
import type { RefusedCall, SessionState } from './state.ts'

/** Why the last request of a session ended. */
export type CodeStopReason =
  | 'answer'
  /** The answer was cut off at its maximum length. */
  | 'length'
  | 'max_steps'
  | 'limit'
  | 'cancelled'
  | 'error'
  | 'no_request'

/** The result of a session. */
export type CodeResult = {
  /** `partial`: the last request ended without a complete answer, or a call was not allowed. */
  readonly status: 'answered' | 'partial' | 'failed'
  readonly stopReason: CodeStopReason
  /** Of the last request; Markdown that loads nothing when displayed. */
  readonly answer: string
  /** Number of requests handled. */
  readonly requests: number
  readonly filesRead: readonly string[]
  readonly filesChanged: readonly string[]
  readonly commands: readonly string[]
  /** Of the last request. */
  readonly refused: readonly RefusedCall[]
  /** Notices about the last request, such as a file that could not be attached; absent if there are none. */
  readonly notices?: readonly string[]
  readonly failure?: Failure
  /** Hashes of the conversation's messages. */
  readonly messages: readonly Hash[]
}

/** The result of a session that has ended, or of one so far. */
export function toCodeResult({ turns, files, messages }: SessionState): CodeResult {
  const requests = turns.filter(({ kind }) => kind === 'prompt')
  const last = requests.at(-1)
  const refused = last?.refused ?? []
  const undone = new Set(turns.flatMap(({ undone: turn }) => (turn === undefined ? [] : [turn])))
  const changes = turns.flatMap((turn) => (undone.has(turn.turn) ? [] : (turn.changes ?? [])))
  const stopReason = last === undefined ? 'no_request' : stopReasons[last.outcome]
  const isWhole = stopReason === 'answer' && refused.length === 0
  return {
    status:
      stopReason === 'error' ? 'failed' : isWhole || last === undefined ? 'answered' : 'partial',
    stopReason,
    answer: last?.answer ?? '',
    requests: requests.length,
    filesRead: files,
    filesChanged: listChangedFiles(changes),
    commands: turns.flatMap(({ commands = [] }) => commands),
    refused,
    ...(last?.notices === undefined ? {} : { notices: last.notices }),
    ...(last?.failure === undefined ? {} : { failure: last.failure }),
    messages,
  }
}

const stopReasons = {
  answer: 'answer',
  length: 'length',
  done: 'answer',
  max_steps: 'max_steps',
  limit: 'limit',
  cancelled: 'cancelled',
  failed: 'error',
} as const
