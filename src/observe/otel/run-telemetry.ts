import type { Claim } from '../../citations/claim.ts'
import type { RunEvent } from '../../kernel/run/event.ts'
import type { RunStore } from '../../kernel/run/run-store.ts'
import { beginnings, isBeginning } from '../event-facts.ts'
import { type Span, toSpanId, toTraceId } from '../span.ts'
import { SpanFold } from '../spans.ts'
import { findQuestion, toContentAttributes } from './content.ts'
import { genAiAttributes, operationName } from './gen-ai.ts'
import { toLangfuseSpan } from './langfuse.ts'
import type { Attributes, OtelEvent, OtelSpan, SpanExtras } from './otel-span.ts'
import type { SpanSender } from './sender.ts'

/** A sender, and the conversion that its collector needs. */
export interface Outlet {
  readonly form: 'otlp' | 'langfuse'
  readonly sender: SpanSender
}

/** Options for a run's telemetry. */
export interface RunTelemetryOptions {
  readonly store: RunStore
  readonly outlets: readonly Outlet[]
  readonly hasContent: boolean
  /** Whether the run is in progress: then spans are dropped rather than delayed when the queue is full. */
  readonly isLive: boolean
  /** For a fork: the last event of the run it branched off from, whose spans are not sent again. */
  readonly sharedSeq?: number
}

/** Sends one run to the collectors; takes its events in order, from the log or as they happen. */
export class RunTelemetry {
  private readonly options: RunTelemetryOptions
  private fold: SpanFold | undefined
  private title: string | undefined
  /** Start events of open steps, kept for their inputs; only if content is sent. */
  private readonly started = new Map<string, RunEvent>()
  private root: RunEvent | undefined
  /** The last fork in the log that asks another question. */
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

  /** Sends the spans that are still open, because the process died or the run has not finished. */
  async end(last: RunEvent): Promise<void> {
    for (const span of this.fold?.end() ?? []) await this.send(span, last)
  }

  /** A resumed run has earlier executions. */
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
    if (event.type === 'run.forked' && findQuestion(event) !== undefined) this.forked = event
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
      links: isRoot ? createParentLinks(span) : [],
    })
    const title = hasContent ? this.title : undefined
    for (const { form, sender } of outlets)
      sender.add(form === 'langfuse' ? toLangfuseSpan(otel, span, title) : otel)
    if (!this.options.isLive) await Promise.all(outlets.map(({ sender }) => sender.room()))
  }

  private async contentOf(span: Span, event: RunEvent): Promise<Attributes> {
    if (span.kind === 'workflow')
      return toContentAttributes(span, event, this.forked ?? this.root, this.options.store)
    if (span.key !== event.key) return {}
    return toContentAttributes(span, event, this.started.get(event.key), this.options.store)
  }
}

/** A fork follows from the execution that it branched off from. */
function createParentLinks({ attributes }: Span): OtelSpan['links'] {
  const { parentRunId } = attributes
  if (typeof parentRunId !== 'string') return []
  return [{ traceId: toTraceId(parentRunId), spanId: toSpanId(parentRunId, '', 1) }]
}

/** Converts a span to an OpenTelemetry span. */
function toOtelSpan(span: Span, extras: SpanExtras): OtelSpan {
  const { traceId, spanId, parentId, startMs, endMs, status, failure } = span
  const { session, user, content, events, links } = extras
  const error = status === 'ok' ? undefined : describeError(span)
  return {
    traceId,
    spanId,
    parentId,
    name: operationName(span),
    isClient: span.kind === 'model' && span.attributes.effect !== 'pure',
    startMs,
    endMs,
    ...(error === undefined ? {} : { error }),
    attributes: {
      ...genAiAttributes(span, session),
      ...ownAttributes(span),
      ...(session === undefined ? {} : { 'session.id': session }),
      ...(user === undefined ? {} : { 'user.id': user }),
      ...(error === undefined ? {} : { 'error.type': failure?.code ?? status }),
      ...content,
    },
    events,
    links,
  }
}

/** A span that is open after its execution ended was interrupted; a run that waits for a person has not failed. */
function describeError({ status, failure, kind }: Span): string | undefined {
  if (failure?.code === 'waiting') return undefined
  if (failure !== undefined) return failure.message
  return status === 'open' && kind === 'workflow' ? 'The execution was cut off.' : status
}

/** Attributes that the conventions do not define. */
function ownAttributes({ runId, key, kind, attributes, usage, execution }: Span): Attributes {
  const { requests, attempt, turn, status, stopReason } = attributes
  const isCall = kind === 'model' || kind === 'workflow' || kind === 'agent'
  return {
    'scholium.run.id': runId,
    'scholium.execution': execution,
    'scholium.kind': kind,
    ...(key === '' ? {} : { 'scholium.step.key': key }),
    ...(requests === undefined ? {} : { 'scholium.requests': requests }),
    ...(attempt === undefined ? {} : { 'scholium.attempt': attempt }),
    ...(turn === undefined ? {} : { 'scholium.turn': turn }),
    ...(status === undefined ? {} : { 'scholium.run.status': status }),
    ...(stopReason === undefined ? {} : { 'scholium.run.stop_reason': stopReason }),
    ...(isCall && usage.costUsd !== null ? { 'scholium.cost_usd': usage.costUsd } : {}),
  }
}

/** Maximum number of claims reported, the SDKs' limit for events per span. */
const maxSpanEvents = 128

/** The score of a verdict: supported, partly, or not. Undecided claims have no score. */
const scores: Readonly<Partial<Record<Claim['verdict'], number>>> = {
  verbatim: 1,
  supported: 1,
  partial: 0.5,
  altered: 0,
  contradicted: 0,
  not_found: 0,
}

/**
 * The verdicts on an answer's claims, one `gen_ai.evaluation.result` each; reasons, which contain quotes, only if content is
 * sent.
 * @see https://github.com/open-telemetry/semantic-conventions/blob/v1.41.0/docs/gen-ai/gen-ai-events.md
 */
function evaluationEvents(event: RunEvent, hasContent: boolean): readonly OtelEvent[] {
  if (event.type !== 'run.finished') return []
  const { claims } = (event.output ?? {}) as { claims?: unknown }
  if (!Array.isArray(claims)) return []
  return (claims as readonly Claim[]).slice(0, maxSpanEvents).map((claim, index) => ({
    name: 'gen_ai.evaluation.result',
    timeMs: event.ts,
    attributes: evaluationAttributes(claim, index, hasContent),
  }))
}

function evaluationAttributes(
  { verdict, reason, text }: Claim,
  index: number,
  hasContent: boolean,
): Attributes {
  const score = scores[verdict]
  return {
    'gen_ai.evaluation.name': 'citation',
    'gen_ai.evaluation.score.label': verdict,
    ...(score === undefined ? {} : { 'gen_ai.evaluation.score.value': score }),
    'scholium.claim.number': index + 1,
    ...(hasContent ? { 'gen_ai.evaluation.explanation': reason, 'scholium.claim.text': text } : {}),
  }
}
