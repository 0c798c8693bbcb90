import type { JsonObject } from '../../kernel/json.ts'
import type { LiveEvent } from '../../kernel/run/event.ts'
import { asObject } from './as-object.ts'
import { withAddresses } from './format-gaps.ts'
import {
  changeStep,
  changeWork,
  type Part,
  type ResearchBranch,
  type RunView,
  researchBranch,
  topNode,
  untouched,
  type Work,
} from './run-view.ts'

/** The view after a node of the question team starts or ends, or after a fork changes its plan. */
export function reduceTeam(view: RunView, event: LiveEvent): RunView {
  const branch = researchBranch(event.key)
  if ('transient' in event) {
    if (event.type !== 'progress' || event.data.state !== 'started') return view
    return branch === undefined
      ? nodeStarted(view, topNode(event.key))
      : branchStarted(view, branch)
  }
  if (event.type === 'run.forked') return planChanged(view, asObject(event.output))
  if (event.type !== 'node.done') return view
  const patch = asObject(event.output)
  return branch === undefined
    ? nodeDone(view, topNode(event.key), patch)
    : branchDone(view, branch, patch)
}

/** A fork may start with a changed plan. */
function planChanged(view: RunView, fields: JsonObject): RunView {
  const { researchSteps } = asObject(fields.plan)
  if (!Array.isArray(researchSteps)) return view
  const research = researchSteps.map((text, index) => ({
    ...(view.research[index] ?? untouched),
    text: String(text),
  }))
  return { ...view, research }
}

function nodeStarted(view: RunView, node: string): RunView {
  if (view.isRefused) return view
  const part = partOfNode[node]
  if (part !== undefined)
    return changeWork({ ...view, part, activity: '' }, () => ({ state: 'doing' }))
  return node === 'critic'
    ? changeWork({ ...view, activity: '' }, () => ({ state: 'judging' }))
    : view
}

function branchStarted(view: RunView, { index, node }: ResearchBranch): RunView {
  const state = node === 'attempt' ? 'doing' : node === 'critic' ? 'judging' : undefined
  if (state === undefined) return view
  return changeStep({ ...view, part: 'research' }, index, () => ({ state, activity: '' }))
}

function branchDone(view: RunView, { index, node }: ResearchBranch, patch: JsonObject): RunView {
  const { malformed } = asObject(patch.control)
  if (node === 'attempt' && typeof malformed === 'string' && malformed !== '')
    return changeStep(view, index, withoutForm)
  if (node === 'attempt') return changeStep(view, index, () => ({ state: 'judging' }))
  const review = node === 'critic' || node === 'orchestrator' ? findReview(patch) : undefined
  return review === undefined ? view : changeStep(view, index, judgedBy(review, node === 'critic'))
}

function withoutForm({ rejections }: Work): Partial<Work> {
  return { rejections: rejections + 1, feedback: 'the answer was not usable' }
}

function judgedBy(
  { decision, feedback }: Review,
  isByCritic: boolean,
): (work: Work) => Partial<Work> {
  const isApproved = decision === 'approve'
  return ({ rejections, isJudged }) => ({
    state: isApproved ? 'done' : 'doing',
    isApproved,
    isJudged: isJudged || isByCritic,
    feedback: isApproved ? '' : feedback,
    rejections: rejections + (isApproved ? 0 : 1),
  })
}

const partOfNode: Readonly<Record<string, Part>> = {
  planner: 'plan',
  researcher: 'research',
  expert: 'answer',
  finalizer: 'check',
  verify: 'check',
}

function nodeDone(view: RunView, node: string, patch: JsonObject): RunView {
  if (view.isRefused) return view
  if (node === 'orchestrator') return decided(view, patch)
  const part = partOfNode[node]
  if (node === 'approval' && asObject(patch.answer).text !== undefined) {
    const plan = { ...view.plan, state: 'doing', isApproved: false, activity: 'refused' } as const
    return { ...view, plan, part: 'plan', isRefused: true }
  }
  if (node === 'approval' && Array.isArray(asObject(patch.plan).researchSteps))
    return { ...view, research: plannedResearch(patch, view) }
  if (part === undefined) return node === 'critic' ? judged(view, patch) : view
  const inPart = { ...view, part, activity: '' }
  const { malformed } = asObject(patch.control)
  if (typeof malformed === 'string' && malformed !== '') {
    return changeWork(inPart, withoutForm)
  }
  const planned =
    node === 'planner' ? { ...inPart, research: plannedResearch(patch, view) } : inPart
  if (node === 'verify') return changeWork(planned, () => ({ state: 'done' }))
  return part === 'check' ? planned : changeWork(planned, () => ({ state: 'judging' }))
}

/** What the orchestrator decided in the place of a critic; at depth quick it also gives the only research step. */
function decided(view: RunView, patch: JsonObject): RunView {
  const { researchSteps } = asObject(patch.plan)
  if (Array.isArray(researchSteps)) return { ...view, research: plannedResearch(patch, view) }
  const { index } = asObject(patch.research)
  const done = { part: 'research', decision: 'approve', feedback: '' } as const
  const next =
    typeof index === 'number' && index > 0
      ? changeStep(view, index - 1, judgedBy(done, false))
      : view
  return judged(next, patch, false)
}

function plannedResearch(patch: JsonObject, { question }: RunView): readonly Work[] {
  const { researchSteps } = asObject(patch.plan)
  const steps = Array.isArray(researchSteps) ? researchSteps : []
  return steps.map((text) => ({ ...untouched, text: withAddresses(String(text), question) }))
}

const judgedParts = ['plan', 'research', 'answer'] as const

/** A critic's decision on the plan, the research or the answer. */
export interface Review {
  readonly part: (typeof judgedParts)[number]
  readonly decision: string
  readonly feedback: string
}

/** The review in a critic's patch. */
export function findReview(patch: JsonObject): Review | undefined {
  for (const part of judgedParts) {
    const { decision, feedback } = asObject(patch[part])
    if (typeof decision === 'string' && decision !== '')
      return { part, decision, feedback: String(feedback ?? '') }
  }
  return undefined
}

function judged(view: RunView, patch: JsonObject, isByCritic = true): RunView {
  const review = findReview(patch)
  if (review === undefined) return view
  return changeWork({ ...view, part: review.part, activity: '' }, judgedBy(review, isByCritic))
}
