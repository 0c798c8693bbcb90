import type { Failure } from '../../kernel/errors.ts'

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
  /** Whether a critic judged it. */
  readonly isJudged: boolean
  /** What happened last in it, where several are worked on at once. */
  readonly activity: string
}

/** The parts of the work by name; `research` is the list of them. */
export type Part = 'plan' | 'research' | 'answer' | 'check'

/** What is known of a run while it works: a projection of its events, with no clock of its own. */
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

/** Work before anything has happened in it. */
export const untouched: Work = {
  text: '',
  state: 'todo',
  searches: 0,
  rejections: 0,
  feedback: '',
  isApproved: false,
  isJudged: false,
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

/** The graph's own node that a key names: `planner` for `ask/planner[1]`, and nothing for what lies inside it. */
export function topNode(key: string): string {
  return /^[^/]+\/([^/[]+)\[\d+\]$/.exec(key)?.[1] ?? ''
}

/** The tool, or action of an agent file, that a step's key calls: `search_library` for `…/tool[1]:search_library/call`, or nothing. */
export function calledTool(key: string): string {
  return /\/(?:tool\[\d+\]:)?([^/]+)\/call$/.exec(key)?.[1] ?? ''
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

/** The view with a change of the part that is being worked on. */
export function changeWork(view: RunView, change: (work: Work) => Partial<Work>): RunView {
  const work = currentWork(view)
  if (work === undefined || view.part === '') return view
  const changed = { ...work, ...change(work) }
  if (view.part !== 'research') return { ...view, [view.part]: changed }
  return { ...view, research: view.research.with(currentResearch(view), changed) }
}

/** As {@link changeWork} for one research step of several. */
export function changeStep(
  view: RunView,
  index: number,
  change: (work: Work) => Partial<Work>,
): RunView {
  const work = view.research[index]
  if (work === undefined) return view
  return { ...view, research: view.research.with(index, { ...work, ...change(work) }) }
}

/** A research step that runs in parallel with others, as a key names it. */
export interface ResearchBranch {
  /** Its index in the plan. */
  readonly index: number
  /** The node of its own graph that the key names: `attempt`, `critic`; empty for what lies deeper. */
  readonly node: string
}

/** The parallel research step that a key belongs to: `ask/research[1]/branch[2]/researcher[2]/attempt[1]`. */
export function researchBranch(key: string): ResearchBranch | undefined {
  const found = /^[^/]+\/research\[\d+\]\/branch\[(\d+)\]\/[^/]+\/([^/]+)/.exec(key)
  if (found === null) return undefined
  const [whole, number, inner = ''] = found
  const isNode = whole.length === key.length && /\[\d+\]$/.test(inner)
  return { index: Number(number) - 1, node: isNode ? inner.replace(/\[\d+\]$/, '') : '' }
}
