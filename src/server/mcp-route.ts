import type { HttpBindings } from '@hono/node-server'
import type { McpHttpHandler } from '@modelcontextprotocol/server'
import type { StatusCode } from 'hono/utils/http-status'
import { RequestError } from './request-error.ts'
import type { Api, RunSite } from './run-site.ts'
import type { ExtendMcp } from './server-options.ts'
import type { StreamSlots } from './stream-slots.ts'
import type { Principal } from './tokens.ts'

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
    const body = await streamOf(response, { ...site, principal }, c.env.outgoing)
    const headers = { ...Object.fromEntries(response.headers), 'X-Accel-Buffering': 'no' }
    return c.newResponse(body, response.status as StatusCode, headers)
  })
  return async () => {
    closing.abort()
    await mcp?.close()
  }
}

/** The body of an answer. One that is a stream takes a slot, and its reader is cut off if it takes nothing. */
async function streamOf(
  { body, headers }: Response,
  { streams, principal }: { readonly streams: StreamSlots; readonly principal: Principal },
  connection: HttpBindings['outgoing'] | undefined,
): Promise<ReadableStream | null> {
  if (body === null || !headers.get('content-type')?.startsWith('text/event-stream')) return body
  let free: () => void
  try {
    free = streams.take(principal)
  } catch (error) {
    await body.cancel()
    throw error
  }
  const reader = body.getReader()
  let slowTimer: NodeJS.Timeout | undefined
  let isOpen = true
  const end = () => {
    clearTimeout(slowTimer)
    if (isOpen) free()
    isOpen = false
  }
  return new ReadableStream({
    async pull(controller) {
      clearTimeout(slowTimer)
      try {
        const { done, value } = await reader.read()
        if (done) {
          end()
          controller.close()
          return
        }
        controller.enqueue(value)
        slowTimer = setTimeout(() => {
          end()
          const error = new Error('The reader is too slow.')
          reader.cancel(error).catch(() => {})
          if (connection === undefined) controller.error(error)
          else connection.destroy()
        }, streams.slowReaderMs)
      } catch (error) {
        end()
        controller.error(error)
      }
    },
    cancel: (reason) => {
      end()
      return reader.cancel(reason)
    },
  })
}
