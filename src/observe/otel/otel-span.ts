/** Attribute values used here. */
export type AttributeValue = string | number | boolean | readonly string[]
/** Attributes of a span or a span event. */
export type Attributes = Readonly<Record<string, AttributeValue>>

/** An event within a span. */
export interface OtelEvent {
  readonly name: string
  readonly timeMs: number
  readonly attributes: Attributes
}

/** An OpenTelemetry span, independent of the packages that send it. */
export interface OtelSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentId: string | null
  readonly name: string
  /** Whether the call leaves this process. */
  readonly isClient: boolean
  readonly startMs: number
  readonly endMs: number
  /** Why it failed; absent if it did not. */
  readonly error?: string
  readonly attributes: Attributes
  readonly events: readonly OtelEvent[]
  /** Spans of other traces that it follows from. */
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
}

/** Information about a span that the projection does not contain. */
export interface SpanExtras {
  readonly session: string | undefined
  readonly user: string | undefined
  /** Prompts, answers and results; only if the operator enabled them. */
  readonly content: Attributes
  readonly events: readonly OtelEvent[]
  readonly links: OtelSpan['links']
}
