import type { JsonObject } from '../kernel/json.ts'
import {
  type EventOf,
  isStepEnd,
  type RunEvent,
  type StepEvent,
  type StepFacts,
} from '../kernel/run/event.ts'
import {
  beginningFacts,
  callFacts,
  isBeginning,
  isModelStep,
  readUsage,
  shortFailure,
  stepStatuses,
} from './event-facts.ts'
import {
  addUsage,
  noUsage,
  type Span,
  type SpanFailure,
  type SpanStatus,
  type SpanUsage,
  toSpanId,
  toTraceId,
} from './span.ts'
import { findTopNode, type Holder, nodeName, parseSpanPath } from './span-path.ts'

/** Options for projecting a log. */
export interface SpanOptions {
  /** For a fork: the last event that belongs to the run it branched off from. Default 0. */
  readonly sharedSeq?: number
  /** Events that began earlier executions, if the events do not start with the log's first. */
  readonly earlier?: readonly RunEvent[]
}

/**
 * Projects a log to spans. Each is emitted when it ends, so a span follows the spans it contains. Takes events in log order;
 * outputs are needed only for `step.started` and `run.*`. Memory does not grow with the log.
 */
export async function* buildSpans(
  events: AsyncIterable<RunEvent> | Iterable<RunEvent>,
  options: SpanOptions = {},
): AsyncGenerator<Span> {
  const fold = new SpanFold(options)
  for await (const event of events) yield* fold.add(event)
  yield* fold.end()
}

interface Begun {
  readonly startMs: number
  readonly event: RunEvent
}

/** The projection, one event at a time; each call returns the spans that ended. */
export class SpanFold {
  private readonly sharedSeq: number
  private readonly open = new Map<string, OpenSpan>()
  /** Steps that have started and not ended. */
  private readonly begun = new Map<string, Begun>()
  private readonly traceIds = new Map<string, string>()
  private last: RunEvent | undefined
  private executions = 0
  private isBegun = false
  private workflow = ''
  private labels: Readonly<Record<string, string>> = {}

  constructor({ sharedSeq = 0, earlier = [] }: SpanOptions = {}) {
    this.sharedSeq = sharedSeq
    for (const event of earlier) this.count(event)
  }

  /** The spans that ended with this event. */
  add(event: RunEvent): readonly Span[] {
    const ended = this.take(event)
    this.last = event
    return ended
  }

  /** Number of open spans, which are kept in memory. */
  get openCount(): number {
    return this.open.size + this.begun.size
  }

  /** The spans still open at the end of the log. */
  end(): readonly Span[] {
    return this.closeRun('open', undefined)
  }

  private take(event: RunEvent): readonly Span[] {
    if (isBeginning(event)) {
      const left = this.end()
      this.begin(event)
      return left
    }
    if (!this.isBegun) this.begin(event)
    if (this.open.size === 0) return this.hearLate(event)
    if (event.type === 'step.started') {
      const { startedAt: startMs = event.ts } = event.data
      this.begun.set(event.key, { startMs, event })
      this.holderOf(event, startMs)
      return []
    }
    if (isStepEnd(event) || event.type === 'limit.reached') return this.endStep(event)
    if (event.type === 'node.done') return this.endNode(event)
    if (event.type === 'notice') this.hearNotice(event)
    if (event.type === 'run.finished') return this.finish(event)
    if (event.type === 'run.suspended') return this.suspend(event)
    return []
  }

  private begin(event: RunEvent): void {
    const { key } = event
    this.isBegun = true
    this.count(event)
    if (this.workflow === '') this.workflow = key.split('/')[0] ?? ''
    const root = this.rootOf(event)
    Object.assign(root.attributes, beginningFacts(event, this.labels))
    this.open.set('', root)
  }

  private count(event: RunEvent): void {
    this.executions = event.type === 'run.forked' ? 1 : this.executions + 1
    if (isBeginning(event)) this.labels = { ...this.labels, ...event.data.labels }
    if (event.type === 'run.started') this.workflow = event.data.workflow
  }

  private rootOf({ runId, epoch, ts }: RunEvent): OpenSpan {
    const holder = { ...parseSpanPath([this.workflow], false).holders[0] } as Holder
    return new OpenSpan(holder, toSpanId(runId, '', epoch), undefined, ts)
  }

  /** A call that ended after its execution, which other failures had stopped. */
  private hearLate(event: RunEvent): readonly Span[] {
    return isStepEnd(event) ? this.endStep(event, this.rootOf(event)) : []
  }

  private endStep(event: StepEvent | EventOf<'limit.reached'>, parent?: OpenSpan): readonly Span[] {
    const { type, key, ts } = event
    const { startedAt, failure: failed }: Partial<StepFacts> = event.data
    const begun = this.begun.get(key)
    this.begun.delete(key)
    const startMs = Math.min(startedAt ?? begun?.startMs ?? ts, ts)
    const status = stepStatuses[type] ?? 'failed'
    const failure = failed === undefined ? undefined : shortFailure(failed)
    return [this.callSpan(event, begun?.event, { startMs, endMs: ts, status, failure }, parent)]
  }

  private callSpan(
    event: RunEvent,
    started: RunEvent | undefined,
    outcome: Pick<OpenSpan, 'startMs' | 'status' | 'failure'> & { readonly endMs: number },
    known?: OpenSpan,
  ): Span {
    const { startMs, endMs, status, failure } = outcome
    const { kind, name, attributes, role } = callFacts(event, started)
    const isModel = kind === 'model'
    const held = known && { parent: known, turn: undefined }
    const { parent, turn } = held ?? this.holderOf(event, startMs, isModel)
    if (isModel && parent.holder.kind === 'agent') parent.agent ??= role ?? findTopNode(event.key)
    const usage = readUsage(event, kind, endMs - startMs)
    parent.absorb(endMs, usage)
    for (let at: OpenSpan | undefined = parent; at !== undefined; at = at.parent)
      at.hear(isModel && at === parent, status, failure)
    return this.span(event, {
      spanId: toSpanId(event.runId, event.key, event.epoch),
      parentId: parent.spanId,
      key: event.key,
      name,
      kind,
      startMs,
      endMs,
      status,
      failure,
      agent: role ?? findAgent(parent),
      attributes: { ...attributes, ...(turn === undefined ? {} : { turn }) },
      usage,
    })
  }

  private endNode(event: EventOf<'node.done'>): readonly Span[] {
    const { key, ts, data } = event
    const { parent: node } = this.holderOf({ ...event, key: `${key}/` }, ts, false)
    if (data.branches !== undefined) node.attributes.branches = data.branches
    if (node.holder.place !== key) return []
    return this.close(node, ts, event)
  }

  /** Only a node whose work failed for good reports a failure; recovered failures do not count. */
  private hearNotice(event: EventOf<'notice'>): void {
    if (event.data.level !== 'error') return
    const { parent } = this.holderOf(event, event.ts)
    parent.status = 'failed'
    const code = parent.lastFailure?.code ?? 'error'
    parent.failure = { code, message: event.data.text }
  }

  private finish(event: EventOf<'run.finished'>): readonly Span[] {
    const { status } = event.data
    const root = this.open.get('') as OpenSpan
    root.attributes.status = status
    const { stopReason } = (event.output ?? {}) as JsonObject
    if (typeof stopReason === 'string') root.attributes.stopReason = stopReason
    const isFailed = status === 'failed'
    return this.closeRun(isFailed ? 'failed' : 'ok', isFailed ? root.lastFailure : undefined, event)
  }

  private suspend(event: EventOf<'run.suspended'>): readonly Span[] {
    const { failure } = event.data
    const { code } = failure
    const status = code === 'cancelled' ? 'cancelled' : code === 'waiting' ? 'open' : 'failed'
    return this.closeRun(status, shortFailure(failure), event)
  }

  /** Closes all open spans at the last known time of this execution. */
  private closeRun(
    status: SpanStatus,
    failure: SpanFailure | undefined,
    event = this.last,
  ): readonly Span[] {
    const root = this.open.get('')
    if (root === undefined || event === undefined) return []
    const lost = [...this.begun.values()].map((begun) =>
      this.callSpan(begun.event, begun.event, {
        startMs: begun.startMs,
        endMs: event.ts,
        status: 'open',
        failure: undefined,
      }),
    )
    this.begun.clear()
    for (const span of this.open.values()) {
      if (span === root || (status !== 'ok' && span.status === 'ok')) span.status = status
      if (span === root && failure !== undefined) span.failure = failure
    }
    return [...lost, ...this.close(root, event.ts, event)]
  }

  private close(span: OpenSpan, endMs: number, event: RunEvent): readonly Span[] {
    const { holder, parent, startMs } = span
    const inner = [...span.children].flatMap((child) => this.close(child, endMs, event))
    const ended = holder.kind === 'agent' ? span.reachedMs : endMs
    this.open.delete(holder.place)
    parent?.children.delete(span)
    parent?.absorb(ended, span.usage)
    const agent = span.agent ?? findTopNode(holder.key)
    const closed = this.span(event, {
      spanId: span.spanId,
      parentId: parent?.spanId ?? null,
      key: holder.key,
      name: holder.kind === 'agent' ? agent : holder.name,
      kind: holder.kind,
      startMs,
      endMs: Math.max(startMs, ended),
      status: span.status,
      failure: span.failure,
      agent: holder.kind === 'agent' ? agent : undefined,
      attributes: span.attributes,
      usage: span.usage,
    })
    return [...inner, closed]
  }

  /** The span that contains an event, opened if this is the first event in it. */
  private holderOf(
    event: RunEvent,
    fromMs: number,
    isModel = isModelStep(event),
  ): { readonly parent: OpenSpan; readonly turn: number | undefined } {
    const segments = event.key.split('/').slice(0, -1)
    const { holders, turn } = parseSpanPath(segments, isModel)
    let parent = this.open.get('') as OpenSpan
    for (const holder of holders.slice(1)) parent = this.reach(holder, parent, event, fromMs)
    return { parent, turn }
  }

  private reach(holder: Holder, parent: OpenSpan, event: RunEvent, fromMs: number): OpenSpan {
    const known = this.open.get(holder.place)
    if (known !== undefined) return known
    // The log records no start of a node: it started when the previous one at its position ended.
    const afterMs = holder.isParallel ? parent.startMs : parent.reachedMs
    const startMs = Math.min(fromMs, holder.kind === 'agent' ? fromMs : afterMs)
    const spanId = toSpanId(event.runId, holder.place, event.epoch)
    const span = new OpenSpan(holder, spanId, parent, Math.max(startMs, parent.startMs))
    if (holder.kind === 'node') span.attributes.node = nodeName(holder.name)
    this.open.set(holder.place, span)
    return span
  }

  /** The trace id of a run; computed once, since the log of a fork has few runs. */
  private traceIdOf(runId: string): string {
    const known = this.traceIds.get(runId) ?? toTraceId(runId)
    this.traceIds.set(runId, known)
    return known
  }

  private span(
    { runId, seq }: RunEvent,
    facts: Omit<Span, 'traceId' | 'runId' | 'execution' | 'isShared' | 'failure' | 'agent'> & {
      readonly failure: SpanFailure | undefined
      readonly agent: string | undefined
    },
  ): Span {
    const { failure, agent, ...others } = facts
    return {
      traceId: this.traceIdOf(runId),
      runId,
      execution: this.executions,
      ...others,
      ...(failure === undefined ? {} : { failure }),
      ...(agent === undefined ? {} : { agent }),
      ...(seq <= this.sharedSeq ? { isShared: true } : {}),
    }
  }
}

function findAgent(span: OpenSpan): string | undefined {
  return span.holder.kind === 'agent' ? (span.agent ?? findTopNode(span.holder.key)) : undefined
}

/** A span whose end is not known yet. */
class OpenSpan {
  readonly holder: Holder
  readonly spanId: string
  readonly parent: OpenSpan | undefined
  readonly startMs: number
  readonly children = new Set<OpenSpan>()
  readonly attributes: Record<string, string | number | boolean> = {}
  /** When the last span inside it ended. */
  reachedMs: number
  usage: SpanUsage = noUsage
  status: SpanStatus = 'ok'
  failure: SpanFailure | undefined
  /** The failure of the last call in it; it counts only if something reports that it was not recovered. */
  lastFailure: SpanFailure | undefined
  agent: string | undefined

  constructor(holder: Holder, spanId: string, parent: OpenSpan | undefined, startMs: number) {
    this.holder = holder
    this.spanId = spanId
    this.parent = parent
    this.startMs = startMs
    this.reachedMs = startMs
    parent?.children.add(this)
  }

  /** Adds the end and usage of a span inside it. */
  absorb(endMs: number, usage: SpanUsage): void {
    this.reachedMs = Math.max(this.reachedMs, endMs)
    this.usage = addUsage(this.usage, usage)
  }

  /** Records the outcome of a call in it: an agent has the status of its last model call. */
  hear(isModel: boolean, status: SpanStatus, failure: SpanFailure | undefined): void {
    this.lastFailure = failure ?? this.lastFailure
    if (this.holder.kind !== 'agent' || !isModel) return
    this.status = status
    this.failure = failure
  }
}
