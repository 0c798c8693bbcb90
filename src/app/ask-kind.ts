import type { StateChange } from '../graph/change-state.ts'
import { ScholiumError } from '../kernel/errors.ts'
import type { JsonObject } from '../kernel/json.ts'
import type { AskInput } from '../workflows/ask/ask.ts'
import { cleanQuestion } from '../workflows/ask/input.ts'
import type { AskResult } from '../workflows/ask/result.ts'
import type { AskState } from '../workflows/ask/state.ts'
import type { AppParts } from './app-parts.ts'
import { forkChanges } from './fork-changes.ts'
import { nodeOf, rolesAhead } from './fork-effects.ts'
import type { ForkRequest } from './fork-request.ts'
import { rolesInUse } from './roles.ts'
import type { RunKind } from './run-kind.ts'

/** Runs of the question team. */
export function askKind(parts: AppParts): RunKind {
  const workflow = parts.workflow()
  return {
    workflow: workflow as unknown as RunKind['workflow'],
    roles: rolesInUse,
    conditions: {},
    present: (runId, result) => parts.answerOf(runId, result as AskResult & JsonObject),
    forkChanges(state, place, request) {
      const { fields, remarks } = forkChanges(state, place, changesOf(request))
      // A fork from before its parent's own change asks what was asked then.
      const question = String(fields.question ?? state.question)
      return { fields, remarks, title: workflow.title({ question, files: [] } as AskInput) }
    },
    rolesAhead: (state, place) => rolesAhead(state as unknown as AskState, nodeOf(place)),
  }
}

/** @throws `invalid_input` for two questions */
function changesOf({ changes = [], question }: ForkRequest): readonly StateChange[] {
  if (question !== undefined && changes.some(({ path }) => path === 'question')) {
    throw new ScholiumError('invalid_input', 'The question is given twice.', {
      hint: 'Give --question, or --set question=…, not both.',
    })
  }
  const all = question === undefined ? changes : [...changes, { path: 'question', value: question }]
  return all.map((change) =>
    change.path === 'question' && typeof change.value === 'string'
      ? { ...change, value: cleanQuestion(change.value) }
      : change,
  )
}
