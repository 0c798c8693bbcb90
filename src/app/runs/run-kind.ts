import type { Answer } from '../../ask/result.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { ModelRole } from '../../kernel/model/model.ts'
import type { Place } from '../../kernel/run/place.ts'
import type { Workflow } from '../../kernel/run/workflow.ts'
import type { AgentAnswer } from '../agents/agent-answer.ts'
import type { CodeAnswer } from '../code/code-answer.ts'
import type { PapersAnswer } from '../papers/papers-answer.ts'
import type { ForkChanges } from './fork-changes.ts'
import type { ForkRequest } from './fork-request.ts'

/** What a run came to: the answer to a question, a synthesis of papers, what an agent file gave, or a session. `workflow` tells which. */
export type RunResult = Answer | PapersAnswer | AgentAnswer | CodeAnswer

/** The workflow of a recorded run, whose input and result are known to the workflow alone. */
export type RunWorkflow = Workflow<JsonObject, JsonObject>

/** What the app has to know of a workflow to drive its recorded runs. */
export interface RunKind {
  /** Loads it: what only presents a result has no need of it. */
  workflow(): Promise<RunWorkflow>
  /** The roles whose models its runs are recorded with. */
  readonly roles: readonly ModelRole[]
  /** What its runs are recorded with beside models; a run goes on under the same. */
  readonly conditions: JsonObject
  /** A result with what the log says of its making. */
  present(runId: string, result: JsonObject): Promise<RunResult>
  /** What a fork changes in the state of its place. @throws `invalid_input` for what cannot be changed */
  forkChanges(state: JsonObject, place: Place, request: ForkRequest): Promise<TitledChanges>
  /** Whose models may be asked after a place; `undefined` where that is not known before. */
  rolesAhead(state: JsonObject, fields: JsonObject, place: Place): readonly ModelRole[] | undefined
}

/** The changes of a fork, and what it is listed as; absent: as its parent. */
export interface TitledChanges extends ForkChanges {
  readonly title?: string
}
