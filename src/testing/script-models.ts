import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import { hashJson, type Json } from '../kernel/json.ts'
import type { ModelBinding, ModelRole, ModelSource } from '../kernel/model/model.ts'
import type { Counts } from './fault-writes.ts'
import type { ScriptedAnswer } from './scripted-reply.ts'

/** One model call. */
export interface ModelCallSeen {
  /** Number of the call over all roles, from 1. */
  readonly number: number
  readonly role: ModelRole
  /** The text of the last message. */
  readonly lastText: string
  /** The role of the last message: `tool` after a tool result. */
  readonly lastRole: string
  /** The names of the offered tools. */
  readonly tools: readonly string[]
  /** The complete prompt, as the model received it. */
  readonly prompt: LanguageModelV4CallOptions['prompt']
}

/** Models in this process, and the calls they received. */
export interface ScriptedModels {
  /** For `testExecution(store, { models: scripted.models })`. */
  readonly models: ModelSource
  /** The model of the role `default` as an AI SDK object: `createApp({ models: { default: scripted.model } })`. */
  readonly model: LanguageModelV4
  readonly calls: readonly ModelCallSeen[]
  /** How often each call was answered, by its content: for {@link FaultTrial}. */
  paidCalls(): Counts
}

/**
 * Models for all roles that answer from a function within this process, with ten input and five output tokens per call and no
 * known price. For a model over HTTP, which can also fail like a service, see {@link startScriptedModel}.
 * @param settings changes to the bindings, such as a price or another name
 */
export function scriptModels(
  say: (seen: ModelCallSeen) => ScriptedAnswer,
  settings: Partial<ModelBinding> = {},
): ScriptedModels {
  const calls: ModelCallSeen[] = []
  const answered = new Map<string, number>()
  const modelOf = (role: ModelRole) => {
    const doGenerate = async (options: LanguageModelV4CallOptions) => {
      const seen = describe(options, role, calls.length + 1)
      calls.push(seen)
      const result = toGenerateResult(say(seen), seen)
      const asked = hashJson([role, JSON.stringify(options.prompt)])
      answered.set(asked, (answered.get(asked) ?? 0) + 1)
      return result
    }
    const doStream = async (options: LanguageModelV4CallOptions) => ({
      stream: ReadableStream.from(streamParts(await doGenerate(options))),
    })
    const identity = { specificationVersion: 'v4', provider: 'test', modelId: 'scripted' }
    return { ...identity, supportedUrls: {}, doGenerate, doStream } as unknown as LanguageModelV4
  }
  const forRole = (role: ModelRole): ModelBinding => {
    return { ...plainBinding, role, load: async () => modelOf(role), ...settings }
  }
  return {
    models: { forRole, forName: (name, role) => ({ ...forRole(role), name }) },
    model: modelOf('default'),
    calls,
    paidCalls: () => answered,
  }
}

const plainBinding = {
  name: 'test:scripted',
  effect: 'read',
  price: null,
  temperature: 0,
  maxOutputTokens: 1_000,
  timeoutMs: 10_000,
  isStreamed: false,
} as const

function describe(
  { prompt, tools = [] }: LanguageModelV4CallOptions,
  role: ModelRole,
  number: number,
): ModelCallSeen {
  const last = prompt.at(-1)
  const content: unknown = last?.content ?? ''
  const lastText = typeof content === 'string' ? content : (content as Json[]).map(toText).join('')
  const names = tools.map(({ name }) => name)
  return { number, role, lastText, lastRole: last?.role ?? '', tools: names, prompt }
}

/** The text of a part or of a tool's result. */
function toText(part: Json): string {
  const { text, output } = part as { readonly text?: string; readonly output?: { value?: Json } }
  return text ?? (typeof output?.value === 'string' ? output.value : '')
}

function toGenerateResult(
  answer: ScriptedAnswer,
  { number }: ModelCallSeen,
): LanguageModelV4GenerateResult {
  const calls = 'toolCalls' in answer ? answer.toolCalls : []
  const text =
    'text' in answer ? answer.text : 'json' in answer ? JSON.stringify(answer.json) : undefined
  const said: LanguageModelV4Content[] = text === undefined ? [] : [{ type: 'text', text }]
  const asked = calls.map(
    ({ name, input }, index): LanguageModelV4Content => ({
      type: 'tool-call',
      toolCallId: `call-${number}-${index + 1}`,
      toolName: name,
      input: typeof input === 'string' ? input : JSON.stringify(input),
    }),
  )
  const isCut = answer.finishReason === 'length'
  const unified = isCut ? 'length' : calls.length > 0 ? 'tool-calls' : 'stop'
  return {
    content: [...said, ...asked],
    finishReason: { unified, raw: unified },
    usage: { inputTokens: { total: 10 }, outputTokens: { total: 5 } },
    warnings: [],
  } as unknown as LanguageModelV4GenerateResult
}

/** An answer as a stream, with its text in one piece. */
function* streamParts({
  content,
  finishReason,
  usage,
}: LanguageModelV4GenerateResult): Generator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: [] }
  for (const part of content) {
    if (part.type === 'tool-call') yield part
    if (part.type !== 'text') continue
    yield { type: 'text-start', id: 'text' }
    yield { type: 'text-delta', id: 'text', delta: part.text }
    yield { type: 'text-end', id: 'text' }
  }
  yield { type: 'finish', finishReason, usage }
}
