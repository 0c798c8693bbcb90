import type { IncomingHttpHeaders } from 'node:http'
import { describe, expect, it } from 'vitest'
import { guardedFetch } from '../../../src/sources/web/guarded-fetch.ts'
import { countingSockets, startServer, tableResolver } from './raw-server.ts'

/** A server that leads to `location` from every address but `/end`. */
function startLeading(status: number, location: string) {
  return startServer((request, response) => {
    if (request.url === '/end') response.end('the end')
    else response.writeHead(status, { location }).end()
  })
}

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('of status %i is followed', async (status) => {
    const server = await startLeading(status, '/end')
    const { value, sockets } = await countingSockets(() =>
      guardedFetch(`${server.origin}/a`, { allowedOrigins: [server.origin] }),
    )
    expect(value).toMatchObject({ ok: true, url: `${server.origin}/end` })
    expect(sockets).toBe(2)
  })

  it.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/',
    'http://127.0.0.1:1/',
    'http://0x7f000001/',
    'http://localhost/',
    '//10.0.0.1/',
    '//private.example.com/',
    'http://mixed.example.com/',
  ])('to %s is not followed', async (location) => {
    const server = await startLeading(302, location)
    const { resolve } = tableResolver({
      'private.example.com': [['192.168.1.1']],
      'mixed.example.com': [['93.184.215.14', '::1']],
    })
    const { value, sockets } = await countingSockets(() =>
      guardedFetch(server.origin, { allowedOrigins: [server.origin], resolve }),
    )
    expect(value).toMatchObject({ ok: false, failure: { reason: 'blocked_address' } })
    expect(sockets).toBe(1)
  })

  it.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://a:b@example.com/',
    'http://[::1',
    'ftp://example.com',
  ])('to %s is no web address', async (location) => {
    const server = await startLeading(302, location)
    const outcome = await guardedFetch(server.origin, { allowedOrigins: [server.origin] })
    expect(outcome).toMatchObject({ ok: false, failure: { reason: 'bad_url' } })
  })

  it('is checked in the fifth step as in the first, and the sixth is not taken', async () => {
    const server = await startServer((request, response) => {
      const left = Number(request.url?.slice(1))
      if (left === 0) response.end('the end')
      else response.writeHead(302, { location: `/${left - 1}` }).end()
    })
    const allowedOrigins = [server.origin]
    expect(await guardedFetch(`${server.origin}/5`, { allowedOrigins })).toMatchObject({ ok: true })
    expect(await guardedFetch(`${server.origin}/6`, { allowedOrigins })).toMatchObject({
      ok: false,
      failure: { reason: 'too_many_redirects' },
    })
    expect(server.asked).toHaveLength(12)
  })

  it('without an end is too many', async () => {
    const server = await startLeading(302, '/again')
    const outcome = await guardedFetch(server.origin, { allowedOrigins: [server.origin] })
    expect(outcome).toMatchObject({ ok: false, failure: { reason: 'too_many_redirects' } })
  })

  it('in UTF-8, as servers write it, is read as that', async () => {
    const server = await startServer((request, response) => {
      if (request.url !== '/') response.end(request.url)
      else response.writeHead(302, { location: Buffer.from('/Zürich').toString('latin1') }).end()
    })
    const outcome = await guardedFetch(server.origin, { allowedOrigins: [server.origin] })
    expect(outcome).toMatchObject({ ok: true, url: `${server.origin}/Z%C3%BCrich` })
  })

  it('that leads nowhere is a status', async () => {
    const server = await startServer((_request, response) => response.writeHead(302).end())
    const outcome = await guardedFetch(server.origin, { allowedOrigins: [server.origin] })
    expect(outcome).toMatchObject({ ok: false, failure: { reason: 'http_status', status: 302 } })
  })

  it('counts to the whole time', async () => {
    const server = await startServer((_request, response) => {
      setTimeout(() => response.writeHead(302, { location: '/again' }).end(), 60)
    })
    const outcome = await guardedFetch(server.origin, {
      allowedOrigins: [server.origin],
      timeoutMs: 150,
    })
    expect(outcome).toMatchObject({ ok: false, failure: { reason: 'timeout' } })
  })
})

describe('what goes along with a redirect', () => {
  const secrets = {
    authorization: 'Bearer secret',
    cookie: 'a=secret',
    'X-Subscription-Token': 'secret',
    'x-api-key': 'secret',
    'accept-language': 'de',
  }

  async function headersAfter(target: 'same' | 'other', status = 302) {
    let seen: IncomingHttpHeaders = {}
    const other = await startServer((request, response) => {
      seen = request.headers
      response.end('the end')
    })
    const first = await startServer((request, response) => {
      seen = request.headers
      if (request.url === '/end') response.end('the end')
      else {
        const location = target === 'same' ? '/end' : `${other.origin}/end`
        response.writeHead(status, { location }).end()
      }
    })
    const allowedOrigins = [first.origin, other.origin]
    const outcome = await guardedFetch(first.origin, { allowedOrigins, headers: secrets })
    expect(outcome.ok).toBe(true)
    return seen
  }

  it('is no key, cookie or token to another origin', async () => {
    const seen = await headersAfter('other')
    expect(JSON.stringify(seen)).not.toContain('secret')
    expect(seen).toMatchObject({ 'accept-language': 'de', accept: '*/*' })
  })

  it('is everything to the same origin', async () => {
    expect(await headersAfter('same')).toMatchObject({
      authorization: 'Bearer secret',
      'x-subscription-token': 'secret',
    })
  })

  it.each([
    [301, 'GET', ''],
    [302, 'GET', ''],
    [303, 'GET', ''],
    [307, 'POST', 'the body'],
    [308, 'POST', 'the body'],
  ])('of status %i is %s and "%s"', async (status, method, body) => {
    let type: string | undefined
    const server = await startServer((request, response) => {
      if (request.url === '/') {
        response.writeHead(status, { location: '/end' }).end()
        return
      }
      type = request.headers['content-type']
      request.pipe(response)
    })
    const outcome = await guardedFetch(server.origin, {
      allowedOrigins: [server.origin],
      method: 'POST',
      body: 'the body',
      headers: { 'content-type': 'text/plain' },
    })
    expect(outcome.ok && new TextDecoder().decode(outcome.bytes)).toBe(body)
    expect(server.asked[1]).toBe(`${method} /end`)
    expect(type).toBe(method === 'GET' ? undefined : 'text/plain')
  })

  it('is no body to another origin: nothing is sent there', async () => {
    const other = await startServer((_request, response) => response.end('the end'))
    const first = await startLeading(307, `${other.origin}/end`)
    const outcome = await guardedFetch(first.origin, {
      allowedOrigins: [first.origin, other.origin],
      method: 'POST',
      body: 'the question',
    })
    expect(outcome).toMatchObject({ ok: false, failure: { reason: 'http_status', status: 307 } })
    expect(other.asked).toEqual([])
  })
})
