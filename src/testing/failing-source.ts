import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A running server. */
export interface FailingSource {
  /** Without a slash at its end. */
  readonly url: string
  /** All requests so far, in the order of their coming. */
  readonly requests: readonly SourceRequest[]
  /** Ends the server. */
  close(): Promise<void>
}

/** What a path gives: one reply for ever, or one after the other, the last of them for ever. */
export type SourceRoutes = Readonly<Record<string, SourceReply | readonly SourceReply[]>>

/**
 * Starts a web server on a free loopback port that answers as sources do on bad days: for tests of tools that read over HTTP.
 * It counts on its own, so that what a tool says can be held against it.
 *
 * @param routes by path; any other path is not found
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
  if (reply.isEndless) return sendForEver(response, body, seen)
  if (reply.cut !== undefined) return sendCut(response, body, reply.cut, seen)
  seen.sentBytes += body.length
  response.end(body)
  // What was promised does not come any more.
  if (contentLength !== undefined) setTimeout(() => request.socket.destroy(), 5)
}

/** Sends a body again and again for as long as somebody reads it. */
async function sendForEver(response: ServerResponse, body: Buffer, seen: Seen): Promise<void> {
  const chunk = body.length > 0 ? body : Buffer.from('.')
  const piece = Buffer.concat(Array(Math.ceil(65_536 / chunk.length)).fill(chunk))
  while (!response.destroyed) {
    seen.sentBytes += piece.length
    if (!response.write(piece)) await drained(response)
    await wait(0)
  }
}

function drained(response: ServerResponse): Promise<void> {
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
  // Once what was written is on its way: a connection that is closed at once may lose it.
  setTimeout(() => {
    if (by === 'reset') response.socket?.resetAndDestroy()
    else response.destroy()
  }, 5)
}

async function wait(delayMs: number | undefined): Promise<void> {
  if (delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, delayMs))
}

/** One request that the server got. */
export interface SourceRequest {
  /** With the query. */
  readonly path: string
  readonly method: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** When it came, in milliseconds from any beginning. */
  readonly atMs: number
  /** How much of a body was given to the connection so far. */
  readonly sentBytes: number
  /** Whether the answer is over, to its end or because somebody closed the connection. */
  readonly isClosed: boolean
}

/** A page, whole or in one of the ways in which it can be broken. */
export interface SourcePage {
  /** Default 200. */
  readonly status?: number
  /** Beside the content type, which is HTML where this does not say otherwise. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** How long it takes until the answer begins. */
  readonly delayMs?: number
  /** The length that is promised in place of the true one. */
  readonly contentLength?: number
  /** Only so much of the body comes; then the connection is reset or closed, or nothing more comes. */
  readonly cut?: { readonly afterBytes: number; readonly by: 'reset' | 'close' | 'silence' }
  /** The body comes again and again, without an end. */
  readonly isEndless?: boolean
}

/** What a request gets. */
export type SourceReply =
  | SourcePage
  /** A redirection; one to its own path is a loop. */
  | { readonly redirectTo: string; readonly status?: number }
  /** Never answers. */
  | { readonly hang: true }
  /** Resets the connection without an answer. */
  | { readonly reset: true }
