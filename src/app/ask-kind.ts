import type { JsonObject } from '../kernel/json.ts'
import type { AskResult } from '../workflows/ask/result.ts'
import type { AskState } from '../workflows/ask/state.ts'
import type { AppParts } from './app-parts.ts'
import { nodeOf, rolesAhead } from './fork-effects.ts'
import { rolesInUse } from './roles.ts'
import type { RunKind, RunWorkflow } from './run-kind.ts'

/** Runs of the question team. */
export function askKind(parts: AppParts): RunKind {
  return {
    workflow: async () => (await parts.workflow()) as unknown as RunWorkflow,
    roles: rolesInUse,
    conditions: {},
    present: (runId, result) => parts.answerOf(runId, result as AskResult & JsonObject),
    forkChanges: async (state, place, request) =>
      (await import('./fork-ask.ts')).askForkChanges(state, place, request),
    rolesAhead: (state, place) => rolesAhead(state as unknown as AskState, nodeOf(place)),
  }
}
