import type { StateChange } from '../../graph/change-state.ts'

/** How a run shall go on another way. The app's models are those that change; the other roles keep the run's. */
export interface ForkRequest {
  /** A step or node: it and everything after it is done anew. Default: the beginning. */
  readonly at?: string
  /** What shall be other in the state there. */
  readonly changes?: readonly StateChange[]
  readonly question?: string
}
