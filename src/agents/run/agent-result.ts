import type { Failure } from '../../kernel/errors.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'

/** Why a run of an agent file stopped. */
export type AgentStopReason = 'finished' | 'limit' | 'stopped_by_person' | 'error'

/** The result of a run of an agent file. */
export type AgentResult = {
  readonly schema: 'scholium.agent/1'
  /** `partial`: a limit or a person ended it early, or an answer it used was cut off at its maximum length. */
  readonly status: 'answered' | 'partial' | 'failed'
  readonly stopReason: AgentStopReason
  readonly agent: string
  /** The last state; of a failed run, the state before the node that failed. */
  readonly state: JsonObject
  /** The value of `core.return`; absent if there was none. */
  readonly output?: Json
  /** What ended it early. */
  readonly failure?: Failure & { readonly node?: string }
  readonly gaps: readonly {
    readonly kind: 'limit' | 'error' | 'cut_off'
    readonly detail: string
  }[]
}
