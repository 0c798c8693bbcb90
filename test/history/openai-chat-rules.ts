import { isBlank, isObjectText, placesWhere, type Rule, repeated, wholeCharacters } from './rule.ts'

/** The body of a chat completion, as far as it is judged. */
export interface ChatBody {
  readonly messages: readonly ChatMessage[]
}

/** A message of a chat completion. */
export interface ChatMessage {
  readonly role: string
  readonly content?: unknown
  readonly tool_calls?: readonly ChatCall[]
  readonly tool_call_id?: string
}

interface ChatCall {
  readonly id: string
  readonly type: string
  readonly function: { readonly name: string; readonly arguments: string }
}

const reference = 'https://platform.openai.com/docs/api-reference/chat/create'
const guide = 'https://platform.openai.com/docs/guides/function-calling'

function callsOf(message: ChatMessage | undefined): readonly ChatCall[] {
  return message?.tool_calls ?? []
}

/** The tool messages directly after the message at `index`. */
function answersAfter(messages: readonly ChatMessage[], index: number): readonly ChatMessage[] {
  const rest = messages.slice(index + 1)
  const end = rest.findIndex(({ role }) => role !== 'tool')
  return end < 0 ? rest : rest.slice(0, end)
}

/** What OpenAI asks of the messages of a chat completion. */
export const openAiChatRules: readonly Rule<ChatBody>[] = [
  wholeCharacters(),
  {
    name: 'has messages',
    source: reference,
    broken: ({ messages }) => (messages.length === 0 ? ['messages'] : []),
  },
  {
    name: 'known role',
    source: reference,
    broken: ({ messages }) =>
      placesWhere(
        'messages',
        messages,
        ({ role }) => !['system', 'developer', 'user', 'assistant', 'tool'].includes(role),
      ),
  },
  {
    // "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'."
    name: 'calls answered at once',
    source: guide,
    broken: ({ messages }) =>
      placesWhere('messages', messages, (message, index) => {
        const answered = answersAfter(messages, index).map((answer) => answer.tool_call_id)
        return callsOf(message).some(({ id }) => !answered.includes(id))
      }),
  },
  {
    // "messages with role 'tool' must be a response to a preceding message with 'tool_calls'."
    name: 'results have calls',
    source: guide,
    broken: ({ messages }) =>
      placesWhere('messages', messages, ({ role, tool_call_id: id }, index) => {
        if (role !== 'tool') return false
        const asking = messages.slice(0, index).findLast((earlier) => earlier.role !== 'tool')
        return !callsOf(asking).some((call) => call.id === id)
      }),
  },
  {
    name: 'one result for a call',
    source: guide,
    broken: ({ messages }) =>
      placesWhere('messages', messages, (message, index) => {
        if (callsOf(message).length === 0) return false
        return (
          repeated(answersAfter(messages, index).map((answer) => answer.tool_call_id)).length > 0
        )
      }),
  },
  {
    // "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40."
    name: 'form of ids',
    source: 'https://github.com/pydantic/pydantic-ai/issues/4389',
    broken: ({ messages }) =>
      placesWhere('messages', messages, (message) =>
        callsOf(message).some(({ id }) => !/^.{1,40}$/s.test(id)),
      ),
  },
  {
    name: 'distinct ids',
    source: guide,
    broken: ({ messages }) =>
      repeated(messages.flatMap((message) => callsOf(message).map(({ id }) => id))),
  },
  {
    // Letters, digits, underscores and dashes, 64 at most.
    name: 'names of functions',
    source: reference,
    broken: ({ messages }) =>
      placesWhere('messages', messages, (message) =>
        callsOf(message).some((call) => !/^[a-zA-Z0-9_-]{1,64}$/.test(call.function.name)),
      ),
  },
  {
    name: 'arguments are an object in JSON',
    source: guide,
    broken: ({ messages }) =>
      placesWhere('messages', messages, (message) =>
        callsOf(message).some((call) => !isObjectText(call.function.arguments)),
      ),
  },
  {
    // "[] is too short - 'messages.1.tool_calls'"
    name: 'no empty list of calls',
    source: reference,
    broken: ({ messages }) =>
      placesWhere('messages', messages, ({ tool_calls: calls }) => calls?.length === 0),
  },
  {
    // Content is required unless an assistant message has calls.
    name: 'content',
    source: reference,
    broken: ({ messages }) =>
      placesWhere('messages', messages, (message) => {
        const mayBeEmpty = message.role === 'assistant' && callsOf(message).length > 0
        return isBlank(message.content) && !(mayBeEmpty && message.content == null)
      }),
  },
]

const mistral = 'https://docs.mistral.ai/capabilities/completion'
const templates = 'https://huggingface.co/docs/transformers/chat_templating'

/** What services with the same API require in addition: Mistral's, and local servers with the chat templates of their models. */
export const compatibleChatRules: readonly Rule<ChatBody>[] = [
  ...openAiChatRules,
  {
    // Templates of Qwen, Gemma and others: "System message must be at the beginning."
    name: 'system first and once',
    source: templates,
    broken: ({ messages }) =>
      placesWhere('messages', messages, ({ role }, index) => role === 'system' && index > 0),
  },
  {
    // Templates of Mistral, Gemma and Llama 2: "Conversation roles must alternate user/assistant/user/assistant/..."
    name: 'roles alternate',
    source: templates,
    broken: ({ messages }) =>
      placesWhere(
        'messages',
        messages,
        ({ role }, index) => role !== 'tool' && role === messages[index - 1]?.role,
      ),
  },
  {
    name: 'user begins',
    source: templates,
    broken: ({ messages }) => {
      const first = messages.find(({ role }) => role !== 'system')
      return first?.role === 'user' ? [] : ['messages']
    },
  },
  {
    // Mistral: "Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant"
    name: 'user or tool ends',
    source: mistral,
    broken: ({ messages }) =>
      ['user', 'tool'].includes(messages.at(-1)?.role ?? '') ? [] : ['messages'],
  },
  {
    // Mistral refuses other members than its own: "Extra inputs are not permitted"
    name: 'no foreign members',
    source: mistral,
    broken: ({ messages }) =>
      placesWhere('messages', messages, (message) =>
        Object.keys(message).some(
          (name) => !['role', 'content', 'tool_calls', 'tool_call_id', 'name'].includes(name),
        ),
      ),
  },
]
