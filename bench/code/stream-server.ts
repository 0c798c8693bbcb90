// A model in a process of its own that streams chunks, each with the time at which it was written. Sends its address.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const chunks = Number(process.argv[2] ?? 400)
const everyMs = Number(process.argv[3] ?? 5)

const now = () => performance.timeOrigin + performance.now()

const server = createServer(async (request, response) => {
  for await (const _ of request);
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (delta: object, finish: string | null = null) =>
    response.write(
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
    )
  send({ role: 'assistant', content: '' })
  for (let index = 0; index < chunks; index++) {
    await new Promise((resolve) => setTimeout(resolve, everyMs))
    send({ content: `<${now()}>${index % 20 === 19 ? '\n' : ' '}` })
  }
  send({}, 'stop')
  response.end('data: [DONE]\n\n')
})
process.on('disconnect', () => process.exit())
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`)
})
