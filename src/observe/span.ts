import { sha256 } from '../kernel/json.ts'

/** What a span stands for: a run's execution, a node of a graph, an agent at work, a call of a model or a tool, or another step. */
export type SpanKind = 'workflow' | 'node' | 'agent' | 'model' | 'tool' | 'retrieval' | 'step'

/** How a span ended; `open`: the log has no end of it, because the process died, still works, or waits for a person. */
export type SpanStatus = 'ok' | 'failed' | 'cancelled' | 'open'

/** What was used up in a span, all that lies inside it included. */
export interface SpanUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  /** null: the price of a model is not known. */
  readonly costUsd: number | null
  readonly modelCalls: number
  readonly toolCalls: number
  /** The times of its model calls added up. */
  readonly modelMs: number
}

/** Why a span did not end well. */
export interface SpanFailure {
  /** As of {@link ErrorCode}, or `error` where only words are recorded. */
  readonly code: string
  readonly message: string
}

/** A stretch of a run's time, projected from its log. Times in milliseconds since 1970. */
export interface Span {
  /** 32 hexadecimal digits; one for each run. */
  readonly traceId: string
  /** 16 hexadecimal digits, the same whenever the same log is projected. */
  readonly spanId: string
  /** null: an execution of the run, which has no parent. */
  readonly parentId: string | null
  readonly runId: string
  /** Its key in the log; empty for an execution. */
  readonly key: string
  readonly name: string
  readonly kind: SpanKind
  /** Which execution of the run: 1, and one more for each time that it was gone on with. */
  readonly execution: number
  readonly startMs: number
  readonly endMs: number
  readonly status: SpanStatus
  readonly failure?: SpanFailure
  /** The agent that it belongs to, where there is one. */
  readonly agent?: string
  readonly attributes: Readonly<Record<string, string | number | boolean>>
  readonly usage: SpanUsage
  /** Of a fork: recorded by the run that it left. */
  readonly isShared?: true
}

/** Nothing used. */
export const noUsage: SpanUsage = {
  inputTokens: 0,
  outputTokens: 0,
  costUsd: 0,
  modelCalls: 0,
  toolCalls: 0,
  modelMs: 0,
}

/** Both together; a cost is unknown where one of them is. */
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

/** The trace that a run's spans belong to: 32 hexadecimal digits. */
export function traceIdOf(runId: string): string {
  return sha256(`trace ${runId}`).slice(0, 32)
}

/** A span's id: 16 hexadecimal digits. A key is used once in an execution, and an execution has its own epoch. */
export function spanIdOf(runId: string, place: string, epoch: number): string {
  return sha256(`span ${runId} ${epoch} ${place}`).slice(0, 16)
}

/** What spans used, added up from the calls alone: equal to `accountsOf` of the run's log. */
export function sumUsage(spans: Iterable<Span>): SpanUsage {
  let usage = noUsage
  for (const span of spans) {
    const isCall = span.kind === 'model' || span.kind === 'tool' || span.kind === 'retrieval'
    if (isCall && span.isShared !== true) usage = addUsage(usage, span.usage)
  }
  return usage
}
