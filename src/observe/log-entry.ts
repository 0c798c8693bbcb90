import { isOfStep, type RunEvent } from '../kernel/run/event.ts'
import { cutText } from '../kernel/text/cut-text.ts'
import { callFacts } from './event-facts.ts'
import type { SpanKind } from './span.ts'

/** An event in a list: what it is about, without inputs and outputs. */
export interface LogEntry {
  readonly seq: number
  /** In milliseconds since 1970. */
  readonly ts: number
  readonly type: string
  readonly key: string
  /** Of a step. */
  readonly kind?: SpanKind
  readonly name?: string
  readonly startedAt?: number
  readonly role?: string
  readonly model?: string
  readonly inputTokens?: number
  readonly outputTokens?: number
  /** Absent if it is unknown. */
  readonly costUsd?: number
  /** Whether it waited for a person. */
  readonly isPause?: true
  /** A failure, a notice, or how the run ended; at most 300 characters. */
  readonly text?: string
}

const maxTextLength = 300

/** An event for a list. Of events, only starts of steps need their outputs. */
export function toLogEntry(event: RunEvent): LogEntry {
  const { seq, ts, type, key } = event
  const text = textOf(event)
  const said = text === undefined ? {} : { text: cutText(text, maxTextLength) }
  if (!isOfStep(event)) return { seq, ts, type, key, ...said }
  const { startedAt, usage, isPause } = event.data
  const { kind, name, attributes } = callFacts(event, undefined)
  const { role, model } = attributes
  return {
    seq,
    ts,
    type,
    key,
    kind,
    name,
    ...(startedAt !== undefined && { startedAt }),
    ...(typeof role === 'string' && { role }),
    ...(typeof model === 'string' && { model }),
    ...(usage && { inputTokens: usage.inputTokens, outputTokens: usage.outputTokens }),
    ...(typeof usage?.costUsd === 'number' && { costUsd: usage.costUsd }),
    ...(isPause === true && { isPause }),
    ...said,
  }
}

function textOf(event: RunEvent): string | undefined {
  switch (event.type) {
    case 'notice':
      return event.data.text
    case 'run.finished':
      return event.data.status
    case 'run.suspended':
    case 'limit.reached':
      return event.data.failure.message
    case 'step.failed':
    case 'step.cancelled':
    case 'step.outcome_unknown':
      return event.data.failure?.message
    default:
      return undefined
  }
}
