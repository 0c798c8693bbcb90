import type { AskState } from '../../ask/state.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import type { Gap } from '../../team/gap.ts'
import { isWritten } from './fork-effects.ts'

/** Whether a fork asks another question than the one for which what it takes over was made. */
export function isForOther(before: AskState, after: AskState, node: string): boolean {
  if (before.question === after.question) return false
  const isBegun = node !== '' && node !== 'input'
  const isBeforePlan = !isBegun || (node === 'orchestrator' && before.currentStep === 'planner')
  const isPlannedAnew =
    before.researchResults.length === 0 && before.researchSteps !== after.researchSteps
  return !isBeforePlan && !isPlannedAnew
}

/**
 * The gaps of a fork that asks another question, with the one that says so; nothing where it needs none.
 * @throws `invalid_input` where nobody works on the question any more
 */
export function questionGaps(before: AskState, after: AskState, node: string): JsonObject {
  if (before.question === after.question) return {}
  if (isWritten(node)) throw tooLate()
  const own = gapOf(after, after.question).detail
  // A fork of a fork takes over what was made for the first question.
  const earlier = before.gaps.find(({ kind }) => kind === 'forked_question')
  const others = after.gaps.filter((gap) => gap !== earlier)
  const gap = earlier ?? gapOf(before, before.question)
  const gaps = isForOther(before, after, node) && gap.detail !== own ? [...others, gap] : others
  return gaps.length === after.gaps.length ? {} : { gaps: gaps as Json }
}

function gapOf(state: AskState, question: string): Gap {
  const { currentStep, researchResults } = state
  const isAnswered = currentStep === 'critic_expert' || currentStep === 'finalizer'
  const what = isAnswered
    ? 'The answer was worked out'
    : researchResults.length > 0
      ? 'The research was done'
      : 'The plan was made'
  return { kind: 'forked_question', detail: `${what} for another question: ${question}` }
}

function tooLate(): ScholiumError {
  return new ScholiumError(
    'invalid_input',
    'The question is not used after this step: the answer has already been written.',
    { hint: "Ask it from an earlier step, such as --at 'planner[1]', or from the beginning." },
  )
}
