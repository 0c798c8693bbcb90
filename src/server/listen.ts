import type { Server } from 'node:http'
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
}

/** A server that listens. */
export interface Listening {
  /** Its address, without a slash at the end. */
  readonly url: string
  /** Interrupts runs, ends streams and stops listening. */
  close(): Promise<void>
}

/** Time that a client has for the head of a request, and for all of it. */
const headMs = 10_000
const requestMs = 30_000

/** How often these times are checked. */
const checkMs = 5_000

/** Time for the runs to be interrupted when the server is stopped. */
const suspendMs = 5_000

/** Connections at once at most: streams and other requests. */
const maxConnections = 5_000

/** Serves a handler over HTTP. @throws `invalid_input` for an address that cannot be listened on */
export async function listen(handler: Handler, options: ListenOptions = {}): Promise<Listening> {
  const { host = '127.0.0.1', port = 7246 } = options
  const serverOptions = { connectionsCheckingInterval: checkMs }
  const server = createAdaptorServer({ fetch: handler, serverOptions }) as Server
  server.headersTimeout = headMs
  server.requestTimeout = requestMs
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

function cannotListen(host: string, port: number, cause: NodeJS.ErrnoException): ScholiumError {
  const isTaken = cause.code === 'EADDRINUSE'
  const reason = isTaken ? 'the port is in use' : (cause.code ?? cause.message)
  return new ScholiumError('invalid_input', `Cannot listen on ${host}:${port}: ${reason}.`, {
    hint: isTaken ? 'Give another port: --port N, or 0 for any.' : 'Give another --host or --port.',
    cause,
  })
}
