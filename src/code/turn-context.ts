import type { Message } from '../kernel/agent/message.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import type { CodeEvent } from './events.ts'
import type { Instructions } from './instructions.ts'
import type { CodeParts, SessionDriver } from './parts.ts'
import type { SessionAgents } from './session-agents.ts'
import type { CodeInput } from './settings.ts'
import type { SessionState, TurnPatch } from './state.ts'

/** What a turn works with. */
export interface TurnContext {
  /** Context of the session; its path is the workflow's name. */
  readonly session: RunContext
  /** Context of the turn. */
  readonly context: RunContext
  readonly turn: number
  readonly input: CodeInput
  readonly parts: CodeParts
  readonly driver: SessionDriver
  readonly state: SessionState
  /** Whether an earlier execution began the turn. */
  readonly isBegun: boolean
  /** Whether the session's permissions were reduced since the turn was begun. */
  readonly isReduced: boolean
  /** The conversation so far, without the system message. */
  readonly conversation: readonly Message[]
  readonly agents: SessionAgents
  /** What the model is told before the first request. */
  readonly instructions: Instructions
  readonly system: Message
  emit(event: CodeEvent): void
}

/** What one kind of turn adds to its patch; {@link runTurn} and the session add the rest. */
export type OwnPatch = Omit<TurnPatch, 'turn' | 'kind' | 'messages'>

/** A turn's result: its patch, and the conversation after it. */
export interface TurnEnd {
  readonly patch: OwnPatch
  readonly conversation: readonly Message[]
}
