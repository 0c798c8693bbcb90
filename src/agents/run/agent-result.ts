import type { Failure } from '../../kernel/errors.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'

/** Why a run of an agent file stopped. */
export type AgentStopReason = 'finished' | 'limit' | 'stopped_by_person' | 'error'

/** What the run of an agent file came to. */
export type AgentResult = {
  readonly schema: 'scholium.agent/1'
  /** `partial`: a limit, or a person, ended it before its end, or an answer that it used was cut off at its maximum length. */
  readonly status: 'answered' | 'partial' | 'failed'
  readonly stopReason: AgentStopReason
  readonly agent: string
  /** The last state: of a run that failed, that before the node that failed. */
  readonly state: JsonObject
  /** What `core.return` gave; absent where the file has none. */
  readonly output?: Json
  /** What ended it before its end. */
  readonly failure?: Failure & { readonly node?: string }
  readonly gaps: readonly {
    readonly kind: 'limit' | 'error' | 'cut_off'
    readonly detail: string
  }[]
}
