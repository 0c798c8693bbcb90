import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Hash, type Json, type JsonObject, sha256 } from '../kernel/json.ts'
import { completionBody, completionEvents } from './scripted-completion.ts'
import type { Delivery, ModelRequestSeen, Script, ScriptedVectors } from './scripted-reply.ts'

/** A running server. */
export interface ScriptedModel {
  /** The base URL, for `OPENAI_BASE_URL`. */
  readonly url: string
  /** All requests so far, in order of arrival. */
  readonly requests: readonly ModelRequestSeen[]
  /** How often each request was answered completely, by the hash of its body. */
  readonly answered: ReadonlyMap<Hash, number>
  /** Stops the server. */
  close(): Promise<void>
}

/**
 * Starts a scripted model on a free loopback port with OpenAI's chat completions and embeddings API, streaming on request. It
 * counts requests itself, so that a log's claims can be checked.
 * @see https://platform.openai.com/docs/api-reference/chat
 */
export async function startScriptedModel(script: Script): Promise<ScriptedModel> {
  const requests: ModelRequestSeen[] = []
  const answered = new Map<Hash, number>()
  const server = createServer((request, response) => {
    answer(request, response, script, requests, answered).catch((error: unknown) => {
      const message = `The script failed: ${error instanceof Error ? error.message : error}`
      // 400: a client would retry after a 5xx and hide what is wrong with the script.
      if (response.headersSent) response.destroy()
      else send(response, 400, { error: { message, type: 'scripted', code: 'script_failed' } })
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
  // An empty list of models: any name is accepted, and no model was called.
  if (request.method === 'GET') return send(response, 200, { object: 'list', data: [] })
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
  if ('events' in reply) return sendEvents(response, reply.events, {})
  if ('delayMs' in reply) await wait(reply.delayMs)
  const onSent = () => {
    if (!request.socket.destroyed)
      answered.set(seen.bodyHash, (answered.get(seen.bodyHash) ?? 0) + 1)
  }
  if ('vectors' in reply) {
    onSent()
    return send(response, 200, vectorsBody(seen, reply))
  }
  if (seen.body.stream === true)
    return sendEvents(response, completionEvents(seen, reply), { ...reply, onSent })
  const body = completionBody(seen, reply)
  if (reply.cut !== undefined) return sendHalf(response, JSON.stringify(body), reply.cut.by)
  onSent()
  send(response, 200, body)
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
    readonly input?: readonly string[]
    readonly messages?: readonly WireMessage[]
    readonly tools?: readonly { readonly function?: { readonly name?: string } }[]
  }
  const messages = body.messages ?? []
  const last = messages.at(-1)
  const system = messages
    .filter(({ role }) => role === 'system')
    .map(({ content }) => toText(content))
  return {
    number,
    model: body.model ?? '',
    body,
    bodyHash: sha256(text),
    system: system.join('\n'),
    lastText: toText(last?.content),
    lastRole: last?.role ?? '',
    tools: (body.tools ?? []).flatMap((tool) => tool.function?.name ?? []),
    texts: body.input ?? [],
    apiKey: authorization.replace(/^Bearer /, ''),
  }
}

function toText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: { text?: string }) => part.text ?? '').join('')
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

async function sendEvents(
  response: ServerResponse,
  events: readonly string[],
  { cut, chunkDelayMs, onSent }: Pick<Delivery, 'cut' | 'chunkDelayMs'> & { onSent?: () => void },
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const sent = events.slice(0, cut?.afterChunks).map((data) => `data: ${data}\n\n`)
  if (chunkDelayMs === undefined) sent.splice(0, sent.length, sent.join(''))
  const last = cut === undefined ? sent.pop() : undefined
  for (const event of sent) {
    if (response.destroyed) return
    response.write(event)
    await wait(chunkDelayMs)
  }
  if (cut !== undefined) return cutConnection(response, cut.by)
  onSent?.()
  response.end(last)
}

function sendHalf(response: ServerResponse, body: string, by: CutBy): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.write(body.slice(0, body.length / 2))
  cutConnection(response, by)
}

type CutBy = NonNullable<Delivery['cut']>['by']

function cutConnection(response: ServerResponse, by: CutBy): void {
  if (by === 'end') response.end()
  // Waits until the written data is on its way: closing the connection at once may lose it.
  else if (by === 'reset') setTimeout(() => response.destroy(), 5)
}

async function wait(delayMs: number | undefined): Promise<void> {
  if (delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, delayMs))
}

/**
 * The vectors as a JSON body.
 * @see https://platform.openai.com/docs/api-reference/embeddings/object
 */
function vectorsBody(
  { model, texts }: ModelRequestSeen,
  { vectors, tokens = Math.ceil(texts.join('').length / 4) }: ScriptedVectors,
): Json {
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }))
  const usage = { prompt_tokens: tokens, total_tokens: tokens }
  return { object: 'list', model, data, ...(tokens === null ? {} : { usage }) }
}
