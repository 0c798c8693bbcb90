import type { Failure } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import {
  type EventOf,
  isStepEnd,
  type LiveEvent,
  type RunEvent,
  type StepEvent,
} from '../../kernel/run/event.ts'
import { asObject } from './as-object.ts'
import { type ResearchBranch, researchBranch } from './research-branch.ts'
import { withAddresses } from './told-gaps.ts'
import { describeToolCall } from './tool-call-words.ts'

/** How a part of the work stands. */
export type WorkState = 'todo' | 'doing' | 'judging' | 'done'

/** A part of the work: the plan, a research step, the answer, the check. */
export interface Work {
  /** What is to be done, where the plan says it; else empty. */
  readonly text: string
  readonly state: WorkState
  readonly searches: number
  readonly rejections: number
  /** What its critic said last. */
  readonly feedback: string
  readonly isApproved: boolean
  /** What happened last in it, where several are worked on at once. */
  readonly activity: string
}

/** The parts of the work by name; `research` is the list of them. */
export type Part = 'plan' | 'research' | 'answer' | 'check'

/** What is known of a run while it goes on: a projection of its events, with no clock of its own. */
export interface RunView {
  readonly runId: string
  readonly question: string
  readonly part: Part | ''
  readonly plan: Work
  readonly research: readonly Work[]
  readonly answer: Work
  readonly check: Work
  /** What happened last inside the part. */
  readonly activity: string
  readonly modelCalls: number
  readonly toolCalls: number
  readonly tokens: number
  /** null: the price of a model is not known. */
  readonly costUsd: number | null
  /** Why the last step failed, if it did. */
  readonly failure: Failure | null
  /** The limit of the run that ended the work, if one did. */
  readonly limit: Failure | null
  /** Whether a person refused the plan: nothing is done after it. */
  readonly isRefused: boolean
}

const untouched: Work = {
  text: '',
  state: 'todo',
  searches: 0,
  rejections: 0,
  feedback: '',
  isApproved: false,
  activity: '',
}

/** The view before anything has happened. */
export const emptyView: RunView = {
  runId: '',
  question: '',
  part: '',
  plan: untouched,
  research: [],
  answer: untouched,
  check: untouched,
  activity: '',
  modelCalls: 0,
  toolCalls: 0,
  tokens: 0,
  costUsd: 0,
  failure: null,
  limit: null,
  isRefused: false,
}

/** The view of a log that was recorded before; what a later session took back no longer shows. */
export function viewOf(events: readonly RunEvent[]): RunView {
  const kept: RunEvent[] = []
  for (const event of events) {
    const from = event.type === 'run.resumed' ? event.data.rewindToSeq : null
    if (typeof from === 'number') {
      const isTakenBack = ({ seq, type }: RunEvent) => seq > from && type === 'node.done'
      kept.splice(0, kept.length, ...kept.filter((earlier) => !isTakenBack(earlier)))
    }
    kept.push(event)
  }
  return kept.reduce(reduceView, emptyView)
}

/** The view after one more event. */
export function reduceView(view: RunView, event: LiveEvent): RunView {
  if (/^(?:agent|papers)\//.test(event.key)) return usedView(view, event)
  const branch = researchBranch(event.key)
  if ('transient' in event) {
    if (event.type !== 'progress' || event.data.state !== 'started') return view
    return branch === undefined
      ? nodeStarted(view, topNode(event.key))
      : branchStarted(view, branch)
  }
  const known = { ...view, runId: event.runId }
  if (event.type === 'node.done') {
    const patch = asObject(event.output)
    return branch === undefined
      ? nodeDone(known, topNode(event.key), patch)
      : branchDone(known, branch, patch)
  }
  if (event.type === 'run.forked')
    return { ...planChanged(known, asObject(event.output)), limit: null }
  if (event.type === 'run.started')
    return { ...known, question: String(asObject(event.output).question ?? '') }
  if (event.type === 'run.resumed') return { ...known, limit: null }
  if (event.type === 'limit.reached') return { ...known, limit: limitOf(event) ?? known.limit }
  return isStepEnd(event) ? stepEnded(known, event) : known
}

/** Of agent files and papers only what was used and what failed is followed: their nodes are their own. */
function usedView(view: RunView, event: LiveEvent): RunView {
  if ('transient' in event) return view
  if (event.type === 'limit.reached') return { ...view, limit: limitOf(event) ?? view.limit }
  return isStepEnd(event) ? stepEnded(view, event) : view
}

/** The limit that an event tells of, unless it is that of a part, which ends the part alone. */
function limitOf({ data: { failure } }: EventOf<'limit.reached'>): Failure | undefined {
  return failure.details?.part === undefined ? failure : undefined
}

/** A fork can begin with another plan than its parent made. */
function planChanged(view: RunView, fields: JsonObject): RunView {
  const { researchSteps } = asObject(fields.plan)
  if (!Array.isArray(researchSteps)) return view
  const research = researchSteps.map((text, index) => ({
    ...(view.research[index] ?? untouched),
    text: String(text),
  }))
  return { ...view, research }
}

/** The graph's own node that a key names: `planner` for `ask/planner[1]`, and nothing for what lies inside it. */
export function topNode(key: string): string {
  return /^[^/]+\/([^/[]+)\[\d+\]$/.exec(key)?.[1] ?? ''
}

/** The tool, or action of an agent file, that a step's key calls: `search_library` for `…/tool[1]:search_library/call`, or nothing. */
export function calledTool(key: string): string {
  const action = key.startsWith('agent/') ? /\/([^/:]+)\/call$/ : undefined
  return (/\/tool\[\d+\]:([^/]+)\/call$/.exec(key) ?? action?.exec(key))?.[1] ?? ''
}

/** The research step that is being worked on: the first that is not approved. */
export function currentResearch(view: RunView): number {
  const index = view.research.findIndex(({ isApproved }) => !isApproved)
  return index < 0 ? view.research.length - 1 : index
}

/** The part of the work that is being done, or `undefined` before the plan. */
export function currentWork(view: RunView): Work | undefined {
  if (view.part === '') return undefined
  return view.part === 'research' ? view.research[currentResearch(view)] : view[view.part]
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
  const review = node === 'critic' ? findReview(patch) : undefined
  return review === undefined
    ? view
    : changeStep(view, index, judgedBy(review.decision, review.feedback))
}

function withoutForm({ rejections }: Work): Partial<Work> {
  return { rejections: rejections + 1, feedback: 'the answer had no usable form' }
}

function judgedBy(decision: string, feedback: string): (work: Work) => Partial<Work> {
  const isApproved = decision === 'approve'
  return ({ rejections }) => ({
    state: isApproved ? 'done' : 'doing',
    isApproved,
    feedback: isApproved ? '' : feedback,
    rejections: rejections + (isApproved ? 0 : 1),
  })
}

/** As {@link changeWork} for one research step of several. */
function changeStep(view: RunView, index: number, change: (work: Work) => Partial<Work>): RunView {
  const work = view.research[index]
  if (work === undefined) return view
  return { ...view, research: view.research.with(index, { ...work, ...change(work) }) }
}

const partOfNode: Readonly<Record<string, Part>> = {
  planner: 'plan',
  researcher: 'research',
  expert: 'answer',
  finalizer: 'check',
  claims: 'check',
  verify: 'check',
}

function nodeDone(view: RunView, node: string, patch: JsonObject): RunView {
  if (view.isRefused) return view
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

function judged(view: RunView, patch: JsonObject): RunView {
  const review = findReview(patch)
  if (review === undefined) return view
  const { part, decision, feedback } = review
  return changeWork({ ...view, part, activity: '' }, judgedBy(decision, feedback))
}

function stepEnded(view: RunView, event: StepEvent): RunView {
  const { usage, failure } = event.data
  const tool = calledTool(event.key)
  // What is done after a failure, such as the check of what was found by then, does not undo it: another model call does.
  const seen = { ...view, failure: failure ?? (usage === undefined ? view.failure : null) }
  if (tool !== '') return toolEnded({ ...seen, toolCalls: view.toolCalls + 1 }, tool, event)
  if (usage === undefined) return seen
  const isPriced = view.costUsd !== null && usage.costUsd !== null
  return {
    ...seen,
    modelCalls: view.modelCalls + 1,
    tokens: view.tokens + usage.inputTokens + usage.outputTokens,
    costUsd: isPriced ? (view.costUsd as number) + (usage.costUsd as number) : null,
  }
}

function toolEnded(view: RunView, tool: string, event: StepEvent): RunView {
  const activity = describeToolCall(tool, event)
  const isSearch = tool === 'search_library'
  const found = ({ searches }: Work) => ({ searches: searches + (isSearch ? 1 : 0) })
  const branch = researchBranch(event.key)
  if (branch === undefined) return changeWork({ ...view, activity }, found)
  return changeStep(view, branch.index, (work) => ({ ...found(work), activity }))
}

function changeWork(view: RunView, change: (work: Work) => Partial<Work>): RunView {
  const work = currentWork(view)
  if (work === undefined || view.part === '') return view
  const changed = { ...work, ...change(work) }
  if (view.part !== 'research') return { ...view, [view.part]: changed }
  return { ...view, research: view.research.with(currentResearch(view), changed) }
}
