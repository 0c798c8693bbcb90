import type {
  CodeRequest,
  CodeSession,
  PermissionAnswer,
  PermissionRequest,
  SessionOptions,
  TurnAnswer,
} from '../../app.ts'
import type { RunEvent } from '../../kernel/run/event.ts'
import type { Block } from './blocks.ts'

/** A session as the terminal uses it. */
export type SessionPort = Pick<
  CodeSession,
  'runId' | 'state' | 'send' | 'slash' | 'cancelTurn' | 'close' | 'whenIdle'
>

/** Listeners of a session. */
export type SessionEars = Required<Pick<SessionOptions, 'onEvent' | 'onLog'>> & {
  onPermission(request: PermissionRequest, signal: AbortSignal): Promise<PermissionAnswer>
}

/** What the terminal needs from the app. */
export interface SessionSite {
  /** Opens a new or an existing session. */
  open(request: CodeRequest, ears: SessionEars): Promise<SessionPort>
  /** The recorded events of a run, without large values. */
  events(runId: string): AsyncIterable<RunEvent>
  /** The session that a person means, and its folder. @throws `run_not_found`, `invalid_input` */
  find(run: string): Promise<{ readonly runId: string; readonly workspace: string }>
  /** The last request of a session, as it was typed; empty if there is none. */
  lastRequest(run: string): Promise<string>
}

/** Listeners of the work on a session. */
export interface WorkListeners {
  /** Prints blocks for good. */
  onBlocks(blocks: readonly Block[]): void
  /** Something drawn has changed. */
  onChange(): void
  /** The person left by a command. */
  onExit(): void
  /** Milliseconds of any clock. */
  now(): number
}

/** What a person sends: a turn, or a command of the session as it was typed. */
export type Sending = TurnAnswer | { readonly kind: 'slash'; readonly line: string }
