import { chmodSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request as send } from 'node:http'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../src/index.ts'
import { createHandler } from '../../src/server/index.ts'
import { question, ServedApp } from './served-app.ts'

const served = new ServedApp()
const maxStreams = 3
let app: App
beforeAll(async () => {
  app = await served.start({
    hosts: ['study.local'],
    publicUrl: 'https://papers.example.org',
    maxBodyBytes: 10_000,
    maxStreams,
  })
})
afterAll(() => served.close())

const authorization = 'Bearer token-of-the-tests'

/** Sends a request with any headers, which `fetch` would not. */
function raw(
  headers: Record<string, string>,
  { method = 'GET', path = '/api/runs', body = '' } = {},
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = send(`${served.url}${path}`, { method, headers }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

describe('the token', () => {
  it.each([
    ['none', {}],
    ['another', { authorization: 'Bearer token-of-the-testz' }],
    ['a part of it', { authorization: 'Bearer token' }],
    ['in another form', { authorization: 'Basic token-of-the-tests' }],
  ])('is needed: %s is refused', async (_, headers) => {
    for (const path of ['/api/runs', '/api/runs/x/events', '/nothing'])
      expect(await raw(headers, { path })).toBe(401)
  })

  it('is not needed for the description of the API', async () => {
    expect(await raw({}, { path: '/openapi.json' })).toBe(200)
  })

  it('is created once, in a file that only its owner can read, and refused if others can', () => {
    const { token } = createHandler(app)
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(createHandler(app).token).toBe(token)
    const path = join(app.home.path, 'server-token')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    chmodSync(path, 0o640)
    expect(() => createHandler(app)).toThrow('other users of this machine can read it')
    chmodSync(path, 0o600)
    writeFileSync(path, '')
    expect(() => createHandler(app)).toThrow('too short')
    rmSync(path)
    expect(createHandler(app).token).not.toBe(token)
  })

  it.each(['short', 'with a blank in it, and long', ''])('cannot be "%s"', (token) => {
    expect(() => createHandler(app, { token })).toThrow('cannot be used as a token')
  })
})

describe('requests from elsewhere', () => {
  it.each([
    [200, { host: 'localhost:1' }],
    [200, { host: '192.168.1.5:80' }],
    [200, { host: '[::1]:80' }],
    [200, { host: 'study.local:7246' }],
    [200, { host: 'papers.example.org' }],
    [200, { host: 'papers.example.org', origin: 'https://papers.example.org' }],
    [200, { host: 'localhost:1', origin: 'http://localhost:1', 'sec-fetch-site': 'same-origin' }],
    [403, { host: 'evil.example' }],
    [403, { host: 'localhost.evil.example' }],
    [403, { host: '127.0.0.1.evil.example' }],
    [403, { host: 'localhost:1', origin: 'http://localhost:2' }],
    [403, { host: 'localhost:1', origin: 'https://evil.example' }],
    [403, { host: 'localhost:1', origin: 'null' }],
    [403, { host: 'localhost:1', 'sec-fetch-site': 'cross-site' }],
    [403, { host: 'localhost:1', 'sec-fetch-site': 'same-site' }],
  ])('get %i: %o', async (status, headers) => {
    expect(await raw({ authorization, ...headers })).toBe(status)
  })
})

describe('bodies', () => {
  const body = JSON.stringify({ workflow: 'ask', question })
  const post = (type: string | undefined, text: string) =>
    raw(
      { authorization, ...(type === undefined ? {} : { 'content-type': type }) },
      { method: 'POST', body: text },
    )

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', undefined])(
    'have to be JSON, not %s',
    async (type) => {
      expect(await post(type, body)).toBe(415)
      const headers = type === undefined ? {} : { 'content-type': type }
      // Who has no token is told so first.
      expect(await raw(headers, { method: 'POST', body })).toBe(401)
    },
  )

  it('may only be short without a token', async () => {
    const body = JSON.stringify({ code: 'x'.repeat(1_000) })
    const headers = { 'content-type': 'application/json' }
    const sent = { method: 'POST', path: '/api/invitation', body }
    expect(await raw(headers, sent)).toBe(413)
    expect(await raw({ ...headers, 'transfer-encoding': 'chunked' }, sent)).toBe(413)
    expect(await raw(headers, { ...sent, body: '{"code":"x"}' })).toBe(401)
  })

  it('may not be large, with their length given or not', async () => {
    const large = JSON.stringify({ workflow: 'ask', question: 'x'.repeat(10_000) })
    expect(await post('application/json', large)).toBe(413)
    const chunked = {
      authorization,
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
    }
    expect(await raw(chunked, { method: 'POST', body: large })).toBe(413)
  })

  it.each(['', '{', 'null', '[]', `${'['.repeat(4_000)}${']'.repeat(4_000)}`])(
    'that are no request are refused: %s',
    async (text) => {
      expect(await post('application/json', text)).toBe(400)
    },
  )

  it('of agent files may not be nested deep', async () => {
    const deep = `{"workflow":"agent","agent":"a","input":{"a":${'['.repeat(2_000)}${']'.repeat(2_000)}}}`
    expect(await post('application/json', deep)).toBe(400)
  })
})

it('an answer to HEAD keeps no stream open, nor does a reader that leaves at once', async () => {
  const { body } = await served.call('post', '/api/runs', {
    workflow: 'ask',
    question,
    approvePlan: true,
  })
  const path = `/api/runs/${body.runId}/events`
  for (let i = 0; i <= maxStreams; i++) {
    expect(await raw({ authorization }, { method: 'HEAD', path })).toBe(200)
    const leaving = new AbortController()
    const answer = served.fetch(path, { signal: leaving.signal })
    setImmediate(() => leaving.abort())
    await answer.catch(() => {})
  }
  await served.openStreams(path, maxStreams)
})

it('whatever is asked, the server answers without failing and without telling a place', async () => {
  const before = (await app.listRuns()).length
  const json = fc.jsonValue({ maxDepth: 4 })
  const near = fc.record(
    {
      workflow: fc.constantFrom('ask', 'papers', 'agent', 'code'),
      question: json,
      query: json,
      sources: fc.array(fc.constantFrom('/etc/passwd', '..', 'a', '')),
      agent: fc.constantFrom('..', '/etc/passwd', 'a', '%2e%2e'),
      limits: json,
      continue: fc.string(),
    },
    { requiredKeys: ['workflow', 'limits'] },
  )
  await fc.assert(
    fc.asyncProperty(fc.oneof(json, near), async (request) => {
      const { status } = await served.call('post', '/api/runs', request)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
    }),
    { numRuns: 200, examples: [[{ workflow: 'ask', question, limits: null }]] },
  )
  expect((await app.listRuns()).length).toBe(before)
})
