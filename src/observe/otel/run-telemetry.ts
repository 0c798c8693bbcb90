import type { RunEvent } from '../../kernel/run/event.ts'
import type { RunStore } from '../../kernel/run/run-store.ts'
import { beginnings, isBeginning } from '../execution-facts.ts'
import type { Span } from '../span.ts'
import { spanIdOf, traceIdOf } from '../span.ts'
import { SpanFold } from '../spans.ts'
import { contentOf, questionOf } from './content.ts'
import { evaluationEvents } from './evaluation.ts'
import { forLangfuse } from './langfuse.ts'
import type { Attributes, OtelSpan } from './otel-span.ts'
import type { SpanSender } from './sender.ts'
import { toOtelSpan } from './to-otel-span.ts'

/** A sender and the form in which its collector wants spans. */
export interface Outlet {
  readonly form: 'otlp' | 'langfuse'
  readonly sender: SpanSender
}

/** What a run's spans are made with. */
export interface RunTelemetryOptions {
  readonly store: RunStore
  readonly outlets: readonly Outlet[]
  readonly hasContent: boolean
  /** Whether the run is going on: then spans are dropped rather than waited with. */
  readonly isLive: boolean
  /** Of a fork: up to which event the log is another run's, whose spans are not sent again. */
  readonly sharedSeq?: number
}

/** One run on its way to the collectors: takes its events in order, from the log or as they happen. */
export class RunTelemetry {
  private readonly options: RunTelemetryOptions
  private fold: SpanFold | undefined
  private title: string | undefined
  /** The starts of steps that have not ended, for what they were asked; only with content. */
  private readonly started = new Map<string, RunEvent>()
  private root: RunEvent | undefined
  /** The last fork of the log that asks another question. */
  private forked: RunEvent | undefined
  private session: string | undefined
  private user: string | undefined

  constructor(options: RunTelemetryOptions) {
    this.options = options
  }

  /** Takes an event and sends the spans that ended with it. */
  async hear(event: RunEvent): Promise<void> {
    this.fold ??= await this.begin(event)
    if (isBeginning(event)) {
      this.label(event)
      this.place(event)
    }
    if (event.type === 'step.started' && this.options.hasContent) this.started.set(event.key, event)
    for (const span of this.fold.add(event)) await this.send(span, event)
    this.started.delete(event.type === 'step.started' ? '' : event.key)
  }

  /** Sends what is still open: the run's process died, or it is not over. */
  async end(last: RunEvent): Promise<void> {
    for (const span of this.fold?.end() ?? []) await this.send(span, last)
  }

  /** A run that is gone on with has executions before this one. */
  private async begin(first: RunEvent): Promise<SpanFold> {
    const { store, sharedSeq = 0 } = this.options
    const earlier: RunEvent[] = []
    const { title } = await store.get(first.runId)
    this.title = title
    const filter = { types: beginnings, withOutput: this.options.hasContent }
    for await (const event of store.events(first.runId, filter)) {
      if (event.seq >= first.seq) break
      earlier.push(event)
      this.label(event)
      this.place(event)
    }
    return new SpanFold({ sharedSeq, earlier })
  }

  private label({ data }: RunEvent): void {
    const { session, user } = 'labels' in data ? (data.labels ?? {}) : {}
    this.session = session ?? this.session
    this.user = user ?? this.user
  }

  private place(event: RunEvent): void {
    if (event.type === 'run.started') this.root = event
    if (event.type === 'run.forked' && questionOf(event) !== undefined) this.forked = event
  }

  private async send(span: Span, event: RunEvent): Promise<void> {
    if (span.isShared === true) return
    const { hasContent, outlets } = this.options
    const isRoot = span.kind === 'workflow'
    const otel = toOtelSpan(span, {
      session: this.session,
      user: this.user,
      content: hasContent ? await this.contentOf(span, event) : {},
      events: isRoot ? evaluationEvents(event, hasContent) : [],
      links: isRoot ? linksOf(span) : [],
    })
    const title = hasContent ? this.title : undefined
    for (const { form, sender } of outlets)
      sender.add(form === 'langfuse' ? forLangfuse(otel, span, title) : otel)
    if (!this.options.isLive) await Promise.all(outlets.map(({ sender }) => sender.room()))
  }

  private async contentOf(span: Span, event: RunEvent): Promise<Attributes> {
    if (span.kind === 'workflow')
      return contentOf(span, event, this.forked ?? this.root, this.options.store)
    if (span.key !== event.key) return {}
    return contentOf(span, event, this.started.get(event.key), this.options.store)
  }
}

/** A fork follows from the execution that it left. */
function linksOf({ attributes }: Span): OtelSpan['links'] {
  const { parentRunId } = attributes
  if (typeof parentRunId !== 'string') return []
  return [{ traceId: traceIdOf(parentRunId), spanId: spanIdOf(parentRunId, '', 1) }]
}
