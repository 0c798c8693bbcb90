import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createWeb, type WebSettings } from '../../../src/sources/web/web.ts'
import { createQuickClock } from '../../../src/testing/index.ts'
import { startRawServer, startServer, tableResolver } from './raw-server.ts'

/** A web that may ask the servers of a test, on a clock that does not wait. */
function webTo(origins: readonly string[], settings: Partial<WebSettings> = {}) {
  const clock = createQuickClock()
  const web = createWeb({
    clock,
    random: () => 0.5,
    userAgent: 'Scholium/test',
    allowedOrigins: origins,
    pace: { atOnce: 2, gapMs: 0 },
    ...settings,
  })
  return { web, clock }
}

/** A server that gives these answers in turn, the last for good. */
function startTurns(...turns: ((response: ServerResponse) => void)[]) {
  let turn = 0
  return startServer((_request, response) => {
    turns[Math.min(turn++, turns.length - 1)]?.(response)
  })
}

const fine = (response: ServerResponse) => response.end('fine')
const reset = (response: ServerResponse) => response.destroy()
const status =
  (code: number, headers = {}) =>
  (response: ServerResponse) =>
    response.writeHead(code, headers).end()

describe('a failure that passes', () => {
  it.each([
    ['a reset', reset],
    [
      'half a body',
      (response: ServerResponse) =>
        response.writeHead(200, { 'content-length': 9 }).write('half', () => response.destroy()),
    ],
    ['a gateway without an answer', status(502)],
    ['a gateway without an answer in time', status(504)],
    ['a server that cannot answer now', status(503)],
  ])('(%s) is tried twice more, later each time', async (_what, broken) => {
    const server = await startTurns(broken, broken, fine)
    const { web, clock } = webTo([server.origin])
    expect(await web.fetch(server.origin)).toMatchObject({ ok: true })
    expect(server.asked).toHaveLength(3)
    expect(clock.waitsMs).toEqual([501, 1001])
  })

  it('that does not pass in three attempts is the outcome', async () => {
    const server = await startTurns(reset)
    const { web } = webTo([server.origin])
    expect(await web.fetch(server.origin)).toMatchObject({
      ok: false,
      failure: { reason: 'reset' },
    })
    expect(server.asked).toHaveLength(3)
  })

  it('of the name server is tried again', async () => {
    let lookUps = 0
    const resolve = async () => {
      lookUps++
      throw Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN' })
    }
    const { web } = webTo([], { resolve })
    expect(await web.fetch('http://a.example.com/')).toMatchObject({
      ok: false,
      failure: { reason: 'dns', code: 'EAI_AGAIN' },
    })
    expect(lookUps).toBe(3)
  })

  it('is waited for as long as the source asks', async () => {
    const server = await startTurns(status(429, { 'retry-after': '4' }), fine)
    const { web, clock } = webTo([server.origin])
    expect(await web.fetch(server.origin)).toMatchObject({ ok: true })
    expect(clock.waitsMs).toEqual([4_001])
  })
})

it('a failure for which the source rests is not tried again, and stays the reason', async () => {
  const server = await startTurns(status(429), fine)
  const { web } = webTo([server.origin])
  expect(await web.fetch(server.origin)).toMatchObject({ failure: { status: 429 } })
  expect(server.asked).toHaveLength(1)
})

describe('a failure that does not pass', () => {
  it.each([400, 401, 403, 404, 410, 451, 500])('(HTTP %i) is not tried again', async (code) => {
    const server = await startTurns(status(code), fine)
    const { web } = webTo([server.origin])
    expect(await web.fetch(server.origin)).toMatchObject({ ok: false, failure: { status: code } })
    expect(server.asked).toHaveLength(1)
  })

  it('(no such name) is not tried again', async () => {
    const { resolve, names } = tableResolver({})
    const { web } = webTo([], { resolve })
    expect(await web.fetch('http://a.example.com/')).toMatchObject({ failure: { reason: 'dns' } })
    expect(names).toHaveLength(1)
  })

  it('(a body that was sent and may have been taken up) is not sent again', async () => {
    const server = await startRawServer((socket) => socket.destroy())
    const { web } = webTo([server.origin])
    const outcome = await web.fetch(server.origin, { method: 'POST', body: 'q' })
    expect(outcome).toMatchObject({ failure: { reason: 'reset' } })
    expect(server.asked).toHaveLength(1)
  })

  it('(a body that was refused for now) is sent again', async () => {
    const server = await startTurns(status(503), fine)
    const { web } = webTo([server.origin])
    expect(await web.fetch(server.origin, { method: 'POST', body: 'q' })).toMatchObject({
      ok: true,
    })
  })
})

describe('a source that rests', () => {
  it('is not asked, by whoever, until it may be again', async () => {
    const server = await startTurns(status(429, { 'retry-after': '60' }), fine)
    const { web, clock } = webTo([server.origin])
    expect(await web.fetch(server.origin)).toMatchObject({ failure: { status: 429 } })
    const outcome = await web.fetch(`${server.origin}/another`)
    expect(outcome).toMatchObject({
      ok: false,
      failure: {
        reason: 'cooling_down',
        detail: expect.stringMatching(/paused for another 60 s\. .* too many requests/),
      },
    })
    const { retryAfterMs = 0 } = outcome.ok ? {} : outcome.failure
    expect(retryAfterMs).toBeGreaterThan(59_000)
    expect(server.asked).toHaveLength(1)
    clock.advance(60_000)
    expect(await web.fetch(server.origin)).toMatchObject({ ok: true })
  })

  it('is one host; the others continue', async () => {
    const tired = await startTurns(status(429, { 'retry-after': '60' }))
    const awake = await startTurns(fine)
    const { web } = webTo([tired.origin, awake.origin])
    await web.fetch(tired.origin)
    expect(await web.fetch(awake.origin)).toMatchObject({ ok: true })
  })

  it('is a service by its name, wherever it is asked', async () => {
    const first = await startTurns(status(429, { 'retry-after': '60' }))
    const second = await startTurns(fine)
    const { web } = webTo([first.origin, second.origin])
    await web.fetch(first.origin, { source: 'papers' })
    expect(await web.fetch(second.origin, { source: 'papers' })).toMatchObject({
      failure: { reason: 'cooling_down', detail: expect.stringMatching(/^papers is paused/) },
    })
  })

  it('is the host that failed, not the one that led there', async () => {
    const tired = await startTurns(status(429, { 'retry-after': '60' }))
    const leading = await startServer((request, response) => {
      if (request.url === '/') response.writeHead(302, { location: tired.origin }).end()
      else response.end('fine')
    })
    const { web } = webTo([tired.origin, leading.origin])
    expect(await web.fetch(leading.origin)).toMatchObject({ failure: { status: 429 } })
    expect(await web.fetch(`${leading.origin}/page`)).toMatchObject({ ok: true })
    expect(await web.fetch(tired.origin)).toMatchObject({ failure: { reason: 'cooling_down' } })
  })

  it('is told at once to those who stand in line', async () => {
    const server = await startTurns(status(429, { 'retry-after': '60' }))
    const { web, clock } = webTo([server.origin], { pace: { atOnce: 1, gapMs: 1_000 } })
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => web.fetch(server.origin)))
    const reasons = outcomes.map((outcome) => (outcome.ok ? 'ok' : outcome.failure.reason))
    expect(reasons).toEqual(['http_status', ...Array(4).fill('cooling_down')])
    expect(clock.waitsMs.length).toBeLessThan(2)
  })
})

describe('requests to one source', () => {
  it('are two at once by default, with the name of who asks', async () => {
    let now = 0
    let most = 0
    const agents = new Set<string | undefined>()
    const server = await startServer((request, response) => {
      agents.add(request.headers['user-agent'])
      most = Math.max(most, ++now)
      setTimeout(() => {
        now--
        response.end('fine')
      }, 20)
    })
    const { web } = webTo([server.origin], { pace: undefined })
    await Promise.all(Array.from({ length: 6 }, () => web.fetch(server.origin)))
    expect(most).toBe(2)
    expect([...agents]).toEqual(['Scholium/test'])
  })

  it('keep the pace of a service that has its own', async () => {
    const server = await startTurns(fine)
    const { web, clock } = webTo([server.origin], { paces: { slow: { atOnce: 1, gapMs: 3_000 } } })
    for (let count = 0; count < 3; count++) await web.fetch(server.origin, { source: 'slow' })
    expect(clock.waitsMs).toHaveLength(2)
    for (const waitMs of clock.waitsMs) expect(waitMs).toBeGreaterThan(2_900)
  })

  it('end when they are cancelled in line or between attempts', async () => {
    const server = await startTurns(reset)
    const stop = new AbortController()
    const clock = {
      now: () => 0,
      sleep: () => Promise.resolve(stop.abort()).then(() => stop.signal.throwIfAborted()),
    }
    const { web } = webTo([server.origin], { clock })
    const outcome = await web.fetch(server.origin, { signal: stop.signal })
    expect(outcome).toMatchObject({ ok: false, failure: { reason: 'cancelled' } })
    expect(server.asked).toHaveLength(1)
  })

  it('to what is no web address are refused at once', async () => {
    const { web } = webTo([])
    expect(await web.fetch('file:///etc/passwd')).toMatchObject({ failure: { reason: 'bad_url' } })
  })
})
