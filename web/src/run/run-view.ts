import type { LiveEvent, RunEvent, RunStatus } from '../../../src/kernel/run/event.ts'
import { texts } from '../texts.ts'

/** A thing that happened in a part of the work. */
export interface WorkLine {
  readonly seq: number
  readonly kind: 'did' | 'said' | 'critic' | 'failed'
  readonly text: string
}

/** A part of the work: the plan, a research step, the answer or the check. */
export interface Work {
  readonly text: string
  readonly state: 'todo' | 'doing' | 'judging' | 'done'
  readonly searches: number
  readonly passages: number
  readonly rejections: number
  readonly isApproved: boolean
  readonly lines: readonly WorkLine[]
}

/** A run as its log tells it; tokens and progress add nothing, so that a reload shows the same. */
export interface RunView {
  readonly lastSeq: number
  readonly workflow: string
  readonly question: string
  readonly status: RunStatus
  readonly plan: Work
  readonly research: readonly Work[]
  readonly answer: Work
  readonly check: Work
  readonly calls: number
  readonly costUsd: number | null
  /** Work time of the sessions that are over, and when the present one began. */
  readonly workedMs: number
  readonly sessionStartedAt: number | undefined
}

const untouched: Work = {
  text: '',
  state: 'todo',
  searches: 0,
  passages: 0,
  rejections: 0,
  isApproved: false,
  lines: [],
}

/** The view before the first event. */
export const emptyView: RunView = {
  lastSeq: 0,
  workflow: '',
  question: '',
  status: 'running',
  plan: untouched,
  research: [],
  answer: untouched,
  check: untouched,
  calls: 0,
  costUsd: 0,
  workedMs: 0,
  sessionStartedAt: undefined,
}

type Part = 'plan' | 'answer' | 'check' | number

/** The view after one more event. */
export function reduceRun(view: RunView, event: LiveEvent): RunView {
  if ('transient' in event) return view
  const next = { ...view, lastSeq: event.seq }
  switch (event.type) {
    case 'run.started': {
      const { question, query } = asObject(event.output)
      const title = String(question ?? query ?? '')
      const { workflow } = event.data
      return { ...next, workflow, question: title, status: 'running', sessionStartedAt: event.ts }
    }
    case 'run.resumed':
    case 'run.forked':
      return { ...next, status: 'running', sessionStartedAt: event.ts }
    case 'run.waiting':
      return { ...endSession(next, event.ts), status: 'waiting' }
    case 'run.suspended':
      return {
        ...endSession(next, event.ts),
        status: event.data.failure.code === 'waiting' ? 'waiting' : 'interrupted',
      }
    case 'run.finished':
      return { ...endSession(next, event.ts), status: event.data.status }
    case 'node.done':
      return nodeDone(next, event.key, asObject(event.output), event.seq)
    case 'step.done':
    case 'step.failed':
      return stepEnded(next, event)
    default:
      return next
  }
}

function endSession(view: RunView, ts: number): RunView {
  const startedAt = view.sessionStartedAt ?? ts
  return { ...view, workedMs: view.workedMs + ts - startedAt, sessionStartedAt: undefined }
}

/** The part that a key belongs to. */
function partOf(key: string): Part | undefined {
  const branch = /^[^/]+\/research\[\d+\]\/branch\[(\d+)\]/.exec(key)
  if (branch !== null) return Number(branch[1]) - 1
  const [, node = ''] = /^[^/]+\/([^/[]+)/.exec(key) ?? []
  if (node === 'planner') return 'plan'
  if (node === 'expert') return 'answer'
  return node === 'verify' || node === 'finalizer' ? 'check' : undefined
}

function change(view: RunView, part: Part, by: (work: Work) => Partial<Work>): RunView {
  if (typeof part !== 'number') return { ...view, [part]: { ...view[part], ...by(view[part]) } }
  const work = view.research[part]
  if (work === undefined) return view
  return { ...view, research: view.research.with(part, { ...work, ...by(work) }) }
}

type Data = Readonly<Record<string, unknown>>

function nodeDone(view: RunView, key: string, patch: Data, seq: number): RunView {
  const top = /^[^/]+\/([^/[]+)\[\d+\]$/.exec(key)?.[1]
  const inner = /\/branch\[(\d+)\]\/[^/]+\/([^/[]+)\[\d+\]$/.exec(key)
  const branch = inner === null ? undefined : Number(inner[1]) - 1
  const node = top ?? inner?.[2]
  if (node === undefined) return view
  const { researchSteps } = asObject(patch.plan)
  const planned = Array.isArray(researchSteps)
    ? { ...view, research: researchSteps.map((text) => ({ ...untouched, text: String(text) })) }
    : view
  const reviewed = node === 'critic' ? judged(planned, patch, branch, seq) : planned
  const written =
    node === 'attempt' && branch !== undefined ? said(reviewed, branch, patch, seq) : reviewed
  const { atAgent } = asObject(patch.control)
  if (node === 'orchestrator' && typeof atAgent === 'string')
    return sentTo(written, atAgent, asObject(patch.research).index, branch)
  if (node === 'expert') return said(written, 'answer', patch, seq)
  return node === 'verify' ? change(written, 'check', () => ({ state: 'done' })) : written
}

/** What the orchestrator of the team, or of one research step, has begin next. */
function sentTo(view: RunView, agent: string, index: unknown, branch: number | undefined): RunView {
  const doing = () => ({ state: 'doing' }) as const
  const judging = () => ({ state: 'judging' }) as const
  const done = () => ({ state: 'done' }) as const
  if (branch !== undefined) {
    if (agent === '') return change(view, branch, done)
    return change(view, branch, agent.startsWith('critic') ? judging : doing)
  }
  switch (agent) {
    case 'planner':
      return change(view, 'plan', doing)
    case 'critic_planner':
      return change(view, 'plan', judging)
    case 'research':
      return eachStep(change(view, 'plan', done), doing)
    case 'researcher':
    case 'critic_researcher': {
      const at =
        typeof index === 'number' ? index : view.research.findIndex((work) => work.state !== 'done')
      const before = change(view, 'plan', done)
      const rest = {
        ...before,
        research: before.research.map((work, one) =>
          one < at ? { ...work, state: 'done' as const } : work,
        ),
      }
      return change(rest, at, agent === 'researcher' ? doing : judging)
    }
    case 'expert':
      return change(eachStep(change(view, 'plan', done), done), 'answer', doing)
    case 'critic_expert':
      return change(view, 'answer', judging)
    case 'finalizer':
    case 'verify':
      return change(change(eachStep(view, done), 'answer', done), 'check', doing)
    default:
      return view
  }
}

function eachStep(view: RunView, by: (work: Work) => Partial<Work>): RunView {
  return { ...view, research: view.research.map((work) => ({ ...work, ...by(work) })) }
}

function judged(view: RunView, patch: Data, branch: number | undefined, seq: number): RunView {
  const parts = ['plan', 'research', 'answer'] as const
  for (const name of parts) {
    const { decision, feedback } = asObject(patch[name])
    if (typeof decision !== 'string' || decision === '') continue
    const at = view.research.findIndex(({ state }) => state !== 'done')
    const part = name === 'research' ? (branch ?? at) : name
    const isApproved = decision === 'approve'
    const text = isApproved ? texts.run.approved : String(feedback ?? '')
    return change(view, part, (work) => ({
      isApproved,
      rejections: work.rejections + (isApproved ? 0 : 1),
      lines: [...work.lines, { seq, kind: 'critic', text }],
    }))
  }
  return view
}

function said(view: RunView, part: Part, patch: Data, seq: number): RunView {
  const { draft } = asObject(patch.answer)
  const [finding] = Object.values(asObject(asObject(patch.research).researchers))
  const text = part === 'answer' ? draft : asObject(finding).result
  if (typeof text !== 'string' || text === '') return view
  return change(view, part, ({ lines }) => ({ lines: [...lines, { seq, kind: 'said', text }] }))
}

function stepEnded(
  view: RunView,
  event: Extract<RunEvent, { type: 'step.done' | 'step.failed' }>,
): RunView {
  const { key, data, seq } = event
  const { usage, failure } = data
  const tool = /\/(?:tool\[\d+\]:)?([^/]+)\/call$/.exec(key)?.[1]
  if (usage === undefined && tool === undefined) return view
  const isPriced = view.costUsd !== null && usage?.costUsd !== null
  const counted = {
    ...view,
    calls: view.calls + 1,
    costUsd: isPriced ? (view.costUsd ?? 0) + (usage?.costUsd ?? 0) : null,
  }
  const part = partOf(key) ?? counted.research.findIndex(({ state }) => state === 'doing')
  if (tool === undefined) return counted
  const { query, passages, citation } = asObject(event.output)
  const found = Array.isArray(passages) ? passages.length : 0
  const isSearch = tool === 'search_library'
  const what = isSearch
    ? texts.run.searched(String(query ?? ''))
    : citation === undefined
      ? texts.run.used(tool)
      : texts.run.read(`[${citation}]`)
  const line: WorkLine = failure
    ? { seq, kind: 'failed', text: texts.run.failed(tool, failure.message) }
    : { seq, kind: 'did', text: found > 0 ? `${what}: ${texts.run.passages(found)}` : what }
  return change(counted, part, (work) => ({
    searches: work.searches + (isSearch ? 1 : 0),
    passages: work.passages + found,
    lines: [...work.lines, line],
  }))
}

function asObject(value: unknown): Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Data) : {}
}
