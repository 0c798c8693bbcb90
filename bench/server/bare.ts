// A bare Hono server with one route, which answers with the JSON that it is given.
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'

process.on('disconnect', () => process.exit())
process.on('message', ({ page }: { readonly page: object }) => {
  const app = new Hono()
  app.get('/api/runs', (c) => c.json(page))
  const server = createAdaptorServer({ fetch: app.fetch })
  server.listen(0, '127.0.0.1', () => process.send?.(server.address()))
})
process.send?.('ready')
