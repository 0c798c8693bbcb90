import type { Failure } from '../../kernel/errors.ts'

/** The status of a part of the work. */
export type WorkState = 'todo' | 'doing' | 'judging' | 'done'

/** A part of the work: the plan, a research step, the answer or the check. */
export interface Work {
  /** The task according to the plan; empty if it does not say. */
  readonly text: string
  readonly state: WorkState
  readonly searches: number
  readonly rejections: number
  /** The critic's last feedback. */
  readonly feedback: string
  readonly isApproved: boolean
  /** Whether a critic judged it. */
  readonly isJudged: boolean
  /** The last activity in it, if several parts run at once. */
  readonly activity: string
}

/** The parts of the work by name; `research` is a list. */
export type Part = 'plan' | 'research' | 'answer' | 'check'

/** The state of a run, projected from its events; it uses no clock. */
export interface RunView {
  readonly runId: string
  readonly question: string
  readonly part: Part | ''
  readonly plan: Work
  readonly research: readonly Work[]
  readonly answer: Work
  readonly check: Work
  /** The last activity inside the part. */
  readonly activity: string
  readonly modelCalls: number
  readonly toolCalls: number
  readonly tokens: number
  /** `null` if a model's price is unknown. */
  readonly costUsd: number | null
  /** Why the last step failed, if it did. */
  readonly failure: Failure | null
  /** The limit that ended the run, if any. */
  readonly limit: Failure | null
  /** Whether a person rejected the plan, which ends the work. */
  readonly isRefused: boolean
}

/** Work that has not started. */
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

/** The view of a run that has not started. */
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

/** The graph's own node in a key: `planner` for `ask/planner[1]`, nothing for keys inside of it. */
export function topNode(key: string): string {
  return /^[^/]+\/([^/[]+)\[\d+\]$/.exec(key)?.[1] ?? ''
}

/** The tool or action that a step's key calls: `search_library` for `…/tool[1]:search_library/call`, or nothing. */
export function calledTool(key: string): string {
  return /\/(?:tool\[\d+\]:)?([^/]+)\/call$/.exec(key)?.[1] ?? ''
}

/** The research step in progress: the first that is not approved. */
export function currentResearch(view: RunView): number {
  const index = view.research.findIndex(({ isApproved }) => !isApproved)
  return index < 0 ? view.research.length - 1 : index
}

/** The part of the work in progress; `undefined` before the plan. */
export function currentWork(view: RunView): Work | undefined {
  if (view.part === '') return undefined
  return view.part === 'research' ? view.research[currentResearch(view)] : view[view.part]
}

/** Changes the part of the work in progress. */
export function changeWork(view: RunView, change: (work: Work) => Partial<Work>): RunView {
  const work = currentWork(view)
  if (work === undefined || view.part === '') return view
  const changed = { ...work, ...change(work) }
  if (view.part !== 'research') return { ...view, [view.part]: changed }
  return { ...view, research: view.research.with(currentResearch(view), changed) }
}

/** Like {@link changeWork}, for one of several research steps. */
export function changeStep(
  view: RunView,
  index: number,
  change: (work: Work) => Partial<Work>,
): RunView {
  const work = view.research[index]
  if (work === undefined) return view
  return { ...view, research: view.research.with(index, { ...work, ...change(work) }) }
}

/** A parallel research step, as a key names it. */
export interface ResearchBranch {
  /** Its index in the plan. */
  readonly index: number
  /** The node of the step's own graph in the key: `attempt`, `critic`; empty for keys inside of it. */
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
