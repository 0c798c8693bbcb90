import type { Json } from '../kernel/json.ts'
import type { ModelRequestSeen, ScriptedAnswer } from './scripted-reply.ts'

interface WireCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

/** An answer in the terms of the wire format. */
interface Completion {
  readonly id: string
  readonly model: string
  readonly content: string | null
  readonly reasoning: string
  readonly toolCalls: readonly WireCall[]
  readonly finishReason: string
  readonly usage: Json
}

/**
 * The answer as one JSON body.
 * @see https://platform.openai.com/docs/api-reference/chat/object
 */
export function completionBody(seen: ModelRequestSeen, answer: ScriptedAnswer): Json {
  const { id, model, content, reasoning, toolCalls, finishReason, usage } = complete(seen, answer)
  const message = {
    role: 'assistant',
    content,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(toolCalls.length > 0 ? { tool_calls: toolCalls as unknown as Json } : {}),
  }
  const choices = [{ index: 0, finish_reason: finishReason, message }]
  return { id, object: 'chat.completion', created: 0, model, choices, usage }
}

/**
 * The answer as the data of server-sent events, ending with `[DONE]`. Usage has its own event if `stream_options.include_usage`
 * is set.
 * @see https://platform.openai.com/docs/api-reference/chat-streaming
 */
export function completionEvents(
  seen: ModelRequestSeen,
  answer: ScriptedAnswer,
): readonly string[] {
  const { id, model, content, reasoning, toolCalls, finishReason, usage } = complete(seen, answer)
  const head = { id, object: 'chat.completion.chunk', created: 0, model }
  const chunk = (delta: Json, finish_reason: string | null = null) => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason }],
  })
  const options = seen.body.stream_options as { readonly include_usage?: boolean } | undefined
  const chunks: readonly Json[] = [
    chunk({ role: 'assistant', content: '' }),
    ...pieces(reasoning).map((piece) => chunk({ reasoning_content: piece })),
    ...pieces(content ?? '').map((piece) => chunk({ content: piece })),
    ...toolCalls.flatMap((call, index) => callDeltas(call, index).map((delta) => chunk(delta))),
    chunk({}, finishReason),
    ...(options?.include_usage === true ? [{ ...head, choices: [], usage }] : []),
  ]
  return [...chunks.map((value) => JSON.stringify(value)), '[DONE]']
}

function callDeltas(call: WireCall, index: number): readonly Json[] {
  const { id, type } = call
  const first = { index, id, type, function: { name: call.function.name, arguments: '' } }
  const rest = pieces(call.function.arguments).map((piece) => ({
    index,
    function: { arguments: piece },
  }))
  return [first, ...rest].map((delta) => ({ tool_calls: [delta] }))
}

/** Splits a text into stream chunks: of 20 characters, or more if there would be too many of them. */
function pieces(text: string): readonly string[] {
  const length = Math.max(20, Math.ceil(text.length / maxPieces))
  const count = Math.ceil(text.length / length)
  return Array.from({ length: count }, (_, at) => text.slice(at * length, (at + 1) * length))
}

const maxPieces = 50

function complete(seen: ModelRequestSeen, answer: ScriptedAnswer): Completion {
  const calls = 'toolCalls' in answer ? answer.toolCalls : []
  const content =
    'text' in answer ? answer.text : 'json' in answer ? JSON.stringify(answer.json) : null
  const toolCalls = calls.map(
    ({ name, input }, index): WireCall => ({
      // Derived from the request, so that it does not depend on the order of parallel requests.
      id: `call-${seen.bodyHash.slice(0, 12)}-${index + 1}`,
      type: 'function',
      function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
    }),
  )
  const { reasoning = '', finishReason = calls.length > 0 ? 'tool_calls' : 'stop' } = answer
  const promptTokens = Math.ceil(JSON.stringify(seen.body).length / 4)
  const written = (content ?? '') + reasoning + JSON.stringify(toolCalls)
  const completionTokens = Math.ceil(written.length / 4)
  return {
    id: `completion-${seen.number}`,
    model: seen.model,
    content,
    reasoning,
    toolCalls,
    finishReason,
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
  }
}
