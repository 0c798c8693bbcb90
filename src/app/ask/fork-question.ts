import type { AskPatch, AskState } from '../../ask/state.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { Gap } from '../../team/gap.ts'
import { isWritten } from './fork-effects.ts'

/** Whether a fork asks another question than the one for which what it takes over was made. */
export function isForOther(before: AskState, after: AskState, node: string): boolean {
  if (before.question.text === after.question.text) return false
  const isBegun = node !== '' && node !== 'input'
  const isBeforePlan =
    !isBegun || (node === 'orchestrator' && before.control.currentStep === 'planner')
  const isPlannedAnew =
    before.research.results.length === 0 && before.plan.researchSteps !== after.plan.researchSteps
  return !isBeforePlan && !isPlannedAnew
}

/**
 * The gaps of a fork that asks another question, with the one that says so; nothing where it needs none.
 * @throws `invalid_input` where nobody works on the question any more
 */
export function questionGaps(before: AskState, after: AskState, node: string): AskPatch {
  if (before.question.text === after.question.text) return {}
  if (isWritten(node)) throw tooLate()
  const own = gapOf(after, after.question.text).detail
  // A fork of a fork takes over what was made for the first question.
  const earlier = before.control.gaps.find(({ kind }) => kind === 'forked_question')
  const others = after.control.gaps.filter((gap) => gap !== earlier)
  const gap = earlier ?? gapOf(before, before.question.text)
  const gaps = isForOther(before, after, node) && gap.detail !== own ? [...others, gap] : others
  return gaps.length === after.control.gaps.length ? {} : { control: { gaps } }
}

function gapOf(state: AskState, question: string): Gap {
  const { currentStep } = state.control
  const isAnswered = currentStep === 'critic_expert' || currentStep === 'finalizer'
  const what = isAnswered
    ? 'The answer was worked out'
    : state.research.results.length > 0
      ? 'The research was done'
      : 'The plan was made'
  return { kind: 'forked_question', detail: `${what} for another question: ${question}` }
}

function tooLate(): ScholiumError {
  return new ScholiumError(
    'invalid_input',
    'After that place nobody works on the question: the answer is written.',
    { hint: "Ask it from an earlier place, such as --at 'planner[1]', or from the beginning." },
  )
}
