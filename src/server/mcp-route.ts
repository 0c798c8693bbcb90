import type { McpHttpHandler } from '@modelcontextprotocol/server'
import type { StatusCode } from 'hono/utils/http-status'
import { RequestError } from './request-error.ts'
import type { Api, RunSite } from './run-site.ts'
import type { ExtendMcp } from './server-options.ts'

/** Where the MCP server is. */
export const mcpPath = '/mcp'

/** Adds the MCP server, which is loaded with its first request. Returns what ends its calls. */
export function addMcpRoute(
  api: Api,
  site: RunSite,
  extend: ExtendMcp = () => {},
): () => Promise<void> {
  const closing = new AbortController()
  let mcp: McpHttpHandler | undefined
  api.all(mcpPath, async (c) => {
    if (closing.signal.aborted)
      throw new RequestError('too_many_requests', 'The server is stopping.', 'Try again later.')
    const { openMcp, toAuthInfo } = await import('./mcp/open-mcp.ts')
    mcp ??= openMcp(site, extend)
    const signal = AbortSignal.any([c.req.raw.signal, closing.signal])
    const request = new Request(c.req.raw, { signal })
    const principal = c.get('principal')
    const authInfo = toAuthInfo(principal)
    const response = await mcp.fetch(request, { authInfo })
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
    const body =
      isStream && response.body
        ? await site.streams.guard(response.body, principal, c.env.outgoing)
        : response.body
    const headers = { ...Object.fromEntries(response.headers), 'X-Accel-Buffering': 'no' }
    return c.newResponse(body, response.status as StatusCode, headers)
  })
  return async () => {
    closing.abort()
    await mcp?.close()
  }
}
