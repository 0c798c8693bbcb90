/** A call as a service tells of it: its arguments as far as they came. */
export interface WireCall {
  readonly name: string
  readonly input: string
  /** Whether the stream says where the call ends. Default true. */
  readonly isClosed?: boolean
}

/** A message of calls, or of a text, and how the service says that it ended. */
export interface WireMessage {
  readonly calls?: readonly WireCall[]
  readonly text?: string
  readonly isCut: boolean
}

/** The answer of a service: one body, or the data of server-sent events. */
export interface Wire {
  whole(message: WireMessage): unknown
  stream(message: WireMessage): readonly unknown[]
}

/** What services whose arguments are no text make of half of them: an object with what there was. */
function halfObject(input: string): unknown {
  for (const end of ['', '}', '"}', '"}]}', 'null}']) {
    try {
      return JSON.parse(`${input === '' ? '{}' : input}${end}`)
    } catch {
      // The next one may do.
    }
  }
  return {}
}

const ids = (calls: readonly WireCall[] = []) =>
  calls.map((call, index) => ({ ...call, index, id: `call_${index + 1}` }))

const chatUsage = { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 }
const chatEnd = ({ calls, isCut }: WireMessage) =>
  isCut ? 'length' : calls === undefined ? 'stop' : 'tool_calls'
/** @see https://platform.openai.com/docs/api-reference/chat */
const chat: Wire = {
  whole: (message) => ({
    id: 'c',
    object: 'chat.completion',
    created: 0,
    model: 'm',
    choices: [
      {
        index: 0,
        finish_reason: chatEnd(message),
        message: {
          role: 'assistant',
          content: message.text ?? null,
          ...(message.calls && {
            tool_calls: ids(message.calls).map(({ id, name, input }) => ({
              id,
              type: 'function',
              function: { name, arguments: input },
            })),
          }),
        },
      },
    ],
    usage: chatUsage,
  }),
  stream: (message) => {
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      id: 'c',
      object: 'chat.completion.chunk',
      created: 0,
      model: 'm',
      choices: [{ index: 0, delta, finish_reason }],
    })
    return [
      ...(message.text === undefined ? [] : [chunk({ content: message.text })]),
      ...ids(message.calls).flatMap(({ id, index, name, input }) => [
        chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
        ...(input === ''
          ? []
          : [chunk({ tool_calls: [{ index, function: { arguments: input } }] })]),
      ]),
      chunk({}, chatEnd(message)),
      { ...chunk({}), choices: [], usage: chatUsage },
      '[DONE]',
    ]
  },
}

const responsesUsage = { input_tokens: 5, output_tokens: 5, total_tokens: 10 }
const reason = ({ isCut }: WireMessage) => (isCut ? { reason: 'max_output_tokens' } : null)
const responsesText = (text: string) => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
})
const functionCall = ({ id, name, input }: WireCall & { id: string }, isCut: boolean) => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: id,
  name,
  arguments: input,
  status: isCut ? 'incomplete' : 'completed',
})
/** @see https://platform.openai.com/docs/api-reference/responses */
const responses: Wire = {
  whole: (message) => ({
    id: 'r',
    object: 'response',
    created_at: 0,
    model: 'm',
    status: message.isCut ? 'incomplete' : 'completed',
    output: [
      ...(message.text === undefined ? [] : [responsesText(message.text)]),
      ...ids(message.calls).map((call) => functionCall(call, message.isCut)),
    ],
    incomplete_details: reason(message),
    usage: responsesUsage,
  }),
  stream: (message) => {
    const { text, calls, isCut } = message
    const head = { type: 'response.created', response: { id: 'r', created_at: 0, model: 'm' } }
    const end = {
      type: isCut ? 'response.incomplete' : 'response.completed',
      response: { id: 'r', incomplete_details: reason(message), usage: responsesUsage },
    }
    return [
      head,
      ...(text === undefined
        ? []
        : [
            {
              type: 'response.output_item.added',
              output_index: 0,
              item: { type: 'message', id: 'msg_1' },
            },
            { type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, delta: text },
            { type: 'response.output_item.done', output_index: 0, item: responsesText(text) },
          ]),
      ...ids(calls).flatMap((call) => [
        {
          type: 'response.output_item.added',
          output_index: call.index,
          item: functionCall({ ...call, input: '' }, false),
        },
        {
          type: 'response.function_call_arguments.delta',
          item_id: `fc_${call.id}`,
          output_index: call.index,
          delta: call.input,
        },
        ...(call.isClosed === false
          ? []
          : [
              {
                type: 'response.output_item.done',
                output_index: call.index,
                item: functionCall(call, isCut),
              },
            ]),
      ]),
      end,
    ]
  },
}

const anthropicEnd = ({ calls, isCut }: WireMessage) =>
  isCut ? 'max_tokens' : calls === undefined ? 'end_turn' : 'tool_use'
/** @see https://platform.claude.com/docs/en/api/messages */
const anthropic: Wire = {
  whole: (message) => ({
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [
      ...(message.text === undefined ? [] : [{ type: 'text', text: message.text }]),
      ...ids(message.calls).map(({ id, name, input }) => ({
        type: 'tool_use',
        id,
        name,
        input: halfObject(input),
      })),
    ],
    stop_reason: anthropicEnd(message),
    stop_sequence: null,
    usage: { input_tokens: 5, output_tokens: 5 },
  }),
  stream: (message) => [
    {
      type: 'message_start',
      message: {
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 5, output_tokens: 1 },
      },
    },
    ...(message.text === undefined
      ? []
      : [
          { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
          {
            type: 'content_block_delta',
            index: 0,
            delta: { type: 'text_delta', text: message.text },
          },
          { type: 'content_block_stop', index: 0 },
        ]),
    ...ids(message.calls).flatMap(({ id, index, name, input, isClosed }) => [
      {
        type: 'content_block_start',
        index,
        content_block: { type: 'tool_use', id, name, input: {} },
      },
      {
        type: 'content_block_delta',
        index,
        delta: { type: 'input_json_delta', partial_json: input },
      },
      ...(isClosed === false ? [] : [{ type: 'content_block_stop', index }]),
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: anthropicEnd(message), stop_sequence: null },
      usage: { output_tokens: 5 },
    },
    { type: 'message_stop' },
  ],
}

/** @see https://ai.google.dev/api/generate-content */
const google: Wire = {
  whole: ({ text, calls, isCut }) => ({
    candidates: [
      {
        index: 0,
        finishReason: isCut ? 'MAX_TOKENS' : 'STOP',
        content: {
          role: 'model',
          parts: [
            ...(text === undefined ? [] : [{ text }]),
            ...ids(calls).map(({ name, input }) => ({
              functionCall: { name, args: halfObject(input) },
            })),
          ],
        },
      },
    ],
    usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 5, totalTokenCount: 10 },
  }),
  stream: (message) => [google.whole(message)],
}

/** How the services of `test/models/shapes.ts` tell of calls, by their labels. */
export const wires: Readonly<Record<string, Wire>> = {
  'OpenAI chat': chat,
  'OpenAI responses (Azure)': responses,
  Anthropic: anthropic,
  Gemini: google,
  Ollama: chat,
  OpenRouter: chat,
}

/** Whether a service tells of arguments as text: others as an object, which is always whole JSON. */
export function tellsText(label: string, isStreamed: boolean): boolean {
  return label !== 'Gemini' && (label !== 'Anthropic' || isStreamed)
}
