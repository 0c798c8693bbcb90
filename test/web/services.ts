import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a service answers to one request. */
export interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | object
}

/** A request as a service sees it. */
export interface Seen {
  readonly method: string
  readonly url: URL
  readonly body: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** A service of the web on loopback, which counts on its own. */
export interface Service {
  /** Without a slash at its end. */
  readonly origin: string
  readonly requests: readonly Seen[]
  close(): Promise<void>
}

/** Starts a service that answers each request as told; what is an object goes out as JSON, a text as HTML. */
export async function startService(answer: (seen: Seen) => Reply): Promise<Service> {
  const requests: Seen[] = []
  const server: Server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const url = new URL(request.url ?? '/', 'http://service.test')
    const seen = { method: request.method ?? '', url, body, headers: request.headers }
    requests.push(seen)
    const reply = answer(seen)
    const isText = typeof reply.body === 'string'
    response.writeHead(reply.status ?? 200, {
      'content-type': isText ? 'text/html; charset=utf-8' : 'application/json',
      ...reply.headers,
    })
    response.end(isText ? reply.body : JSON.stringify(reply.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** A page with enough words that its main text is found. */
export function pageOf(title: string, ...paragraphs: readonly string[]): string {
  const text = paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('\n')
  return `<!doctype html><html lang="en"><head><title>${title}</title><meta name="author" content="Ada Quill"></head><body><nav><a href="/">Home</a></nav><article><h1>${title}</h1>${text}</article></body></html>`
}

/** What Tavily and SearXNG answer with these pages. */
export function hits(...pages: readonly (readonly [title: string, url: string, words: string])[]) {
  return { results: pages.map(([title, url, content]) => ({ title, url, content })) }
}
