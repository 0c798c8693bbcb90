import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { type AppOptions, createApp } from '../../../src/index.ts'
import { checkOrigin } from '../../../src/server/guard.ts'
import { createMcpServer } from '../../../src/server/mcp/create-mcp-server.ts'
import { createMcpSite } from '../../../src/server/mcp/mcp-site.ts'
import { PublicForm } from '../../../src/server/public-form.ts'
import { RunningRuns } from '../../../src/server/running-runs.ts'
import { addFixtures } from './fixtures.ts'

/** A server for the suite. */
export interface ServedFixtures {
  readonly url: string
  close(): Promise<void>
}

/** Serves Scholium's MCP server over HTTP on loopback, with the suite's fixtures in addition. */
export async function serveFixtures(options: AppOptions = {}): Promise<ServedFixtures> {
  const folder = mkdtempSync(join(tmpdir(), 'scholium-conformance-'))
  const app = createApp({ home: join(folder, 'home'), folder, environment: {}, ...options })
  const site = createMcpSite({
    app,
    resuming: app,
    policy: {},
    running: new RunningRuns(4, () => {}),
    form: new PublicForm([folder]),
    onFailure: (error) => console.error(error),
  })
  const handler = createMcpHandler(() => {
    const server = createMcpServer(site)
    addFixtures(server, site.asked)
    return server
  })
  const fetch = async (request: Request) => {
    try {
      checkOrigin(request, { token: '', hosts: [] } as never, '/mcp')
    } catch {
      return new Response(null, { status: 403 })
    }
    return handler.fetch(request)
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
