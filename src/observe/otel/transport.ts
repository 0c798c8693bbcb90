import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { HrTime, SpanContext } from '@opentelemetry/api'
import { ExportResultCode } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import type { Destination } from './destination.ts'
import { schemaUrl } from './gen-ai.ts'
import type { OtelSpan } from './otel-span.ts'

/** Sends batches of spans to a collector. */
export interface Transport {
  /** Rejects with the reason if the collector did not accept them. */
  send(spans: readonly OtelSpan[]): Promise<void>
  /** Aborts requests in progress. */
  close(): void
}

/** What spans say about this program. */
export interface TransportOptions {
  readonly version: string
  readonly resource: Readonly<Record<string, string>>
}

/**
 * OTLP over HTTP as JSON, using the OpenTelemetry packages.
 * @see https://opentelemetry.io/docs/specs/otlp/
 */
export function createTransport(
  { url, headers, timeoutMs }: Destination,
  { version, resource: named }: TransportOptions,
): Transport {
  const Agent = url.startsWith('https:') ? HttpsAgent : HttpAgent
  const connections = new Agent({ keepAlive: true })
  let isClosed = false
  const exporter = new OTLPTraceExporter({
    url,
    headers: async () => {
      // Checked before each attempt: the exporter would keep retrying.
      if (isClosed) throw new Error('it was abandoned')
      return { ...blankHeaders(), ...headers }
    },
    timeoutMillis: timeoutMs,
    httpAgentOptions: () => connections,
  })
  const resource = resourceFromAttributes({
    ...named,
    'service.version': version,
    'telemetry.sdk.name': 'opentelemetry',
    'telemetry.sdk.language': 'nodejs',
  })
  const scope = { name: 'scholium', version, schemaUrl }
  return {
    send: (spans) => {
      const readable = spans.map((span) => toReadable(span, resource, scope))
      return new Promise((resolve, reject) => {
        exporter.export(readable, ({ code, error }) => {
          if (code === ExportResultCode.SUCCESS) resolve()
          else reject(new Error(describeReason(error)))
        })
      })
    },
    close: () => {
      isClosed = true
      connections.destroy()
    },
  }
}

/**
 * The exporter adds headers from the process's environment to those it is given, which would send one collector's headers to
 * another. Unwanted ones are sent empty.
 */
function blankHeaders(): Record<string, string> {
  const { OTEL_EXPORTER_OTLP_HEADERS = '', OTEL_EXPORTER_OTLP_TRACES_HEADERS = '' } = process.env
  const names = `${OTEL_EXPORTER_OTLP_HEADERS},${OTEL_EXPORTER_OTLP_TRACES_HEADERS}`
    .split(',')
    .flatMap((pair) => (pair.includes('=') ? (pair.split('=')[0] as string).trim() : []))
  return Object.fromEntries(names.map((name) => [name, '']))
}

/** A collector's own message may contain anything; its status is enough. */
function describeReason(error: Error | undefined): string {
  const { code } = (error ?? {}) as { code?: string | number }
  if (typeof code === 'number') return `it answered ${code}`
  return code ?? error?.message ?? 'it did not accept them'
}

const sampled = 1

function toReadable(
  span: OtelSpan,
  resource: Resource,
  instrumentationScope: ReadableSpan['instrumentationScope'],
): ReadableSpan {
  const { traceId, spanId, parentId, name, isClient, startMs, endMs, error, attributes } = span
  const context = (id: string, trace = traceId): SpanContext => ({
    traceId: trace,
    spanId: id,
    traceFlags: sampled,
  })
  return {
    name,
    kind: isClient ? 2 : 0,
    spanContext: () => context(spanId),
    ...(parentId === null ? {} : { parentSpanContext: context(parentId) }),
    startTime: hrTime(startMs),
    endTime: hrTime(endMs),
    duration: hrTime(endMs - startMs),
    status: error === undefined ? { code: 0 } : { code: 2, message: error },
    attributes: attributes as ReadableSpan['attributes'],
    events: span.events.map(({ timeMs, ...event }) => ({
      name: event.name,
      time: hrTime(timeMs),
      attributes: event.attributes as ReadableSpan['attributes'],
    })),
    links: span.links.map((link) => ({ context: context(link.spanId, link.traceId) })),
    ended: true,
    resource,
    instrumentationScope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}

function hrTime(timeMs: number): HrTime {
  return [Math.floor(timeMs / 1000), Math.round((timeMs % 1000) * 1e6)]
}
