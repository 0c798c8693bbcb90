import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { LanguageModelV4, LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { Message } from '../../src/kernel/agent/message.ts'
import { repairHistory } from '../../src/kernel/agent/repair-history.ts'
import type { Tool } from '../../src/kernel/agent/tool.ts'
import { toModelPrompt, toModelTool } from '../../src/kernel/model/model-prompt.ts'
import { type AnthropicBody, anthropicRules } from './anthropic-rules.ts'
import { type GeminiBody, gemini3Rules, geminiRules } from './gemini-rules.ts'
import { type ChatBody, compatibleChatRules, openAiChatRules } from './openai-chat-rules.ts'
import { openAiResponsesRules, type ResponsesBody } from './openai-responses-rules.ts'
import { violations } from './rule.ts'

/** A service: the name of a model of it, the real package's model of that name, and the rules of what it gets. */
export interface Shape {
  /** `provider:model`. */
  readonly model: string
  load(settings: Settings): Promise<LanguageModelV4>
  judge(body: unknown): readonly string[]
}

/** Where a package sends to, and with what. */
interface Settings {
  readonly baseURL: string
  readonly apiKey: string
  readonly fetch?: typeof fetch
}

/** Every interface that models are reached by, with the package that speaks it. */
export const shapes: readonly Shape[] = [
  {
    model: 'openai:gpt-4o',
    load: async (settings) =>
      (await import('@ai-sdk/openai')).createOpenAI(settings).chat('gpt-4o'),
    judge: (body) => violations(openAiChatRules, body as ChatBody),
  },
  {
    model: 'openai:gpt-5',
    load: async (settings) =>
      (await import('@ai-sdk/openai')).createOpenAI(settings).responses('gpt-5'),
    judge: (body) => violations(openAiResponsesRules, body as ResponsesBody),
  },
  {
    model: 'anthropic:claude-sonnet-4-5',
    load: async (settings) =>
      (await import('@ai-sdk/anthropic')).createAnthropic(settings)('claude-sonnet-4-5'),
    judge: (body) => violations(anthropicRules, body as AnthropicBody),
  },
  {
    model: 'google:gemini-2.5-flash',
    load: async (settings) =>
      (await import('@ai-sdk/google')).createGoogleGenerativeAI(settings)('gemini-2.5-flash'),
    judge: (body) => violations(geminiRules, body as GeminiBody),
  },
  {
    model: 'google:gemini-3-pro-preview',
    load: async (settings) =>
      (await import('@ai-sdk/google')).createGoogleGenerativeAI(settings)('gemini-3-pro-preview'),
    judge: (body) => violations(gemini3Rules, body as GeminiBody),
  },
  {
    model: 'openai-compatible:llama',
    load: async (settings) =>
      (await import('@ai-sdk/openai-compatible'))
        .createOpenAICompatible({ name: 'openai-compatible', ...settings })
        .chatModel('llama'),
    judge: (body) => violations(compatibleChatRules, body as ChatBody),
  },
]

/** Gives what the packages make of conversations. */
export interface Wire {
  /** The text of the body that the server got. @throws what the package says when it sends nothing */
  send(shape: Shape, messages: readonly Message[]): Promise<string>
  /** What {@link send} gives, as the package hands it over to be sent: a tenth of the work, for many. */
  compose(shape: Shape, prompt: LanguageModelV4Prompt): Promise<string>
  /** Requests that came over HTTP so far. */
  readonly count: number
  close(): Promise<void>
}

type Models = ReadonlyMap<Shape, LanguageModelV4>

/** What the package gets in place of an answer: what it was to send is all that is wanted of it. */
const kept = new Error('kept')

/** Starts a server that keeps each body and refuses the request. */
export async function openWire(tools: readonly Tool[]): Promise<Wire> {
  let body = ''
  let count = 0
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    body = Buffer.concat(chunks).toString('utf8')
    count++
    response
      .writeHead(400, { 'content-type': 'application/json' })
      .end('{"error":{"message":"seen"}}')
  })
  const settings = { baseURL: `http://127.0.0.1:${await listen(server)}`, apiKey: 'none' }
  const keep = async (_url: unknown, request?: RequestInit) => {
    body = String(request?.body)
    throw kept
  }
  const [overHttp, composing] = [await load(settings), await load({ ...settings, fetch: keep })]
  const given = async (models: Models, shape: Shape, prompt: LanguageModelV4Prompt) => {
    body = ''
    const sent = models.get(shape)?.doGenerate({ prompt, tools: tools.map(toModelTool) })
    const error = await sent?.then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    if (body === '') throw error
    return body
  }
  return {
    get count() {
      return count
    },
    send: (shape, messages) =>
      given(overHttp, shape, toModelPrompt(repairHistory(messages), shape.model)),
    compose: (shape, prompt) => given(composing, shape, prompt),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function load(settings: Settings): Promise<Models> {
  const loading = shapes.map(async (shape) => [shape, await shape.load(settings)] as const)
  return new Map(await Promise.all(loading))
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}
