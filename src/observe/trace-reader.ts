import { ScholiumError } from '../kernel/errors.ts'
import type { RunStatus } from '../kernel/run/event.ts'
import type { RunRecord, RunStore } from '../kernel/run/run-store.ts'
import { eventsForSpans } from './read-events.ts'
import {
  addUsage,
  noUsage,
  type Span,
  type SpanFailure,
  type SpanUsage,
  toTraceId,
} from './span.ts'
import { buildSpans } from './spans.ts'

/** Selects runs; all conditions must hold. */
export interface TraceFilter {
  /** Only this run. */
  readonly runId?: string
  readonly session?: string
  readonly user?: string
  /** Only runs in which this agent worked. */
  readonly agent?: string
  /** Only runs started at or after this time, in milliseconds since 1970. */
  readonly sinceMs?: number
  /** Only runs started before this time, in milliseconds since 1970. */
  readonly untilMs?: number
  /** Maximum number of runs, the newest. Default: all. */
  readonly limit?: number
}

/** The trace of a run. */
export interface Trace {
  readonly traceId: string
  readonly runId: string
  readonly workflow: string
  readonly title: string
  readonly status: RunStatus
  readonly sessionId: string | null
  readonly userId: string | null
  /** Start time, in milliseconds since 1970. */
  readonly startMs: number
  /** Working time, without the pauses between executions. */
  readonly durationMs: number
  readonly executions: number
  readonly usage: SpanUsage
  /** The agents that worked, in order of their first work. */
  readonly agents: readonly string[]
  readonly failure?: SpanFailure
  /** For a fork: the run it branched off from, whose work is not counted here. */
  readonly parentRunId?: string
}

/** Reads traces from a log; nothing is stored apart from the log. */
export class TraceReader {
  private readonly store: RunStore

  constructor(store: RunStore) {
    this.store = store
  }

  /**
   * The traces of runs, newest first.
   * @param collect creates a listener for each run, which receives the run's spans before its trace is returned
   */
  async *traces(
    filter: TraceFilter = {},
    collect?: () => (span: Span) => void,
  ): AsyncGenerator<Trace> {
    let left = filter.limit ?? Infinity
    for (const record of await this.records(filter)) {
      if (left <= 0) return
      const trace = await this.traceOf(record, filter, collect?.())
      if (trace === undefined) continue
      left--
      yield trace
    }
  }

  /** {@link traces} as a list. */
  list(filter: TraceFilter = {}): Promise<readonly Trace[]> {
    return Array.fromAsync(this.traces(filter))
  }

  /**
   * The trace of a run, by run id or trace id.
   * @throws `run_not_found`
   */
  async get(id: string): Promise<Trace> {
    const record = await this.recordOf(id)
    return (await this.traceOf(record, {})) as Trace
  }

  /**
   * A run's trace with all its spans, in one pass over its log.
   * @throws `run_not_found`
   */
  async read(id: string): Promise<{ readonly trace: Trace; readonly spans: readonly Span[] }> {
    const spans: Span[] = []
    const record = await this.recordOf(id)
    const trace = (await this.traceOf(record, {}, (span) => spans.push(span))) as Trace
    return { trace, spans }
  }

  /**
   * A run's spans, each when it ends; a span follows those it contains.
   * @throws `run_not_found`
   */
  async *spans(id: string): AsyncGenerator<Span> {
    yield* this.spansOfRecord(await this.recordOf(id))
  }

  /** An agent's spans, one for each time it worked, run by run, newest run first. */
  async *agentSpans(agent: string, filter: TraceFilter = {}): AsyncGenerator<Span> {
    for await (const span of this.ownSpans({ ...filter, agent }))
      if (span.kind === 'agent' && span.agent === agent) yield span
  }

  /** Model calls, run by run, newest run first; only those of one agent if the filter names it. */
  async *modelCalls(filter: TraceFilter = {}): AsyncGenerator<Span> {
    const { agent } = filter
    for await (const span of this.ownSpans(filter))
      if (span.kind === 'model' && (agent === undefined || span.agent === agent)) yield span
  }

  private async *ownSpans(filter: TraceFilter): AsyncGenerator<Span> {
    for await (const { runId } of this.traces(filter))
      for await (const span of this.spans(runId)) if (span.isShared !== true) yield span
  }

  private async *spansOfRecord({ runId, parent }: RunRecord): AsyncGenerator<Span> {
    const sharedSeq = parent?.seq ?? 0
    yield* buildSpans(eventsForSpans(this.store, runId), { sharedSeq })
  }

  private async records({ runId, sinceMs = 0, untilMs = Infinity }: TraceFilter) {
    if (runId !== undefined) return [await this.store.get(runId)]
    const records = await this.store.list()
    return records.filter(({ createdAt }) => createdAt >= sinceMs && createdAt < untilMs)
  }

  private async recordOf(id: string): Promise<RunRecord> {
    if (!/^[0-9a-f]{32}$/.test(id)) return this.store.get(id)
    const found = (await this.store.list()).find(({ runId }) => toTraceId(runId) === id)
    if (found !== undefined) return found
    throw new ScholiumError('run_not_found', `There is no trace ${id}.`, {
      hint: 'List them with: scholium trace stats',
    })
  }

  /** A run's trace, or `undefined` if the filter excludes it. */
  private async traceOf(
    record: RunRecord,
    filter: TraceFilter,
    hear: (span: Span) => void = () => {},
  ): Promise<Trace | undefined> {
    const { session, user } = await this.labelsOf(record.runId)
    if (filter.session !== undefined && filter.session !== session) return undefined
    if (filter.user !== undefined && filter.user !== user) return undefined
    const sum = new TraceSum()
    for await (const span of this.spansOfRecord(record)) {
      sum.add(span)
      hear(span)
    }
    if (filter.agent !== undefined && !sum.agents.has(filter.agent)) return undefined
    const { runId, workflow, title, status, createdAt, parent } = record
    return {
      traceId: toTraceId(runId),
      runId,
      workflow,
      title,
      status,
      sessionId: session ?? null,
      userId: user ?? null,
      startMs: createdAt,
      durationMs: sum.durationMs,
      executions: sum.executions,
      usage: sum.usage,
      agents: [...sum.agents],
      ...(sum.failure === undefined ? {} : { failure: sum.failure }),
      ...(parent === undefined ? {} : { parentRunId: parent.runId }),
    }
  }

  private async labelsOf(runId: string): Promise<{ session?: string; user?: string }> {
    let labels = {}
    const filter = {
      types: ['run.started', 'run.resumed', 'run.forked'],
      withOutput: false,
    } as const
    for await (const { data } of this.store.events(runId, filter))
      labels = { ...labels, ...data.labels }
    return labels
  }
}

class TraceSum {
  durationMs = 0
  executions = 0
  usage = noUsage
  failure: SpanFailure | undefined
  readonly agents = new Set<string>()

  add({ kind, isShared, agent, startMs, endMs, usage, failure }: Span): void {
    if (isShared === true) return
    if (kind === 'agent' && agent !== undefined) this.agents.add(agent)
    if (kind !== 'workflow') return
    this.executions++
    this.durationMs += endMs - startMs
    this.usage = addUsage(this.usage, usage)
    this.failure = failure
  }
}
