import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import type { McpServer, RequestStateCodec } from '@modelcontextprotocol/server'
import { type AppOptions, createApp } from '../../../src/index.ts'
import { toFailure } from '../../../src/kernel/errors.ts'
import { createExtendedHandler } from '../../../src/server/create-handler.ts'
import { addFixtures } from './fixtures.ts'

/** A server for the suite. */
export interface ServedFixtures {
  readonly url: string
  close(): Promise<void>
}

/** Serves Scholium over HTTP on loopback, with the suite's fixtures in its MCP server, for clients that send no token. */
export async function serveFixtures(options: AppOptions = {}): Promise<ServedFixtures> {
  const folder = mkdtempSync(join(tmpdir(), 'scholium-conformance-'))
  const app = createApp({ home: join(folder, 'home'), folder, environment: {}, ...options })
  const onFailure = (error: unknown) => {
    if (toFailure(error).code !== 'cancelled') console.error(error)
  }
  const handler = createExtendedHandler(app, { onFailure }, (server, asked) =>
    addFixtures(server as McpServer, asked as RequestStateCodec<string>),
  )
  const fetch = (request: Request) => {
    const headers = new Headers(request.headers)
    headers.set('authorization', `Bearer ${handler.token}`)
    return handler(new Request(request, { headers }))
  }
  const { promise, resolve } = Promise.withResolvers<number>()
  const server = serve({ fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => resolve(port))
  return {
    url: `http://127.0.0.1:${await promise}/mcp`,
    close: async () => {
      server.close()
      await handler.close()
      await app.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
