import type { Failure } from '../../kernel/errors.ts'
import {
  type EventOf,
  isStepEnd,
  type LiveEvent,
  type RunEvent,
  type StepEvent,
} from '../../kernel/run/event.ts'
import { describeToolCall } from '../progress/describe-step.ts'
import { asObject } from '../render/as-object.ts'
import {
  calledTool,
  changeStep,
  changeWork,
  emptyView,
  type RunView,
  researchBranch,
  type Work,
} from '../render/run-view.ts'
import { findDisplayOfEvent } from './displays.ts'

/** The view of a recorded log, without what a later session took back. */
export function buildView(events: readonly RunEvent[]): RunView {
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
  const { reduceNode } = findDisplayOfEvent(event)
  if ('transient' in event) return reduceNode?.(view, event) ?? view
  const known = { ...view, runId: event.runId }
  if (isStepEnd(event)) return stepEnded(known, event)
  switch (event.type) {
    case 'node.done':
      return reduceNode?.(known, event) ?? known
    case 'run.started':
      return { ...known, question: String(asObject(event.output).question ?? '') }
    case 'run.forked':
      return { ...(reduceNode?.(known, event) ?? known), limit: null }
    case 'run.resumed':
      return { ...known, limit: null }
    case 'limit.reached':
      return { ...known, limit: readLimit(event) ?? known.limit }
    default:
      return known
  }
}

/** The limit that an event reports, unless it is the limit of a part, which ends only that part. */
function readLimit({ data: { failure } }: EventOf<'limit.reached'>): Failure | undefined {
  return failure.details?.part === undefined ? failure : undefined
}

function stepEnded(view: RunView, event: StepEvent): RunView {
  const { usage, failure } = event.data
  const tool = calledTool(event.key)
  // Work after a failure, such as checking the findings so far, does not undo it; another model call does.
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
