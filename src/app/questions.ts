import type { InterruptPrompt } from '../agents/run/interrupts.ts'
import type { PlanPrompt } from '../ask/approve-plan.ts'
import type { PermissionRequest } from '../code/events.ts'
import { toFailure } from '../kernel/errors.ts'
import type { Json } from '../kernel/json.ts'

/** A session of the coding agent waits for its next request. */
export type TurnQuestion = { readonly kind: 'turn'; readonly turn: number }

/** A question of your own workflow: see `WorkflowContext.ask`. */
export type WorkflowQuestion = {
  readonly kind: 'question'
  readonly text: string
  /** What the person needs to know to answer. */
  readonly data?: Json
}

/** A run's question to a person; `kind` says what it is about. */
export type Question =
  | PlanPrompt
  | InterruptPrompt
  | PermissionRequest
  | TurnQuestion
  | WorkflowQuestion

/** The question of a run that was rejected with `waiting`, because nobody answered; `undefined` for any other error. */
export function waitingQuestion(error: unknown): Question | undefined {
  const { code, details } = toFailure(error)
  return code === 'waiting' ? (details?.prompt as Question | undefined) : undefined
}
