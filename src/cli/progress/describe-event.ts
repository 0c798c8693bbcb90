import type { EventOf, LiveEvent, RunEvent, StepEvent } from '../../kernel/run/event.ts'
import { describeApproval } from '../commands/ask/approve-plan.ts'
import { asObject } from '../render/as-object.ts'
import { researchBranch } from '../render/research-branch.ts'
import {
  calledTool,
  currentResearch,
  findReview,
  type RunView,
  topNode,
} from '../render/run-view.ts'
import { describeToolCall } from '../render/tool-call-words.ts'
import { describeAgentEvent, isOfAgent } from './describe-agent-event.ts'
import { describePapersEvent, isFailedPaper, isOfPapers } from './describe-papers-event.ts'

/**
 * What an event says to a person who follows a run as lines, or `undefined` where it says nothing of interest.
 * @param view the run's view after this event
 */
export function describeEvent(event: LiveEvent, view: RunView): string | undefined {
  if (isToldAtEnd(event) || isFailedPaper(event)) return undefined
  if (isOfAgent(event) && event.type !== 'notice' && !isModelTrouble(event))
    return describeAgentEvent(event)
  if (isOfPapers(event) && event.type !== 'notice' && !isModelTrouble(event))
    return describePapersEvent(event)
  if ('transient' in event) return describeTransient(event, view)
  switch (event.type) {
    case 'run.started':
      return `Run ${event.runId}`
    case 'run.resumed':
      return `Run ${event.runId} goes on.`
    case 'node.done':
      return describeNode(event, view)
    case 'step.done':
      return calledTool(event.key) === ''
        ? undefined
        : `${stepBefore(event.key)}${sentence(describeToolCall(calledTool(event.key), event))}`
    case 'step.failed':
    case 'step.outcome_unknown':
      return describeFailure(event)
    case 'limit.reached':
      return event.data.failure.message
    case 'notice':
      return describeNotice(event)
    default:
      return undefined
  }
}

/** Why an agent file failed is told once, at its end. */
function isToldAtEnd(event: LiveEvent): boolean {
  if ('transient' in event || event.type !== 'notice') return false
  return isOfAgent(event) && event.data.level === 'error' && event.key.endsWith('/failed')
}

/** What the model layer says while it waits or tries again, of any workflow; and limits. */
function isModelTrouble(event: LiveEvent): boolean {
  return event.type === 'limit.reached' || (event.type === 'progress' && 'text' in event.data)
}

/** Whether an event's line must stay to be read, also where a drawing replaces the others. */
export function isLasting(event: LiveEvent): boolean {
  return !('transient' in event) && (event.type === 'notice' || event.type === 'limit.reached')
}

function describeTransient(
  event: Extract<LiveEvent, { transient: true }>,
  view: RunView,
): string | undefined {
  if (event.type !== 'progress') return undefined
  if (event.data.text !== undefined)
    return event.data.text.replace(/(?<![.!?]) (?=Trying again in \d+ s\.$)/, '. ')
  if (event.data.state !== 'started') return undefined
  const branch = researchBranch(event.key)
  if (branch !== undefined)
    return branch.node === 'attempt' ? researching(view, branch.index) : undefined
  switch (topNode(event.key)) {
    case 'researcher':
      return researching(view, currentResearch(view))
    case 'expert':
      return 'Writing the answer.'
    case 'claims':
      return hasClaims(view) ? 'Checking the claims.' : undefined
    default:
      return undefined
  }
}

function researching({ research }: RunView, index: number): string {
  return `Researching ${index + 1} of ${research.length}: ${research[index]?.text}`
}

/** Which of several research steps something belongs to. */
function stepBefore(key: string): string {
  const branch = researchBranch(key)
  return branch === undefined ? '' : `(${branch.index + 1}) `
}

/** Whether anything was approved that can have claims. */
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
  if (node !== 'critic') return undefined
  const review = findReview(patch)
  if (review === undefined) return undefined
  const { part, decision, feedback } = review
  const what = branch === undefined ? `The ${part}` : `The ${part} of step ${branch.index + 1}`
  return decision === 'approve' ? `${what} is approved.` : `${what} is rejected: ${feedback}`
}

function describePlan({ research }: RunView): string {
  if (research.length === 0) return 'Plan: nothing to look up.'
  const steps = research.map(({ text }, index) => `(${index + 1}) ${text}`)
  return `Plan: ${steps.join(' ')}`
}

function describeFailure(event: StepEvent): string | undefined {
  const { failure } = event.data
  const tool = calledTool(event.key)
  // What a model call or another part failed on, the run itself tells.
  if (failure === undefined || tool === '') return undefined
  return `${stepBefore(event.key)}${tool} failed: ${failure.message}`
}

function describeNotice({ data }: EventOf<'notice'>): string | undefined {
  const { level, text, usage } = data
  // Of a model without a price nothing can have been paid.
  if (usage?.costUsd === 0) return undefined
  return level === 'info' ? `Note: ${text}` : `${level === 'error' ? 'Failed' : 'Warning'}: ${text}`
}

function sentence(text: string): string {
  return `${text[0]?.toUpperCase()}${text.slice(1)}`
}
