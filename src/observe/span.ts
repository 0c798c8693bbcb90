import { sha256 } from '../kernel/json.ts'

/** What a span represents: an execution of a run, a node of a graph, an agent at work, a model or tool call, or another step. */
export type SpanKind = 'workflow' | 'node' | 'agent' | 'model' | 'tool' | 'retrieval' | 'step'

/** How a span ended. `open`: the log has no end, because the process died, is still working, or waits for a person. */
export type SpanStatus = 'ok' | 'failed' | 'cancelled' | 'open'

/** Usage within a span, including everything it contains. */
export interface SpanUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  /** null if a model's price is unknown. */
  readonly costUsd: number | null
  readonly modelCalls: number
  readonly toolCalls: number
  /** Total time of its model calls. */
  readonly modelMs: number
}

/** Why a span failed. */
export interface SpanFailure {
  /** An {@link ErrorCode}, or `error` if only a message was recorded. */
  readonly code: string
  readonly message: string
}

/** A period of a run, projected from its log. Times are in milliseconds since 1970. */
export interface Span {
  /** 32 hexadecimal digits; one trace per run. */
  readonly traceId: string
  /** 16 hexadecimal digits; the same each time the log is projected. */
  readonly spanId: string
  /** null for an execution of the run, which has no parent. */
  readonly parentId: string | null
  readonly runId: string
  /** Its key in the log; empty for an execution. */
  readonly key: string
  readonly name: string
  readonly kind: SpanKind
  /** The execution of the run that it belongs to, from 1; each resume starts another. */
  readonly execution: number
  readonly startMs: number
  readonly endMs: number
  readonly status: SpanStatus
  readonly failure?: SpanFailure
  /** The agent that it belongs to, if any. */
  readonly agent?: string
  readonly attributes: Readonly<Record<string, string | number | boolean>>
  readonly usage: SpanUsage
  /** Set if it was recorded by the run that this fork branched off from. */
  readonly isShared?: true
}

/** No usage. */
export const noUsage: SpanUsage = {
  inputTokens: 0,
  outputTokens: 0,
  costUsd: 0,
  modelCalls: 0,
  toolCalls: 0,
  modelMs: 0,
}

/** The sum of both; a cost is unknown if either is. */
export function addUsage(left: SpanUsage, right: SpanUsage): SpanUsage {
  const isPriced = left.costUsd !== null && right.costUsd !== null
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    costUsd: isPriced ? (left.costUsd as number) + (right.costUsd as number) : null,
    modelCalls: left.modelCalls + right.modelCalls,
    toolCalls: left.toolCalls + right.toolCalls,
    modelMs: left.modelMs + right.modelMs,
  }
}

/** The trace id of a run: 32 hexadecimal digits. */
export function toTraceId(runId: string): string {
  return sha256(`trace ${runId}`).slice(0, 32)
}

/** A span's id: 16 hexadecimal digits. A key is unique within an execution, and each execution has its own epoch. */
export function toSpanId(runId: string, place: string, epoch: number): string {
  return sha256(`span ${runId} ${epoch} ${place}`).slice(0, 16)
}

/** The sum of the calls' usage; equals `sumAccounts` of the run's log. */
export function sumUsage(spans: Iterable<Span>): SpanUsage {
  let usage = noUsage
  for (const span of spans) {
    const isCall = span.kind === 'model' || span.kind === 'tool' || span.kind === 'retrieval'
    if (isCall && span.isShared !== true) usage = addUsage(usage, span.usage)
  }
  return usage
}
