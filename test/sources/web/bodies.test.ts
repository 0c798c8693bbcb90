import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { guardedFetch } from '../../../src/sources/web/guarded-fetch.ts'
import { startServer } from './raw-server.ts'

/** The outcome of a body that a server sends with these headers. */
async function fetchBody(
  body: Uint8Array | string,
  headers: Record<string, string>,
  maxBytes = 1_000_000,
) {
  const server = await startServer((_request, response) => {
    response.writeHead(200, headers)
    response.end(body)
  })
  const outcome = await guardedFetch(server.origin, { allowedOrigins: [server.origin], maxBytes })
  return outcome.ok ? new TextDecoder().decode(outcome.bytes) : outcome.failure.reason
}

describe('a packed body', () => {
  const text = 'what it says '.repeat(100)

  it.each([
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['GZIP', gzipSync(text)],
    ['br', brotliCompressSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['identity', text],
    ['', text],
    ['deflate, gzip', gzipSync(deflateSync(text))],
  ])('as %s is unpacked', async (encoding, body) => {
    expect(await fetchBody(body, { 'content-encoding': encoding })).toBe(text)
  })

  it.each([
    ['that is not packed as it says', 'gzip', text],
    ['that ends in the middle', 'gzip', gzipSync(text).subarray(0, 30)],
    ['that ends in the middle', 'br', brotliCompressSync(text).subarray(0, 20)],
    ['that is packed in an unknown way', 'zstd', text],
    ['that is packed three times', 'gzip, gzip, gzip', gzipSync(gzipSync(gzipSync(text)))],
  ])('%s is no sound answer', async (_what, encoding, body) => {
    expect(await fetchBody(body, { 'content-encoding': encoding })).toBe('bad_answer')
  })

  it('of no bytes is empty', async () => {
    expect(await fetchBody('', { 'content-encoding': 'gzip' })).toBe('')
  })
})

describe('a body that is too large', () => {
  const many = Buffer.alloc(200_000_000)

  it.each([
    ['gzip', gzipSync(many)],
    ['br', brotliCompressSync(many)],
    ['deflate', deflateSync(many)],
    ['gzip, gzip', gzipSync(gzipSync(many))],
  ])('when it is unpacked (%s) is given up before it is', async (encoding, body) => {
    expect(body.length).toBeLessThan(1_000_000)
    const before = process.memoryUsage.rss()
    expect(await fetchBody(body, { 'content-encoding': encoding })).toBe('too_large')
    expect(process.memoryUsage.rss() - before).toBeLessThan(100_000_000)
  })

  it('is refused by the length that it tells, unread', async () => {
    const server = await startServer((_request, response) => {
      response.writeHead(200, { 'content-length': '5000000000' })
      response.flushHeaders()
    })
    const outcome = await guardedFetch(server.origin, { allowedOrigins: [server.origin] })
    expect(outcome).toMatchObject({
      ok: false,
      failure: { reason: 'too_large', detail: expect.stringContaining('20 MB') },
    })
  })

  it('is given up where it tells no length and has no end', async () => {
    let sentBytes = 0
    const server = await startServer((_request, response) => {
      const send = () => {
        while (!response.destroyed && response.write(many.subarray(0, 64_000))) sentBytes += 64_000
        if (!response.destroyed) response.once('drain', send)
      }
      send()
    })
    const outcome = await guardedFetch(server.origin, {
      allowedOrigins: [server.origin],
      maxBytes: 1_000_000,
    })
    expect(outcome).toMatchObject({ ok: false, failure: { reason: 'too_large' } })
    expect(sentBytes).toBeLessThan(20_000_000)
  })

  it('is taken up to the last byte that is allowed', async () => {
    expect(await fetchBody('x'.repeat(1_000), {}, 1_000)).toHaveLength(1_000)
    expect(await fetchBody('x'.repeat(1_001), {}, 1_000)).toBe('too_large')
    expect(
      await fetchBody(gzipSync('x'.repeat(1_000)), { 'content-encoding': 'gzip' }, 1_000),
    ).toHaveLength(1_000)
    expect(
      await fetchBody(gzipSync('x'.repeat(1_001)), { 'content-encoding': 'gzip' }, 1_000),
    ).toBe('too_large')
  })
})
