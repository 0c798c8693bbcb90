import type { Json, JsonObject } from '../kernel/json.ts'
import type { RunContext } from '../kernel/run/run-context.ts'

/** The techniques that record a trace. */
export type ReasoningAction = 'cot' | 'react' | 'self_correct' | 'decompose'

/** One thing that happened on the way to an answer. */
export type TraceEntry = {
  /** From 1 within the trace; for ReAct, the step that the entry belongs to. */
  readonly step: number
  /** What was done: `think`, `act`, `generate`, `critique`, `improve`, `split`, `solve`, `synthesize`. */
  readonly kind: string
  /** When it was done, in milliseconds since 1970, by the run's clock. */
  readonly timestampMs: number
  /** The result. */
  readonly data: JsonObject
}

/** A technique's work as a span with its entries; the same in each execution of a run. */
export type ReasoningTrace = {
  /** 16 hexadecimal digits. */
  readonly spanId: string
  readonly actionType: ReasoningAction
  /** In milliseconds since 1970, by the run's clock. */
  readonly startMs: number
  readonly endMs: number
  readonly entries: readonly TraceEntry[]
}

/** Receives each entry when it is created, and again in a replay; use {@link traceLine} to write a file. */
export type TraceListener = (entry: TraceEntry) => void | Promise<void>

/** Records the trace of one piece of work. */
export class TraceRecorder {
  private readonly context: RunContext
  private readonly span: Pick<ReasoningTrace, 'spanId' | 'actionType' | 'startMs'>
  private readonly listener: TraceListener | undefined
  private readonly entries: TraceEntry[] = []

  private constructor(
    context: RunContext,
    span: Pick<ReasoningTrace, 'spanId' | 'actionType' | 'startMs'>,
    listener: TraceListener | undefined,
  ) {
    this.context = context
    this.span = span
    this.listener = listener
  }

  /** Creates a recorder whose span starts now; reading the clock is the step `begun`. */
  static async begin(
    context: RunContext,
    actionType: ReasoningAction,
    listener?: TraceListener,
  ): Promise<TraceRecorder> {
    const { clock } = context.services
    const startMs = await context.step('begun', 'pure', actionType, async () => clock.now())
    return new TraceRecorder(context, { spanId: context.id('span'), actionType, startMs }, listener)
  }

  /** Adds an entry for what was just done, or was done at an earlier time. */
  async add(
    kind: string,
    data: JsonObject,
    { step = this.entries.length + 1, timestampMs = this.context.now() }: Partial<TraceEntry> = {},
  ): Promise<void> {
    const entry: TraceEntry = { step, kind, timestampMs, data }
    this.entries.push(entry)
    await this.listener?.(entry)
  }

  /** The trace, which ends with the last entry. */
  end(): ReasoningTrace {
    const endMs = Math.max(this.span.startMs, this.context.now())
    return { ...this.span, endMs, entries: [...this.entries] }
  }
}

/** An entry as a flat object: `{step, timestamp, kind, …}`, the time in ISO 8601. */
export function toTraceItem({ step, kind, timestampMs, data }: TraceEntry): JsonObject {
  return { ...data, step, timestamp: isoTime(timestampMs), kind }
}

/** A trace as a list: `[{step, timestamp, kind, …}]`. */
export function toTraceList(trace: ReasoningTrace): readonly JsonObject[] {
  return trace.entries.map(toTraceItem)
}

/** A trace as an object: `{span_id, action_type, start_time, end_time, duration_ms, entries}`. */
export function toTraceObject(trace: ReasoningTrace): JsonObject {
  const { spanId, actionType, startMs, endMs } = trace
  return {
    span_id: spanId,
    action_type: actionType,
    start_time: isoTime(startMs),
    end_time: isoTime(endMs),
    duration_ms: endMs - startMs,
    entries: toTraceList(trace),
  }
}

/** An entry as one line of NDJSON, including the line end, without null characters or other line breaks. */
export function traceLine(entry: TraceEntry): string {
  const text = JSON.stringify(withoutNulls(toTraceItem(entry)))
  return `${text.replaceAll(/[\u0085\u2028\u2029]/g, escaped)}\n`
}

/** A whole trace as NDJSON, one line per entry. */
export function toNdjson(trace: ReasoningTrace): string {
  return trace.entries.map(traceLine).join('')
}

/**
 * Writes entries as lines to a sink. The next entry is requested only after the last one was accepted, so only one is held in
 * memory.
 * @returns the number of entries
 */
export async function writeTrace(
  entries: Iterable<TraceEntry> | AsyncIterable<TraceEntry>,
  sink: (line: string) => void | Promise<void>,
): Promise<number> {
  let count = 0
  for await (const entry of entries) {
    await sink(traceLine(entry))
    count++
  }
  return count
}

function withoutNulls(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll('\0', '')
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withoutNulls)
  const entries = Object.entries(value).flatMap(([key, item]) =>
    item === undefined ? [] : [[key.replaceAll('\0', ''), withoutNulls(item)] as const],
  )
  return Object.fromEntries(entries)
}

function isoTime(timeMs: number): string {
  return new Date(timeMs).toISOString()
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
