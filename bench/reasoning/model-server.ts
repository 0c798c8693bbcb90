// A model that splits a problem into as many parts as it says, solves each after a while, and puts answers together at once.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const [solveMs, parts] = process.argv.slice(2).map(Number) as [number, number]

interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: string }[]
}

function answerTo({ messages }: Asked): { readonly answer: object; readonly delayMs: number } {
  const [system, user] = messages.map(({ content }) => content)
  if (system?.startsWith('You are given')) return { answer: { final_answer: 'all' }, delayMs: 0 }
  if (user?.includes('whole_problem'))
    return { answer: { reasoning: 'r', answer: 'a', confidence: 1 }, delayMs: solveMs }
  const split = Array.from({ length: parts }, (_, index) => `part ${index + 1}`)
  return { answer: { sub_problems: split }, delayMs: 0 }
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { answer, delayMs } = answerTo(JSON.parse(Buffer.concat(chunks).toString('utf8')))
    const message = { role: 'assistant', content: JSON.stringify(answer) }
    const body = JSON.stringify({
      id: 'c',
      object: 'chat.completion',
      created: 0,
      model: 'm',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
    })
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(body)
    }, delayMs)
  })
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit())
