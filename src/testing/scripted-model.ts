import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Hash, type Json, type JsonObject, sha256 } from '../kernel/json.ts'

/** One request that the server got. */
export interface ModelRequestSeen {
  /** Counts from 1 over all requests. */
  readonly number: number
  /** The model's name as it was asked for. */
  readonly model: string
  /** The request's body as it came. */
  readonly body: JsonObject
  /** The hash of the body: equal requests have equal hashes. */
  readonly bodyHash: Hash
  /** The text of the system message. */
  readonly system: string
  /** The text of the last message. */
  readonly lastText: string
  /** The role of the last message: `tool` when a tool's result has just come. */
  readonly lastRole: string
  /** The names of the offered tools. */
  readonly tools: readonly string[]
  /** The key that came with it; empty for none. */
  readonly apiKey: string
}

/** What the scripted model says, or how the server fails. */
export type ScriptedReply =
  | { readonly text: string; readonly delayMs?: number }
  | { readonly json: Json; readonly delayMs?: number }
  | {
      readonly toolCalls: readonly { readonly name: string; readonly input: Json }[]
      readonly delayMs?: number
    }
  | {
      readonly status: number
      readonly body?: Json
      readonly headers?: Readonly<Record<string, string>>
    }
  /** Never answers. */
  | { readonly hang: true }
  /** Closes the connection without an answer. */
  | { readonly reset: true }

/** Decides what a request gets. */
export type Script = (seen: ModelRequestSeen) => ScriptedReply | Promise<ScriptedReply>

/** A running server. */
export interface ScriptedModel {
  /** The base URL, for `OPENAI_BASE_URL`. */
  readonly url: string
  /** All requests so far, in the order of their coming. */
  readonly requests: readonly ModelRequestSeen[]
  /** How often each request was answered with success, by the hash of its body. */
  readonly answered: ReadonlyMap<Hash, number>
  close(): Promise<void>
}

/**
 * Starts a model on a free loopback port, in the form of OpenAI's chat completions, that says what a script says. It counts
 * on its own, so that what a log claims can be held against it.
 *
 * @see https://platform.openai.com/docs/api-reference/chat
 */
export async function startScriptedModel(script: Script): Promise<ScriptedModel> {
  const requests: ModelRequestSeen[] = []
  const answered = new Map<Hash, number>()
  const server = createServer((request, response) => {
    answer(request, response, script, requests, answered).catch((error: unknown) => {
      const message = `The script failed: ${error instanceof Error ? error.message : error}`
      // 400: a client would try again after a 5xx, and hide what is wrong with the script.
      send(response, 400, { error: { message, type: 'scripted', code: 'script_failed' } })
    })
  })
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    answered,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  script: Script,
  requests: ModelRequestSeen[],
  answered: Map<Hash, number>,
): Promise<void> {
  const text = await readBody(request)
  const seen = describe(text, requests.length + 1, request.headers.authorization ?? '')
  requests.push(seen)
  const reply = await script(seen)
  if ('hang' in reply) return
  if ('reset' in reply) {
    request.socket.destroy()
    return
  }
  if ('status' in reply)
    return send(response, reply.status, reply.body ?? errorBody(reply.status), reply.headers)
  if (reply.delayMs !== undefined)
    await new Promise((resolve) => setTimeout(resolve, reply.delayMs))
  answered.set(seen.bodyHash, (answered.get(seen.bodyHash) ?? 0) + 1)
  send(response, 200, completion(seen, reply))
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

interface WireMessage {
  readonly role: string
  readonly content?: unknown
}

function describe(text: string, number: number, authorization: string): ModelRequestSeen {
  const body = JSON.parse(text) as JsonObject & {
    readonly model?: string
    readonly messages?: readonly WireMessage[]
    readonly tools?: readonly { readonly function?: { readonly name?: string } }[]
  }
  const messages = body.messages ?? []
  const last = messages.at(-1)
  const system = messages
    .filter(({ role }) => role === 'system')
    .map(({ content }) => textOf(content))
  return {
    number,
    model: body.model ?? '',
    body,
    bodyHash: sha256(text),
    system: system.join('\n'),
    lastText: textOf(last?.content),
    lastRole: last?.role ?? '',
    tools: (body.tools ?? []).flatMap((tool) => tool.function?.name ?? []),
    apiKey: authorization.replace(/^Bearer /, ''),
  }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: { text?: string }) => part.text ?? '').join('')
}

type Answer = Exclude<ScriptedReply, { status: number } | { hang: true } | { reset: true }>

function completion(seen: ModelRequestSeen, reply: Answer): Json {
  const calls = 'toolCalls' in reply ? reply.toolCalls : []
  const content = 'text' in reply ? reply.text : 'json' in reply ? JSON.stringify(reply.json) : null
  const toolCalls = calls.map(({ name, input }, index) => ({
    // Made of what was asked, so that it does not depend on the order in which parallel requests come.
    id: `call-${seen.bodyHash.slice(0, 12)}-${index + 1}`,
    type: 'function',
    function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
  }))
  const promptTokens = Math.ceil(JSON.stringify(seen.body).length / 4)
  const completionTokens = Math.ceil(((content ?? '') + JSON.stringify(toolCalls)).length / 4)
  return {
    id: `completion-${seen.number}`,
    object: 'chat.completion',
    created: 0,
    model: seen.model,
    choices: [
      {
        index: 0,
        finish_reason: toolCalls.length > 0 ? 'tool_calls' : 'stop',
        message: {
          role: 'assistant',
          content,
          ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
        },
      },
    ],
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
  }
}

function errorBody(status: number): Json {
  return {
    error: { message: `scripted failure ${status}`, type: 'scripted', code: String(status) },
  }
}

function send(
  response: ServerResponse,
  status: number,
  body: Json,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}
