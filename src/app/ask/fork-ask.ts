import { cleanQuestion, toTitle } from '../../ask/question.ts'
import type { AskPatch, AskState } from '../../ask/state.ts'
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
  const { text } = { ...(state as AskState).question, ...(fields as AskPatch).question }
  return { fields, remarks, title: toTitle(String(text)) }
}

const textPath = 'question.text'

/** @throws `invalid_input` for two questions */
function collectChanges({ changes = [], question }: ForkRequest): readonly StateChange[] {
  if (question !== undefined && changes.some(({ path }) => path === textPath)) {
    throw new ScholiumError('invalid_input', 'The question was given twice.', {
      hint: 'Give --question, or --set question.text=…, not both.',
    })
  }
  const all = question === undefined ? changes : [...changes, { path: textPath, value: question }]
  return all.map((change) =>
    change.path === textPath && typeof change.value === 'string'
      ? { ...change, value: cleanQuestion(change.value) }
      : change,
  )
}
