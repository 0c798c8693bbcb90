import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type ComingAnswer, guardedFetch } from '../../../src/sources/web/guarded-fetch.ts'
import { BadAnswer, TimedOut, TooLarge } from '../../../src/sources/web/transport-failure.ts'
import { createWeb } from '../../../src/sources/web/web.ts'
import { createQuickClock } from '../../../src/testing/index.ts'
import { startServer } from './raw-server.ts'

/** A server that cuts off, has nothing, or says with which headers it was asked. */
async function startOddServer(ranges: (string | undefined)[] = []) {
  return startServer((request, response) => {
    ranges.push(request.headers.range)
    if (request.url === '/cut') {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half', () => setTimeout(() => response.destroy(), 10))
    } else if (request.url === '/missing') response.writeHead(404).end('nothing')
    else response.end(JSON.stringify(request.headers))
  })
}

async function taken(path: string, receive: (answer: ComingAnswer) => Promise<void>) {
  const { origin } = await startOddServer()
  return guardedFetch(`${origin}${path}`, { allowedOrigins: [origin], receive })
}

async function textOf({ body }: ComingAnswer): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of body) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}

describe('a body that is taken as it comes', () => {
  it('comes unpacked, with its head, and is not held', async () => {
    const seen: { status: number; headers: unknown }[] = []
    const outcome = await taken('/', async (answer) => {
      seen.push({ status: answer.status, headers: JSON.parse(await textOf(answer)) })
    })
    expect(outcome).toMatchObject({ ok: true, bytes: new Uint8Array() })
    expect(seen).toMatchObject([{ status: 200, headers: { 'accept-encoding': 'identity' } }])
  })

  it.each([
    ['reset', '/cut', async (answer: ComingAnswer) => void (await textOf(answer))],
    ['too_large', '/', () => Promise.reject(new TooLarge(5))],
    ['timeout', '/', () => Promise.reject(new TimedOut(5))],
    ['bad_answer', '/', () => Promise.reject(new BadAnswer('it is odd'))],
  ])('fails as %s', async (reason, path, receive) => {
    expect(await taken(path, receive)).toMatchObject({ ok: false, failure: { reason } })
  })

  it('is not given where the answer is no success, and what the taker throws is thrown', async () => {
    const never = () => Promise.reject(new Error('a mistake'))
    expect(await taken('/missing', never)).toMatchObject({ failure: { status: 404 } })
    await expect(taken('/', never)).rejects.toThrow('a mistake')
  })

  it('is let go when its taker leaves early', async () => {
    const outcome = await taken('/', async () => void (await wait(1)))
    expect(outcome.ok).toBe(true)
  })
})

describe('the headers of an attempt', () => {
  it('are made anew for each', async () => {
    const ranges: (string | undefined)[] = []
    const { origin } = await startOddServer(ranges)
    const web = createWeb({
      clock: createQuickClock(),
      random: () => 0.5,
      userAgent: 'test',
      allowedOrigins: [origin],
    })
    await web.fetch(`${origin}/cut`, {
      headersOfAttempt: async () => ({ range: `bytes=${ranges.length}-` }),
      receive: async (answer) => void (await textOf(answer)),
    })
    expect(ranges).toEqual(['bytes=0-', 'bytes=1-', 'bytes=2-'])
  })

  it('with a range go to where a redirect leads, on another origin too', async () => {
    const ranges: (string | undefined)[] = []
    const { origin } = await startOddServer(ranges)
    const first = await startServer((_request, response) =>
      response.writeHead(302, { location: `${origin}/file` }).end(),
    )
    const headers = { range: 'bytes=7-', 'if-range': '"a"', 'x-key': 'secret' }
    const outcome = await guardedFetch(first.origin, {
      allowedOrigins: [first.origin, origin],
      headers,
    })
    expect(ranges).toEqual(['bytes=7-'])
    expect(outcome.ok && new TextDecoder().decode(outcome.bytes)).not.toContain('secret')
  })
})
