import { channel } from 'node:diagnostics_channel'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { afterEach } from 'vitest'
import type { HostAddress, ResolveHost } from '../../../src/sources/web/check-target.ts'

const running: { close(): Promise<void> }[] = []

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()))
})

/** A server on loopback until the test ends. */
export interface LocalServer {
  readonly port: number
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string
  /** What was asked for, in order: `GET /path`. */
  readonly asked: string[]
}

/** A web server whose answers `handle` gives. */
export async function startServer(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<LocalServer> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    handle(request, response)
  })
  return listen(server, asked)
}

/** A server that says what a test wants on each connection, HTTP or not. */
export async function startRawServer(
  talk: (socket: Socket, head: string) => void,
): Promise<LocalServer> {
  const asked: string[] = []
  const server = createTcpServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (data) => {
      asked.push(data.toString('latin1').split(' HTTP', 1)[0] ?? '')
      talk(socket, data.toString('latin1'))
    })
  })
  return listen(server, asked)
}

async function listen(server: Server, asked: string[]): Promise<LocalServer> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  running.push({
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  })
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  return { port, origin: `http://127.0.0.1:${port}`, asked }
}

/** A look-up that answers from a table, each name's answers in turn (the last for good), and counts. */
export function tableResolver(table: Readonly<Record<string, readonly (readonly string[])[]>>): {
  readonly resolve: ResolveHost
  readonly names: string[]
} {
  const names: string[] = []
  const resolve: ResolveHost = async (host) => {
    const answers = table[host] ?? []
    const turn = names.filter((name) => name === host).length
    names.push(host)
    const found = answers[Math.min(turn, answers.length - 1)]
    if (found === undefined) {
      throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' })
    }
    return found.map(toHostAddress)
  }
  return { resolve, names }
}

function toHostAddress(address: string): HostAddress {
  return { address, family: address.includes(':') ? 6 : 4 }
}

/** Does the work and counts the sockets that it opens, as Node itself tells; `closed` ends each before it reaches anything. */
export async function countingSockets<T>(
  work: () => Promise<T>,
  mode: 'open' | 'closed' = 'open',
): Promise<{ readonly value: T; readonly sockets: number }> {
  let sockets = 0
  const count = (message: unknown) => {
    sockets++
    if (mode === 'closed') (message as { readonly socket: Socket }).socket.destroy()
  }
  const opened = channel('net.client.socket')
  opened.subscribe(count)
  try {
    return { value: await work(), sockets }
  } finally {
    opened.unsubscribe(count)
  }
}
