import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FetchFailure, FetchOutcome } from '../../../src/sources/web/fetch-failure.ts'
import { guardedFetch } from '../../../src/sources/web/guarded-fetch.ts'
import { countingSockets, startRawServer, startServer, tableResolver } from './raw-server.ts'

function failureOf(outcome: FetchOutcome): FetchFailure {
  if (outcome.ok) throw new Error(`${outcome.url} was fetched`)
  return outcome.failure
}

const nobody = tableResolver({})

describe('an address that is asked for', () => {
  it.each([
    ['http://127.0.0.1:8080/', 'blocked_address'],
    ['http://2130706433/', 'blocked_address'],
    ['http://0x7f.0.0.1/', 'blocked_address'],
    ['http://0177.0.0.1/', 'blocked_address'],
    ['http://127.1/', 'blocked_address'],
    ['http://0/', 'blocked_address'],
    ['http://127.0.0.1./', 'blocked_address'],
    ['http://[::1]/', 'blocked_address'],
    ['http://[::ffff:127.0.0.1]/', 'blocked_address'],
    ['http://[::ffff:0:127.0.0.1]/', 'blocked_address'],
    ['http://[::127.0.0.1]/', 'blocked_address'],
    ['http://[64:ff9b::a9fe:a9fe]/', 'blocked_address'],
    ['http://[2002:7f00:1::]/', 'blocked_address'],
    ['http://[2001:0:4136:e378:8000:63bf:f5ff:fffe]/', 'blocked_address'],
    ['http://①②⑦.⓪.⓪.①/', 'blocked_address'],
    ['http://169。254。169。254/', 'blocked_address'],
    ['http://LOCALHOST/', 'blocked_address'],
    ['http://localhost./', 'blocked_address'],
    ['http://localhost../', 'blocked_address'],
    ['http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/', 'blocked_address'],
    ['http://%6c%6f%63alhost/', 'blocked_address'],
    ['http:127.0.0.1/', 'blocked_address'],
    ['hTTp:\\\\127.0.0.1\\', 'blocked_address'],
    ['http://metadata.google.internal/computeMetadata/v1/', 'blocked_address'],
    ['http://1.1.1.1:22/', 'blocked_address'],
    ['https://1.1.1.1:25/', 'blocked_address'],
    ['http://1.1.1.1:6667/', 'blocked_address'],
    ['http://me:secret@1.1.1.1/', 'bad_url'],
    ['http://1.1.1.1 &@2.2.2.2# @3.3.3.3/', 'bad_url'],
    ['http://256.1.1.1/', 'bad_url'],
    ['http://[fe80::1%25eth0]/', 'bad_url'],
    ['http://[::1]extra/', 'bad_url'],
    ['http://exa mple.com/', 'bad_url'],
    ['http:///', 'bad_url'],
    ['file:///etc/passwd', 'bad_url'],
    ['ftp://1.1.1.1/', 'bad_url'],
    ['gopher://1.1.1.1:70/_x', 'bad_url'],
    ['data:text/html,hello', 'bad_url'],
    ['javascript:alert(1)', 'bad_url'],
    ['blob:http://1.1.1.1/', 'bad_url'],
    ['ws://1.1.1.1/', 'bad_url'],
    ['/relative', 'bad_url'],
    ['', 'bad_url'],
    [`http://1.1.1.1/${'a'.repeat(9_000)}`, 'bad_url'],
  ])('%s is refused without a look-up or a socket: %s', async (address, reason) => {
    const { value, sockets } = await countingSockets(
      () => guardedFetch(address, { resolve: nobody.resolve }),
      'closed',
    )
    expect(failureOf(value)).toMatchObject({
      reason,
      detail: expect.stringMatching(/\w/),
      hint: expect.stringMatching(/\w/),
    })
    expect(sockets).toBe(0)
    expect(nobody.names).toEqual([])
  })

  it('opens no socket and throws nothing, whatever it is, where names lead inside', async () => {
    const resolve = async () => [{ address: '10.0.0.1', family: 4 }] as const
    const ipv4 = fc.nat(2 ** 32 - 1).map((bits) => `http://${(bits % 2 ** 24) + 10 * 2 ** 24}/`)
    const ipv6 = fc
      .ipV6()
      .map((address) => `http://[fc00:${address.slice(address.indexOf(':') + 1)}]`)
    const host = fc.string({ unit: 'binary' }).map((text) => `http://${text}.example.com/`)
    const anything = fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl(), host, ipv4, ipv6)
    const { sockets } = await countingSockets(
      () =>
        fc.assert(
          fc.asyncProperty(anything, async (address) => {
            const { reason } = failureOf(await guardedFetch(address, { resolve }))
            expect(['bad_url', 'blocked_address']).toContain(reason)
          }),
          { numRuns: 1_000 },
        ),
      'closed',
    )
    expect(sockets).toBe(0)
  })

  it('never shows a name and password that it holds', async () => {
    const failure = failureOf(await guardedFetch('http://me:secret@1.1.1.1/'))
    expect(JSON.stringify(failure)).not.toContain('secret')
  })
})

describe("a name's addresses", () => {
  it.each([
    ['private', ['10.0.0.7']],
    ['private among public ones', ['93.184.215.14', '10.0.0.7']],
    ['public before a private one of IPv6', ['93.184.215.14', 'fd00::1']],
    ['the metadata service', ['169.254.169.254']],
    ['loopback inside IPv6', ['::ffff:127.0.0.1']],
  ])('that are %s are refused without a socket', async (_what, addresses) => {
    const { resolve } = tableResolver({ 'a.example.com': [addresses] })
    const { value, sockets } = await countingSockets(
      () => guardedFetch('http://a.example.com/', { resolve }),
      'closed',
    )
    expect(failureOf(value)).toMatchObject({ reason: 'blocked_address' })
    expect(sockets).toBe(0)
  })

  it('are not told to whoever asks', async () => {
    const { resolve } = tableResolver({ 'wiki.example.com': [['10.20.30.40']] })
    const failure = failureOf(await guardedFetch('http://wiki.example.com/', { resolve }))
    expect(JSON.stringify(failure)).not.toContain('10.20.30.40')
  })

  it('are looked up once, and the connection goes there whatever the name says next', async () => {
    const server = await startServer((_request, response) => response.end('here'))
    const origin = `http://a.example.com:${server.port}`
    const { resolve, names } = tableResolver({ 'a.example.com': [['127.0.0.1'], ['127.0.0.9']] })
    const outcome = await guardedFetch(origin, { resolve, allowedOrigins: [origin] })
    expect(outcome).toMatchObject({ ok: true, url: `${origin}/` })
    expect(names).toEqual(['a.example.com'])
  })

  it('are tried one after the other', async () => {
    const server = await startServer((_request, response) => response.end('here'))
    const origin = `http://a.example.com:${server.port}`
    const { resolve } = tableResolver({ 'a.example.com': [['::1', '127.0.0.1']] })
    const outcome = await guardedFetch(origin, { resolve, allowedOrigins: [origin] })
    expect(outcome).toMatchObject({ ok: true })
  })

  it('may be none', async () => {
    const { resolve } = tableResolver({ 'empty.example.com': [[]] })
    const failure = failureOf(await guardedFetch('http://empty.example.com/', { resolve }))
    expect(failure).toMatchObject({ reason: 'dns' })
    expect(failureOf(await guardedFetch('http://not.example.com/', { resolve }))).toMatchObject({
      reason: 'dns',
      code: 'ENOTFOUND',
      detail: 'The host name not.example.com could not be resolved.',
    })
  })

  it('are not waited for when the time is up', async () => {
    const resolve = () => new Promise<never>(() => {})
    const outcome = await guardedFetch('http://a.example.com/', { resolve, timeoutMs: 50 })
    expect(failureOf(outcome)).toMatchObject({ reason: 'timeout' })
  })
})

describe('an allowed origin', () => {
  it('is no other port, scheme or name', async () => {
    const server = await startServer((_request, response) => response.end('here'))
    const allowedOrigins = [server.origin]
    expect(await guardedFetch(server.origin, { allowedOrigins })).toMatchObject({ ok: true })
    for (const address of [
      `http://127.0.0.1:${server.port + 1}/`,
      `https://127.0.0.1:${server.port}/`,
      `http://localhost:${server.port}/`,
    ]) {
      const { value, sockets } = await countingSockets(() =>
        guardedFetch(address, { allowedOrigins }),
      )
      expect(failureOf(value)).toMatchObject({ reason: 'blocked_address' })
      expect(sockets).toBe(0)
    }
  })
})

describe('what is fetched', () => {
  it('comes with its address, its type and its bytes; the request says what is taken', async () => {
    let headers = {}
    const server = await startServer((request, response) => {
      headers = request.headers
      response.setHeader('content-type', 'text/plain; charset=utf-8')
      response.setHeader('set-cookie', 'a=1')
      response.end('hello')
    })
    const outcome = await guardedFetch(`${server.origin}/a?b=c#d`, {
      allowedOrigins: [server.origin],
      accept: ['text/*'],
      headers: { 'user-agent': 'Tester/1' },
    })
    expect(outcome).toMatchObject({ ok: true, url: `${server.origin}/a?b=c`, status: 200 })
    if (!outcome.ok) throw new Error('not fetched')
    expect(new TextDecoder().decode(outcome.bytes)).toBe('hello')
    expect(outcome.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(outcome.headers['set-cookie']).toBeUndefined()
    expect(headers).toMatchObject({
      accept: 'text/*',
      'user-agent': 'Tester/1',
      'accept-encoding': 'gzip, br, deflate',
    })
  })

  it('may be asked for with a body', async () => {
    const server = await startServer((request, response) => {
      request.pipe(response)
    })
    const outcome = await guardedFetch(server.origin, {
      allowedOrigins: [server.origin],
      method: 'POST',
      body: '{"q":"ä"}',
      headers: { 'content-type': 'application/json' },
    })
    expect(outcome.ok && new TextDecoder().decode(outcome.bytes)).toBe('{"q":"ä"}')
  })

  it('is refused unread when it is of a type that is not taken', async () => {
    const server = await startServer((_request, response) => {
      response.setHeader('content-type', 'video/mp4')
      response.write('x')
    })
    const outcome = await guardedFetch(server.origin, {
      allowedOrigins: [server.origin],
      accept: ['text/html', 'image/*'],
    })
    expect(failureOf(outcome)).toMatchObject({
      reason: 'unsupported_type',
      detail: 'Its type video/mp4 is not supported.',
    })
  })
})

describe('a status that is no success', () => {
  it('comes with the wait that the source asks for and with what it says', async () => {
    const server = await startServer((_request, response) => {
      response.writeHead(429, { 'retry-after': '7', 'content-type': 'application/json' })
      response.end('{"error":"slow down"}')
    })
    const outcome = await guardedFetch(server.origin, { allowedOrigins: [server.origin] })
    expect(failureOf(outcome)).toEqual({
      reason: 'http_status',
      status: 429,
      url: `${server.origin}/`,
      detail: '127.0.0.1 received too many requests (HTTP 429).',
      hint: 'Try again later.',
      said: '{"error":"slow down"}',
      retryAfterMs: 7_000,
    })
  })

  it('is told without the words of a source that never ends them', async () => {
    const server = await startServer((_request, response) => {
      response.writeHead(500, { 'content-type': 'text/plain' })
      response.write('because')
    })
    const outcome = await guardedFetch(server.origin, { allowedOrigins: [server.origin] })
    expect(failureOf(outcome)).toMatchObject({ reason: 'http_status', status: 500 })
  })

  it.each([204, 304, 300, 399, 404, 418, 451, 503, 599])('%i is one outcome', async (status) => {
    const server = await startServer((_request, response) => response.writeHead(status).end())
    const outcome = await guardedFetch(server.origin, { allowedOrigins: [server.origin] })
    if (status === 204) expect(outcome).toMatchObject({ ok: true, status: 204 })
    else expect(failureOf(outcome)).toMatchObject({ reason: 'http_status', status })
  })
})

describe('a fetch that is stopped', () => {
  it.each(['before the head', 'in the body'])('is cancelled %s', async (when) => {
    const stop = new AbortController()
    const server = await startServer((_request, response) => {
      if (when === 'in the body') response.write('some')
      setTimeout(() => stop.abort(), 30)
    })
    const { signal } = stop
    const outcome = await guardedFetch(server.origin, { allowedOrigins: [server.origin], signal })
    expect(failureOf(outcome)).toMatchObject({ reason: 'cancelled' })
  })

  it('is cancelled before it begins, without a socket', async () => {
    const allowedOrigins = ['http://127.0.0.1:9999']
    const { value, sockets } = await countingSockets(() =>
      guardedFetch('http://127.0.0.1:9999/', { allowedOrigins, signal: AbortSignal.abort() }),
    )
    expect(failureOf(value)).toMatchObject({ reason: 'cancelled' })
    expect(sockets).toBe(0)
  })

  it.each([
    ['no head comes', { firstByteMs: 60 }, 'none'],
    ['no head comes in the whole time', { timeoutMs: 60 }, 'none'],
    ['the body drips', { timeoutMs: 150, firstByteMs: 100 }, 'drip'],
  ])('times out when %s', async (_when, limits, body) => {
    const server = await startServer((_request, response) => {
      if (body === 'none') return
      const timer = setInterval(() => response.write('x'), 10)
      response.on('close', () => clearInterval(timer))
    })
    const outcome = await guardedFetch(server.origin, {
      allowedOrigins: [server.origin],
      ...limits,
    })
    expect(failureOf(outcome)).toMatchObject({ reason: 'timeout' })
  })
})

describe('a connection that fails', () => {
  it('is refused where nothing listens', async () => {
    const outcome = await guardedFetch('http://127.0.0.1:1/', {
      allowedOrigins: ['http://127.0.0.1:1'],
    })
    expect(failureOf(outcome)).toMatchObject({ reason: 'refused', code: 'ECONNREFUSED' })
  })

  it.each([
    ['it is reset at once', '', 'reset'],
    ['it ends in the head', 'HTTP/1.1 200 OK\r\ncontent-le', 'reset'],
    ['it ends in the body', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf', 'reset'],
    [
      'it ends in a chunk',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\nhalf',
      'reset',
    ],
    ['it uses another protocol', 'SSH-2.0-OpenSSH_9.6\r\n', 'bad_answer'],
    ['its head has no end', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}`, 'bad_answer'],
    [
      'a chunk has no length',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
      'reset',
    ],
    [
      'it switches protocols',
      'HTTP/1.1 101 Switching\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n',
      'bad_answer',
    ],
  ])('is a failure when %s', async (_when, said, reason) => {
    const server = await startRawServer((socket) => socket.end(said))
    const outcome = await guardedFetch(server.origin, { allowedOrigins: [server.origin] })
    expect(failureOf(outcome)).toMatchObject({ reason })
  })

  it('is read to the length that it tells, whatever comes after it', async () => {
    const server = await startRawServer((socket) =>
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nhalf and more'),
    )
    const outcome = await guardedFetch(server.origin, { allowedOrigins: [server.origin] })
    expect(outcome.ok && new TextDecoder().decode(outcome.bytes)).toBe('half')
  })

  it('is insecure where a server speaks no TLS', async () => {
    const server = await startRawServer((socket) => socket.end('HTTP/1.1 400 Bad\r\n\r\n'))
    const origin = `https://127.0.0.1:${server.port}`
    const outcome = await guardedFetch(origin, { allowedOrigins: [origin] })
    expect(failureOf(outcome)).toMatchObject({ reason: 'tls' })
  })
})
