import type { LiveEvent, RunEvent } from '../../kernel/run/event.ts'
import type { Answer } from '../arguments/app-settings.ts'
import { describeApproval } from '../commands/ask/approve-plan.ts'
import { describeStep } from '../progress/describe-step.ts'
import { askPicture } from '../progress/live-pictures.ts'
import { tellLimit } from '../render/answer-advice.ts'
import { asObject } from '../render/as-object.ts'
import { renderAnswer } from '../render/render-answer.ts'
import { currentResearch, type RunView, researchBranch, topNode } from '../render/run-view.ts'
import { findReview, reduceTeam } from '../render/team-view.ts'
import type { WorkflowDisplay } from './workflow-display.ts'

/** The progress line of an event of the question team; `undefined` if it is of no interest. */
function describeTeamEvent(event: LiveEvent, view: RunView): string | undefined {
  if ('transient' in event) return describeTransient(event, view)
  return event.type === 'node.done' ? describeNode(event, view) : describeStep(event)
}

function describeTransient(
  event: Extract<LiveEvent, { transient: true }>,
  view: RunView,
): string | undefined {
  if (event.type !== 'progress' || event.data.state !== 'started') return undefined
  const branch = researchBranch(event.key)
  if (branch !== undefined)
    return branch.node === 'attempt' ? researching(view, branch.index) : undefined
  switch (topNode(event.key)) {
    case 'researcher':
      return researching(view, currentResearch(view))
    case 'expert':
      return 'Writing the answer.'
    case 'verify':
      return hasClaims(view) ? 'Checking the claims.' : undefined
    default:
      return undefined
  }
}

function researching({ research }: RunView, index: number): string {
  return `Researching ${index + 1} of ${research.length}: ${research[index]?.text}`
}

/** Whether an approved result can have claims. */
function hasClaims({ answer, research, failure }: RunView): boolean {
  return answer.isApproved || (failure === null && research.some(({ isApproved }) => isApproved))
}

function describeNode(event: RunEvent, view: RunView): string | undefined {
  const patch = asObject(event.output)
  const branch = researchBranch(event.key)
  const node = branch?.node ?? topNode(event.key)
  if (node === 'planner' && Array.isArray(asObject(patch.plan).researchSteps))
    return describePlan(view)
  if (node === 'approval' && branch === undefined) return describeApproval(patch)
  if (node !== 'critic' && node !== 'orchestrator') return undefined
  const review = findReview(patch)
  if (review === undefined || (node === 'orchestrator' && review.decision === 'approve'))
    return undefined
  const { part, decision, feedback } = review
  const what = branch === undefined ? `The ${part}` : `The ${part} of step ${branch.index + 1}`
  return decision === 'approve' ? `${what} is approved.` : `${what} is rejected: ${feedback}`
}

function describePlan({ research }: RunView): string {
  if (research.length === 0) return 'Plan: no research needed.'
  const steps = research.map(({ text }, index) => `(${index + 1}) ${text}`)
  return `Plan: ${steps.join(' ')}`
}

/** How questions are shown: plan, research steps, answer and check. */
export const askDisplay: WorkflowDisplay<Answer> = {
  titleLabel: 'Question',
  describe: describeTeamEvent,
  reduceNode: reduceTeam,
  picture: () => askPicture,
  render: renderAnswer,
  tellEnd: tellLimit,
  withheldText(events, { gaps }) {
    if (!gaps.some(({ kind }) => kind === 'uncited_answer')) return ''
    const texts = events.flatMap(({ type, output }) =>
      type === 'node.done' ? [asObject(asObject(output).answer).text] : [],
    )
    return String(texts.findLast((text) => typeof text === 'string') ?? '')
  },
}
