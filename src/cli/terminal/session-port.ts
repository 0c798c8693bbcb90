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

/** A session as the terminal drives it. */
export type SessionPort = Pick<
  CodeSession,
  'runId' | 'state' | 'send' | 'slash' | 'cancelTurn' | 'close' | 'whenIdle'
>

/** Who hears a session. */
export type SessionEars = Required<Pick<SessionOptions, 'onEvent' | 'onLog'>> & {
  onPermission(request: PermissionRequest, signal: AbortSignal): Promise<PermissionAnswer>
}

/** What the terminal needs of the app. */
export interface SessionSite {
  /** Opens a session that begins or goes on. */
  open(request: CodeRequest, ears: SessionEars): Promise<SessionPort>
  /** The recorded events of a run, without what is large. */
  events(runId: string): AsyncIterable<RunEvent>
  /** The session that a person means, and the folder in which it works. @throws `run_not_found`, `invalid_input` */
  find(run: string): Promise<{ readonly runId: string; readonly workspace: string }>
  /** What a session was asked last, as it would be typed; empty where it was asked nothing. */
  lastRequest(run: string): Promise<string>
}

/** Who shows what becomes of a session. */
export interface WorkListeners {
  /** What goes on the screen for good. */
  onBlocks(blocks: readonly Block[]): void
  /** Something is otherwise than it was drawn. */
  onChange(): void
  /** The person leaves by a command. */
  onExit(): void
  /** Milliseconds of any clock. */
  now(): number
}

/** What a person sends: a turn, or a command of the session as it was typed. */
export type Sending = TurnAnswer | { readonly kind: 'slash'; readonly line: string }
