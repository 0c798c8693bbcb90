import type { AskResult } from '../../ask/result.ts'
import { type AskPatch, type AskState, withFields } from '../../ask/state.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { AppParts } from '../app-parts.ts'
import { rolesInUse } from '../models/roles.ts'
import { nodeOf, rolesAhead } from '../runs/fork-effects.ts'
import type { RunKind, RunWorkflow } from '../runs/run-kind.ts'

/** Runs of the question team. */
export function askKind(parts: AppParts): RunKind {
  return {
    workflow: async () => (await parts.workflow()) as unknown as RunWorkflow,
    roles: rolesInUse,
    conditions: {},
    present: (runId, result) => parts.answerOf(runId, result as AskResult & JsonObject),
    forkChanges: async (state, place, request) =>
      (await import('./fork-ask.ts')).askForkChanges(state, place, request),
    rolesAhead: (state, fields, place) =>
      rolesAhead(withFields(state as AskState, fields as AskPatch), nodeOf(place)),
  }
}
