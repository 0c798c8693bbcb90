import { saysNothing } from '../citations/role-requests.ts'
import { citedNumbers } from '../team/evidence.ts'
import { isUngrounded } from './outcome.ts'
import { type AskPatch, type AskState, isLastRejection, type Worker, withFields } from './state.ts'

/**
 * Whether a model judges a role's work at the depth of a question:
 *
 * | | quick | standard | thorough |
 * |---|---|---|---|
 * | the plan | there is none | with more than one research step | yes |
 * | a research result | no | if nothing checks the claims afterwards | yes |
 * | the answer | no | no | yes |
 *
 * At `standard`, a role with criteria of its own always has its critic. What no model judges is accepted if its form is right:
 * {@link reviewByCode}.
 *
 * @param isVerified whether a model checks the claims of the final answer
 */
export function needsCritic(state: AskState, worker: Worker, isVerified: () => boolean): boolean {
  const { question, plan } = state
  if (question.depth === 'thorough') return true
  if (question.depth === 'quick') return false
  if (question.criteria[worker] !== undefined) return true
  if (worker === 'planner') return plan.researchSteps.length > 1
  return worker === 'researcher' && !isVerified()
}

/** Whether a model writes the final text: always at `thorough`, otherwise if the answer has to be short. */
export function needsFinalizer({ question: { depth, answerFormat } }: AskState): boolean {
  return depth === 'thorough' || answerFormat === 'short'
}

/**
 * Code's review in the place of a critic's. The form of an answer is rejected once, and never if that would end the work: the
 * outcome then says what is wrong.
 */
export function reviewByCode(state: AskState, worker: Worker): AskPatch {
  const { control } = state
  const mayReject = control.rejections[worker] === 0 && !isLastRejection(control, worker)
  const feedback = mayReject ? findFormProblem(state, worker) : ''
  const review = { decision: feedback === '' ? 'approve' : 'reject', feedback } as const
  if (worker === 'planner') return { plan: review }
  return worker === 'researcher' ? { research: review } : { answer: review }
}

/** What is wrong with the form of a text that the final answer consists of, or empty text. */
function findFormProblem(state: AskState, worker: Worker): string {
  const { question, research, answer } = state
  const isAnswer = worker === (question.depth === 'quick' ? 'researcher' : 'expert')
  if (!isAnswer) return ''
  const text = worker === 'expert' ? answer.draft : (research.results[research.index]?.result ?? '')
  const unknown = citedNumbers(text).filter(
    (cited) => !research.citations.some(({ n }) => n === cited),
  )
  if (unknown.length > 0)
    return `Nothing was read under ${unknown.map((n) => `[${n}]`).join(', ')}. Cite only numbers that you were shown.`
  if (saysNothing(text) || !isUngrounded(withFields(state, { answer: { text } }))) return ''
  return state.plan.researchSteps.length === 0
    ? 'Nothing was looked up, and the answer does not give the result of a tool. Calculate it with a tool, and give the result.'
    : 'No sentence cites a source. Put the number of its source in square brackets behind each sentence.'
}
