import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAdaptorServer } from '@hono/node-server'
import { ScholiumError } from '../kernel/errors.ts'
import type { Handler } from './create-handler.ts'

/** Where to listen. */
export interface ListenOptions {
  /** Default `127.0.0.1`: only this machine. */
  readonly host?: string
  /** 0 for any free port. Default 7246. */
  readonly port?: number
  /** Milliseconds in which a body has to arrive, or at least 500,000 bytes of it. Default 30,000. */
  readonly slowBodyMs?: number
}

/** A server that listens. */
export interface Listening {
  /** Its address, without a slash at the end. */
  readonly url: string
  /** Interrupts runs, ends streams and stops listening. */
  close(): Promise<void>
}

/** Time that a client has for the head of a request. */
const headMs = 10_000

/** What has to arrive of a body in `slowBodyMs` at least, if that is not all of it. */
const minBodyBytes = 500_000

/** How often this time is checked. */
const checkMs = 5_000

/** Time for the runs to be interrupted when the server is stopped. */
const suspendMs = 5_000

/** Connections at once at most: streams and other requests. */
const maxConnections = 5_000

/** Serves a handler over HTTP. @throws `invalid_input` for an address that cannot be listened on */
export async function listen(handler: Handler, options: ListenOptions = {}): Promise<Listening> {
  const { host = '127.0.0.1', port = 7246, slowBodyMs = 30_000 } = options
  const serverOptions = { connectionsCheckingInterval: checkMs }
  const server = createAdaptorServer({ fetch: handler, serverOptions }) as Server
  server.headersTimeout = headMs
  // Uploads may take longer, as long as they arrive.
  server.requestTimeout = 0
  server.on('request', (request: IncomingMessage, response: ServerResponse) =>
    cutOffIfSlow(request, response, slowBodyMs),
  )
  server.maxConnections = maxConnections
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  }).catch((error: NodeJS.ErrnoException) => {
    throw cannotListen(host, port, error)
  })
  const address = server.address() as AddressInfo
  const shown = address.family === 'IPv6' ? `[${host}]` : host
  return {
    url: `http://${shown}:${address.port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      await Promise.race([handler.close(), sleep(suspendMs, undefined, { ref: false })])
      server.closeAllConnections()
      await closed
    },
  }
}

/** Ends the connection of a client that sends the body of a request too slowly. */
function cutOffIfSlow(
  request: IncomingMessage,
  response: ServerResponse,
  slowBodyMs: number,
): void {
  const { headers, socket } = request
  const hasBody =
    headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0
  if (!hasBody) return
  let seen = socket.bytesRead
  const timer = setInterval(() => {
    const isSlow = !request.complete && socket.bytesRead - seen < minBodyBytes
    seen = socket.bytesRead
    if (request.complete || isSlow) clearInterval(timer)
    if (!isSlow) return
    if (!response.headersSent)
      socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n')
    socket.destroySoon()
  }, slowBodyMs)
  request.once('close', () => clearInterval(timer))
}

function cannotListen(host: string, port: number, cause: NodeJS.ErrnoException): ScholiumError {
  const isTaken = cause.code === 'EADDRINUSE'
  const reason = isTaken ? 'the port is in use' : (cause.code ?? cause.message)
  return new ScholiumError('invalid_input', `Cannot listen on ${host}:${port}: ${reason}.`, {
    hint: isTaken ? 'Give another port: --port N, or 0 for any.' : 'Give another --host or --port.',
    cause,
  })
}
