import { cleanQuestion, toTitle } from '../../ask/question.ts'
import type { StateChange } from '../../graph/change-state.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import type { Place } from '../../kernel/run/place.ts'
import type { ForkChanges, ForkRequest } from '../workflows/bound-workflow.ts'
import { forkChanges } from './fork-changes.ts'

/** What a fork of a question changes. @throws `invalid_input` for what cannot be changed, and for two questions */
export function askForkChanges(state: JsonObject, place: Place, request: ForkRequest): ForkChanges {
  const { fields, remarks } = forkChanges(state, place, collectChanges(request))
  // A fork from before its parent's own change asks what was asked then.
  const question = String(fields.question ?? state.question)
  return { fields, remarks, title: toTitle(question) }
}

/** @throws `invalid_input` for two questions */
function collectChanges({ changes = [], question }: ForkRequest): readonly StateChange[] {
  if (question !== undefined && changes.some(({ path }) => path === 'question')) {
    throw new ScholiumError('invalid_input', 'The question was given twice.', {
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
