import type { Span, SpanKind } from '../span.ts'
import type { Attributes, OtelSpan } from './otel-span.ts'

/** Langfuse's names for span kinds. */
const observationTypes: Readonly<Record<SpanKind, string>> = {
  workflow: 'chain',
  node: 'span',
  agent: 'agent',
  model: 'generation',
  tool: 'tool',
  retrieval: 'retriever',
  step: 'span',
}

/** Content attributes of the conventions, and the attributes where Langfuse expects them. */
const inputs = [
  'gen_ai.input.messages',
  'gen_ai.tool.call.arguments',
  'gen_ai.retrieval.query.text',
]
const outputs = ['gen_ai.output.messages', 'gen_ai.tool.call.result', 'gen_ai.retrieval.documents']

/**
 * Adds Langfuse's attributes to a span. Trace attributes are repeated on every span, since its filters look at each span
 * separately.
 * @see https://langfuse.com/integrations/native/opentelemetry#property-mapping
 */
export function toLangfuseSpan(otel: OtelSpan, span: Span, title: string | undefined): OtelSpan {
  const { attributes } = otel
  const isGeneration = span.kind === 'model'
  const { inputTokens, outputTokens, costUsd } = span.usage
  const own: Attributes = {
    'langfuse.trace.name': title ?? span.runId,
    'langfuse.observation.type': observationTypes[span.kind],
    ...renamed(attributes, 'session.id', 'langfuse.session.id'),
    ...renamed(attributes, 'user.id', 'langfuse.user.id'),
    ...(otel.error === undefined
      ? {}
      : {
          'langfuse.observation.level': 'ERROR',
          'langfuse.observation.status_message': otel.error,
        }),
    ...(isGeneration
      ? {
          'langfuse.observation.model.name': String(attributes['gen_ai.request.model']),
          'langfuse.observation.usage_details': JSON.stringify({
            input: inputTokens,
            output: outputTokens,
          }),
        }
      : {}),
    ...(isGeneration && costUsd !== null
      ? { 'langfuse.observation.cost_details': JSON.stringify({ total: costUsd }) }
      : {}),
    ...copyFirst(attributes, inputs, 'langfuse.observation.input'),
    ...copyFirst(attributes, outputs, 'langfuse.observation.output'),
  }
  return { ...otel, attributes: { ...attributes, ...own } }
}

function copyFirst(attributes: Attributes, names: readonly string[], to: string): Attributes {
  const name = names.find((one) => attributes[one] !== undefined)
  return name === undefined ? {} : renamed(attributes, name, to)
}

function renamed(attributes: Attributes, from: string, to: string): Attributes {
  const value = attributes[from]
  return value === undefined ? {} : { [to]: value }
}
