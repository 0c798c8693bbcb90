// A model that answers at once: asks for a tool until the conversation holds as many results as it wants, then answers.
// Any message makes it tell what it received since the last one.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resultsWanted } from './conversation.ts'

const head = { object: 'chat.completion', created: 0, model: 'm' }
const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }
const words = 'The next thing to look at is the entry in the book .'
  .split(' ')
  .map((word) => `${word} `)
/** Every answer and every call has an id of its own, as with real services. */
function answerAt(results: number, isStreamed: boolean): Buffer {
  const id = `chatcmpl-${results}`
  if (results >= resultsWanted)
    return isStreamed ? streamed(id, [{ content: 'Done.' }], 'stop') : whole(id, 'Done.')
  const call = { id: `call_${results}`, type: 'function' }
  const filled = { ...call, function: { name: 'look', arguments: '{"at":"the book"}' } }
  if (!isStreamed) return whole(id, '', [filled])
  return streamed(
    id,
    [
      ...words.map((content) => ({ content })),
      { tool_calls: [{ index: 0, ...call, function: { name: 'look', arguments: '' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"at":' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '"the book"}' } }] },
    ],
    'tool_calls',
  )
}

function whole(id: string, content: string, toolCalls: readonly object[] = []): Buffer {
  const isCall = toolCalls.length > 0
  const message = { role: 'assistant', content: isCall ? words.join('') : content }
  const choice = {
    index: 0,
    message: isCall ? { ...message, tool_calls: toolCalls } : message,
    finish_reason: isCall ? 'tool_calls' : 'stop',
  }
  return Buffer.from(JSON.stringify({ id, ...head, choices: [choice], usage }))
}

function streamed(id: string, deltas: readonly object[], reason: string): Buffer {
  const chunk = (delta: object, finish_reason: string | null) => ({
    id,
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason }],
  })
  const chunks = [
    ...[{ role: 'assistant', content: '' }, ...deltas].map((delta) => chunk(delta, null)),
    chunk({}, reason),
    { id, ...head, choices: [], usage },
  ]
  const events = [...chunks.map((value) => JSON.stringify(value)), '[DONE]']
  return Buffer.from(events.map((data) => `data: ${data}\n\n`).join(''))
}

const answers = [false, true].map((isStreamed) =>
  Array.from({ length: resultsWanted + 1 }, (_, results) => answerAt(results, isStreamed)),
)

/** What the server received. */
export interface Received {
  requests: number
  /** Of them, those that asked for a stream. */
  streamed: number
  /** Of the bodies. */
  bytes: number
}

let received: Received = { requests: 0, streamed: 0, bytes: 0 }

const server = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const body = Buffer.concat(parts).toString('latin1')
    const results = body.split('"role":"tool"').length - 1
    const isStreamed = body.includes('"stream":true')
    received.requests++
    received.streamed += Number(isStreamed)
    received.bytes += body.length
    response.writeHead(200, {
      'content-type': isStreamed ? 'text/event-stream' : 'application/json',
    })
    response.end(answers[isStreamed ? 1 : 0]?.[results])
  })
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('message', () => {
  process.send?.(received)
  received = { requests: 0, streamed: 0, bytes: 0 }
})
process.on('disconnect', () => process.exit())
