import type { Span } from '../span.ts'
import { nodeName } from '../span-path.ts'
import type { Attributes } from './otel-span.ts'

/**
 * The version of the semantic conventions used here: the last with generative AI in the main repository.
 * @see https://github.com/open-telemetry/semantic-conventions/tree/v1.41.0/docs/gen-ai
 */
export const schemaUrl = 'https://opentelemetry.io/schemas/1.41.0'

/** A span's name: the operation and its target. */
export function operationName(span: Span): string {
  const { kind, name, attributes } = span
  switch (kind) {
    case 'workflow':
      return `invoke_workflow ${name}`
    case 'agent':
      return `invoke_agent ${name}`
    case 'model':
      return `${modelOperation(span)} ${requestModel(String(attributes.model ?? name))}`
    case 'tool':
      return `execute_tool ${name}`
    case 'retrieval':
      return `retrieval ${dataSource}`
    default:
      return kind === 'node' ? nodeName(name) : name
  }
}

const dataSource = 'library'

/** The attributes of the conventions: operation, model, agent or tool, and usage. */
export function genAiAttributes(span: Span, session: string | undefined): Attributes {
  const { kind, name, agent } = span
  const conversation = session === undefined ? {} : { 'gen_ai.conversation.id': session }
  const ofAgent = agent === undefined ? {} : { 'gen_ai.agent.name': agent }
  switch (kind) {
    case 'workflow':
      return { ...operation('invoke_workflow'), 'gen_ai.workflow.name': name, ...conversation }
    case 'agent':
      return {
        ...operation('invoke_agent'),
        'gen_ai.provider.name': 'scholium',
        ...ofAgent,
        ...conversation,
        ...toUsageAttributes(span),
      }
    case 'model':
      return {
        ...operation(modelOperation(span)),
        ...modelAttributes(span),
        ...ofAgent,
        ...conversation,
      }
    case 'tool':
      return {
        ...operation('execute_tool'),
        'gen_ai.tool.name': name,
        'gen_ai.tool.type': 'function',
        ...ofAgent,
      }
    case 'retrieval':
      return {
        ...operation('retrieval'),
        'gen_ai.data_source.id': dataSource,
        'gen_ai.tool.name': name,
        ...ofAgent,
      }
    default:
      return {}
  }
}

function modelOperation({ attributes }: Span): 'embeddings' | 'chat' {
  return attributes.role === 'embedding' ? 'embeddings' : 'chat'
}

function operation(name: string): Attributes {
  return { 'gen_ai.operation.name': name }
}

function modelAttributes(span: Span): Attributes {
  const { model, temperature, maxOutputTokens, finishReason } = span.attributes
  const name = String(model ?? 'unknown')
  return {
    'gen_ai.provider.name': providerName(name),
    'gen_ai.request.model': requestModel(name),
    ...(temperature === undefined ? {} : { 'gen_ai.request.temperature': temperature }),
    ...(maxOutputTokens === undefined ? {} : { 'gen_ai.request.max_tokens': maxOutputTokens }),
    ...(finishReason === undefined
      ? {}
      : { 'gen_ai.response.finish_reasons': [String(finishReason)] }),
    ...toUsageAttributes(span),
  }
}

function toUsageAttributes({ usage }: Span): Attributes {
  return {
    'gen_ai.usage.input_tokens': usage.inputTokens,
    'gen_ai.usage.output_tokens': usage.outputTokens,
  }
}

/** The conventions' provider names that differ from ours. */
const providerNames: Readonly<Record<string, string>> = {
  azure: 'azure.ai.openai',
  google: 'gcp.gemini',
  mistral: 'mistral_ai',
  xai: 'x_ai',
  bedrock: 'aws.bedrock',
}

function providerName(model: string): string {
  const provider = model.includes(':') ? (model.split(':')[0] as string) : 'scholium'
  return providerNames[provider] ?? provider
}

function requestModel(model: string): string {
  return model.slice(model.indexOf(':') + 1)
}
