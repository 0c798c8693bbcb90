import { type EventType, isStepEnd, type RunEvent, type StepEvent } from '../../kernel/run/event.ts'
import { calledTool } from './run-view.ts'

/** A node of a run: its duration and its calls. */
export interface TimelineEntry {
  /** With its visit: `researcher[2]`. */
  readonly node: string
  readonly durationMs: number
  readonly modelCalls: number
  readonly toolCalls: number
  /** Whether a fork shares it with its parent, which counts it. */
  readonly isShared?: true
}

/** Model and tool calls. */
export type Calls = Pick<TimelineEntry, 'modelCalls' | 'toolCalls'>

interface Span {
  readonly entry: TimelineEntry
  readonly seq: number
}

/** The nodes of a run's own graph in order, from its log without outputs; without what a later session took back. */
export function buildTimeline(events: readonly RunEvent[]): readonly TimelineEntry[] {
  let spans: readonly Span[] = []
  let startedAt = 0
  let calls = none
  for (const event of events) {
    const { type, key, ts, seq } = event
    if (beginnings.includes(type)) {
      const from = event.type === 'run.resumed' ? event.data.rewindToSeq : null
      if (from !== null) spans = spans.filter((span) => span.seq <= from)
      if (type === 'run.forked')
        spans = spans.map(({ seq: at, entry }) => ({
          seq: at,
          entry: { ...entry, isShared: true },
        }))
      startedAt = ts
    }
    if (isStepEnd(event)) calls = withCall(calls, event)
    if (type !== 'node.done' || key.split('/').length !== 2) continue
    const node = key.slice(key.indexOf('/') + 1)
    spans = [...spans, { seq, entry: { node, durationMs: ts - startedAt, ...calls } }]
    startedAt = ts
    calls = none
  }
  return spans.map(({ entry }) => entry)
}

/** Calls outside a timeline's nodes: of nodes that were taken back or did not end. */
export function countOtherCalls(
  events: readonly RunEvent[],
  timeline: readonly TimelineEntry[],
): Calls {
  const all = events.filter((event) => isStepEnd(event)).reduce(withCall, none)
  const sum = (count: (entry: TimelineEntry) => number) =>
    timeline.reduce((total, entry) => total + count(entry), 0)
  return {
    modelCalls: all.modelCalls - sum(({ modelCalls }) => modelCalls),
    toolCalls: all.toolCalls - sum(({ toolCalls }) => toolCalls),
  }
}

const none: Calls = { modelCalls: 0, toolCalls: 0 }

/** The time before these was a pause. */
const beginnings: readonly EventType[] = ['run.started', 'run.resumed', 'run.forked']

function withCall(calls: Calls, event: StepEvent): Calls {
  if (calledTool(event.key) !== '') return { ...calls, toolCalls: calls.toolCalls + 1 }
  const isModelCall = event.data.usage !== undefined
  return isModelCall ? { ...calls, modelCalls: calls.modelCalls + 1 } : calls
}
