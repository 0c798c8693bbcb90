// A bare model server: every answer takes as long as it is told to, and each call is timed here.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { countTokens } from 'gpt-tokenizer/encoding/cl100k_base'
import type { ChatRequest, Reply } from './team-answers.ts'

/** One call as the server saw it: first byte received to last byte sent, in milliseconds of its own clock. */
export interface SeenCall {
  readonly startMs: number
  readonly endMs: number
  /** Tokens of the messages and tools that it sent, as `cl100k_base` counts them. */
  readonly inputTokens: number
}

/** What a server says of its calls. */
export interface ServedModel {
  /** The calls since the last time they were taken. */
  takeCalls(): readonly SeenCall[]
}

/** Serves a model on a free port of this machine. @param tellPort called once it can be reached */
export function serveModel(
  answerMs: number,
  replyTo: (request: ChatRequest) => Reply,
  tellPort: (port: number) => void,
): ServedModel {
  let calls: (Omit<SeenCall, 'inputTokens'> & { readonly body: ChatRequest })[] = []
  const server = createServer((request, response) => {
    if (request.method !== 'POST') {
      // It gives no list of its models.
      response.writeHead(404).end()
      return
    }
    const startMs = performance.now()
    let body: ChatRequest
    response.on('finish', () => calls.push({ startMs, endMs: performance.now(), body }))
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as ChatRequest
      const reply = replyTo(body)
      if (body.stream === true) streamReply(response, reply, { startMs, answerMs })
      else at(startMs + answerMs, () => sendReply(response, reply))
    })
  })
  server.keepAliveTimeout = 60_000
  // The bench has ended, however it did.
  process.on('disconnect', () => process.exit())
  server.listen(0, '127.0.0.1', () => tellPort((server.address() as AddressInfo).port))
  return {
    takeCalls() {
      const taken = calls
      calls = []
      return taken.map(({ startMs, endMs, body }) => {
        const { messages, tools = [] } = body
        return { startMs, endMs, inputTokens: countTokens(JSON.stringify([messages, tools])) }
      })
    },
  }
}

/** Calls `next` at a time of this process's clock, at once where it has passed. */
function at(timeMs: number, next: () => void): void {
  setTimeout(next, Math.max(0, timeMs - performance.now()))
}

const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }
let callNumber = 0

function messageOf(reply: Reply) {
  if ('text' in reply) return { role: 'assistant', content: reply.text }
  const call = {
    index: 0,
    id: `call_${++callNumber}`,
    type: 'function',
    function: { name: reply.tool, arguments: JSON.stringify(reply.input) },
  }
  return { role: 'assistant', content: null, tool_calls: [call] }
}

function finishOf(reply: Reply): string {
  return 'text' in reply ? 'stop' : 'tool_calls'
}

function sendReply(response: ServerResponse, reply: Reply): void {
  const choices = [{ index: 0, message: messageOf(reply), finish_reason: finishOf(reply) }]
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(
    JSON.stringify({
      id: 'c',
      object: 'chat.completion',
      created: 0,
      model: 'bench',
      choices,
      usage,
    }),
  )
}

/** The beginning at once, then a tenth of the text at each tenth of the time. */
function streamReply(
  response: ServerResponse,
  reply: Reply,
  { startMs, answerMs }: { readonly startMs: number; readonly answerMs: number },
): void {
  const send = (choice: object, rest = {}) => {
    const chunk = { id: 'c', object: 'chat.completion.chunk', created: 0, model: 'bench', ...rest }
    response.write(
      `data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, finish_reason: null, ...choice }] })}\n\n`,
    )
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  send({ delta: { role: 'assistant', content: '' } })
  const deltas = deltasOf(reply)
  const next = (index: number): void => {
    const delta = deltas[index]
    if (delta !== undefined) {
      send({ delta })
      at(startMs + (answerMs * (index + 2)) / (deltas.length + 1), () => next(index + 1))
      return
    }
    send({ delta: {}, finish_reason: finishOf(reply) }, { usage })
    response.end('data: [DONE]\n\n')
  }
  at(startMs + answerMs / (deltas.length + 1), () => next(0))
}

function deltasOf(reply: Reply): readonly object[] {
  const { content, tool_calls: toolCalls } = messageOf(reply)
  if (content === null) return [{ tool_calls: toolCalls }]
  const size = Math.max(1, Math.ceil(content.length / 9))
  return Array.from({ length: Math.ceil(content.length / size) }, (_, index) => ({
    content: content.slice(index * size, (index + 1) * size),
  }))
}
