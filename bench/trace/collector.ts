// A collector as a process of its own: takes every post and counts the spans.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

let spans = 0
const server = createServer(async (request, response) => {
  let text = ''
  for await (const chunk of request) text += chunk
  for (const { scopeSpans } of JSON.parse(text).resourceSpans)
    for (const scope of scopeSpans) spans += scope.spans.length
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
})
process.on('disconnect', () => process.exit())
process.on('message', () => process.send?.({ spans }))
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port })
})
