import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A running server. */
export interface FailingSource {
  /** Without a trailing slash. */
  readonly url: string
  /** All requests so far, in order of arrival. */
  readonly requests: readonly SourceRequest[]
  /** Stops the server. */
  close(): Promise<void>
}

/** Replies by path: one reply for every request, or a list in order, of which the last is repeated. */
export type SourceRoutes = Readonly<Record<string, SourceReply | readonly SourceReply[]>>

/**
 * Starts a web server on a free loopback port that fails the way real sources do, for tests of tools that read over HTTP. It
 * counts requests itself, so that a tool's claims can be checked.
 * @param routes replies by path; any other path is not found
 */
export async function startFailingSource(routes: SourceRoutes): Promise<FailingSource> {
  const requests: Seen[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    const number = requests.filter((seen) => seen.path === path).length
    const seen = new Seen(request, response)
    requests.push(seen)
    const given = Object.hasOwn(routes, path) ? routes[path] : undefined
    const replies = given === undefined ? [notFound] : isList(given) ? given : [given]
    const reply = replies[Math.min(number, replies.length - 1)] ?? notFound
    void answer(request, response, reply, seen)
  })
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

const notFound: SourcePage = { status: 404, body: 'There is nothing here.' }

function isList(given: SourceReply | readonly SourceReply[]): given is readonly SourceReply[] {
  return Array.isArray(given)
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

class Seen implements SourceRequest {
  readonly path: string
  readonly method: string
  readonly headers: SourceRequest['headers']
  readonly atMs = performance.now()
  sentBytes = 0
  isClosed = false

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.path = request.url ?? '/'
    this.method = request.method ?? ''
    this.headers = request.headers
    response.on('close', () => {
      this.isClosed = true
    })
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  reply: SourceReply,
  seen: Seen,
): Promise<void> {
  if ('hang' in reply) return
  if ('reset' in reply) {
    request.socket.resetAndDestroy()
    return
  }
  if ('redirectTo' in reply) {
    response.writeHead(reply.status ?? 302, { location: reply.redirectTo }).end()
    return
  }
  await wait(reply.delayMs)
  if (response.destroyed) return
  const body = Buffer.from(reply.body ?? '')
  const { status = 200, headers = {}, contentLength } = reply
  const length = reply.isEndless ? {} : { 'content-length': String(contentLength ?? body.length) }
  response.strictContentLength = false
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...length, ...headers })
  if (reply.isEndless) return sendEndlessly(response, body, seen)
  if (reply.cut !== undefined) return sendCut(response, body, reply.cut, seen)
  seen.sentBytes += body.length
  response.end(body)
  // The rest of the promised body never comes.
  if (contentLength !== undefined) setTimeout(() => request.socket.destroy(), 5)
}

/** Sends a body repeatedly for as long as the client reads. */
async function sendEndlessly(response: ServerResponse, body: Buffer, seen: Seen): Promise<void> {
  const chunk = body.length > 0 ? body : Buffer.from('.')
  const piece = Buffer.concat(Array(Math.ceil(65_536 / chunk.length)).fill(chunk))
  while (!response.destroyed) {
    seen.sentBytes += piece.length
    if (!response.write(piece)) await waitForDrain(response)
    await wait(0)
  }
}

function waitForDrain(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      response.off('drain', stop)
      response.off('close', stop)
      resolve()
    }
    response.on('drain', stop)
    response.on('close', stop)
  })
}

function sendCut(
  response: ServerResponse,
  body: Buffer,
  { afterBytes, by }: NonNullable<SourcePage['cut']>,
  seen: Seen,
): void {
  const half = body.subarray(0, afterBytes)
  seen.sentBytes += half.length
  response.write(half)
  if (by === 'silence') return
  // Waits until the written data is on its way: closing the connection at once may lose it.
  setTimeout(() => {
    if (by === 'reset') response.socket?.resetAndDestroy()
    else response.destroy()
  }, 5)
}

async function wait(delayMs: number | undefined): Promise<void> {
  if (delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, delayMs))
}

/** A request that the server received. */
export interface SourceRequest {
  /** Including the query. */
  readonly path: string
  readonly method: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Time of arrival, in milliseconds from an arbitrary start. */
  readonly atMs: number
  /** Bytes of the body passed to the connection so far. */
  readonly sentBytes: number
  /** Whether the response is over: complete, or closed by either side. */
  readonly isClosed: boolean
}

/** A page, optionally broken in some way. */
export interface SourcePage {
  /** Default 200. */
  readonly status?: number
  /** Headers in addition to the content type, which defaults to HTML. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Delay before the response begins, in milliseconds. */
  readonly delayMs?: number
  /** A false `content-length`. */
  readonly contentLength?: number
  /** Sends only this much of the body; then resets or closes the connection, or sends nothing more. */
  readonly cut?: { readonly afterBytes: number; readonly by: 'reset' | 'close' | 'silence' }
  /** Whether the body is repeated without end. */
  readonly isEndless?: boolean
}

/** The reply to a request. */
export type SourceReply =
  | SourcePage
  /** A redirect; to its own path it is a loop. */
  | { readonly redirectTo: string; readonly status?: number }
  /** Never responds. */
  | { readonly hang: true }
  /** Resets the connection without a response. */
  | { readonly reset: true }
