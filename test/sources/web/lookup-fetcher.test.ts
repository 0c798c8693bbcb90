import { describe, expect, it } from 'vitest'
import { createWeb } from '../../../src/sources/web/web.ts'
import { createQuickClock } from '../../../src/testing/index.ts'
import { createLookupFetcher } from '../../../src/tools/web/web-sources.ts'
import { startServer } from './raw-server.ts'

function fetcherTo(origins: readonly string[], signal?: AbortSignal) {
  const web = createWeb({
    clock: createQuickClock(),
    random: () => 0.5,
    userAgent: 'Scholium/test',
    allowedOrigins: origins,
  })
  return createLookupFetcher(web, signal)
}

describe('a fetch for a look-up', () => {
  it('gives an answer as text', async () => {
    let seen = {}
    const server = await startServer((request, response) => {
      seen = { ...request.headers, method: request.method }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end('{"title":"Über"}')
    })
    const answer = await fetcherTo([server.origin])({
      url: `${server.origin}/search`,
      method: 'POST',
      body: '{}',
      accept: 'application/json',
      headers: { authorization: 'Bearer key', 'user-agent': 'Scholium (me@example.com)' },
    })
    expect(answer).toMatchObject({ ok: true, status: 200, text: '{"title":"Über"}' })
    expect(seen).toMatchObject({
      method: 'POST',
      accept: 'application/json',
      authorization: 'Bearer key',
      'user-agent': 'Scholium (me@example.com)',
    })
  })

  it('gives a refusal with its words and its wait', async () => {
    const server = await startServer((_request, response) => {
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '90' })
      response.end('{"error":"slow down"}')
    })
    const fetcher = fetcherTo([server.origin])
    expect(await fetcher({ url: server.origin })).toEqual({
      ok: true,
      status: 429,
      url: `${server.origin}/`,
      headers: { 'retry-after': '90' },
      text: '{"error":"slow down"}',
    })
    expect(await fetcher({ url: server.origin })).toMatchObject({
      ok: false,
      reason: 'cooling_down',
      retryAfterMs: expect.any(Number),
    })
  })

  it('gives no answer where none came', async () => {
    expect(await fetcherTo([])({ url: 'http://127.0.0.1/' })).toMatchObject({
      ok: false,
      reason: 'blocked_address',
    })
    const cancelled = fetcherTo(['http://127.0.0.1:1'], AbortSignal.abort())
    expect(await cancelled({ url: 'http://127.0.0.1:1/' })).toMatchObject({ reason: 'cancelled' })
  })
})
