import type { Message, Part } from '../../kernel/agent/message.ts'
import type { Hash, Json, JsonObject } from '../../kernel/json.ts'
import { isOfStep, type RunEvent } from '../../kernel/run/event.ts'
import type { RunStore } from '../../kernel/run/run-store.ts'
import { cutText } from '../../kernel/text/cut-text.ts'
import type { Span } from '../span.ts'
import type { Attributes } from './otel-span.ts'

/** Maximum length of a text in UTF-16 code units; collectors refuse or drop spans of megabytes. */
const maxTextChars = 32_000

/**
 * The content of a call under the conventions' opt-in names. For a model call, only the system and user messages that it was the
 * first to receive; earlier answers and results are on their own spans.
 * @param started the start event of the step, if the log has it
 */
export async function toContentAttributes(
  span: Span,
  event: RunEvent,
  started: RunEvent | undefined,
  store: RunStore,
): Promise<Attributes> {
  const input = (isOfStep(event) ? event.data.input : undefined) ?? started?.output
  const output = event.type === 'step.done' ? event.output : undefined
  switch (span.kind) {
    case 'model':
      return {
        ...messages('gen_ai.input.messages', await addedMessages(input, event.runId, store)),
        ...messages('gen_ai.output.messages', answered(output)),
      }
    case 'tool':
      return {
        ...text('gen_ai.tool.call.arguments', readMember(input, 'input')),
        ...text('gen_ai.tool.call.result', output),
      }
    case 'retrieval':
      return {
        ...text('gen_ai.retrieval.query.text', readMember(readMember(input, 'input'), 'query')),
        ...documents(readMember(output, 'passages')),
      }
    case 'workflow':
      return runContent(event, started)
    default:
      return {}
  }
}

/** The question and answer of a run. */
function runContent(event: RunEvent, started: RunEvent | undefined): Attributes {
  const finished = event.type === 'run.finished' ? event.output : undefined
  const question = started === undefined ? undefined : findQuestion(started)
  const answer = readMember(finished, 'answer')
  return {
    ...messages('gen_ai.input.messages', toMessages('user', question)),
    ...messages('gen_ai.output.messages', toMessages('assistant', answer)),
  }
}

/**
 * The question with which an execution begins; `undefined` for a fork that keeps its parent's question. A fork stores it as text
 * in its state.
 */
export function findQuestion({ output }: RunEvent): Json | undefined {
  const question = readMember(output, 'question')
  return typeof question === 'string' ? question : readMember(question, 'text')
}

function toMessages(role: string, content: Json | undefined): readonly JsonObject[] {
  return typeof content === 'string'
    ? [{ role, parts: [{ type: 'text', content: cutText(content, maxTextChars) }] }]
    : []
}

async function addedMessages(
  input: Json | undefined,
  runId: string,
  store: RunStore,
): Promise<readonly JsonObject[]> {
  const { added } = (readMember(input, 'messages') ?? {}) as { added?: readonly Hash[] }
  const kept = await Promise.all((added ?? []).map((hash) => store.blob(runId, hash)))
  return kept.flatMap((content) => {
    if (content === undefined) return []
    const { role, parts } = JSON.parse(content) as Pick<Message, 'role' | 'parts'>
    return [{ role, parts: parts.map(toMessagePart) }]
  })
}

function answered(output: Json | undefined): readonly JsonObject[] {
  const parts = readMember(output, 'parts') as unknown as readonly Part[] | undefined
  if (parts === undefined) return []
  const reason = readMember(output, 'finishReason') ?? 'stop'
  return [{ role: 'assistant', parts: parts.map(toMessagePart), finish_reason: reason }]
}

/** @see https://github.com/open-telemetry/semantic-conventions/blob/v1.41.0/docs/gen-ai/gen-ai-output-messages.json */
function toMessagePart(part: Part): JsonObject {
  switch (part.type) {
    case 'tool-call':
      return {
        type: 'tool_call',
        id: part.toolCallId,
        name: part.toolName,
        arguments: part.input,
      }
    case 'tool-result':
      return { type: 'tool_call_response', id: part.toolCallId, response: part.output }
    case 'image':
      return { type: 'image', content: `${part.mediaType} ${part.width}×${part.height}` }
    default:
      return { type: part.type, content: cutText(part.text, maxTextChars) }
  }
}

function messages(name: string, list: readonly JsonObject[]): Attributes {
  return list.length === 0 ? {} : { [name]: JSON.stringify(list) }
}

/** @see https://github.com/open-telemetry/semantic-conventions/blob/v1.41.0/docs/gen-ai/gen-ai-retrieval-documents.json */
function documents(passages: Json | undefined): Attributes {
  if (!Array.isArray(passages)) return {}
  const found = passages.map((passage) => ({
    id: readMember(passage, 'passageId') ?? '',
    content: cutText(String(readMember(passage, 'text') ?? ''), maxTextChars),
  }))
  return { 'gen_ai.retrieval.documents': JSON.stringify(found) }
}

function text(name: string, value: Json | undefined): Attributes {
  if (value === undefined) return {}
  return {
    [name]: cutText(typeof value === 'string' ? value : JSON.stringify(value), maxTextChars),
  }
}

function readMember(value: Json | undefined, name: string): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)[name]
    : undefined
}
