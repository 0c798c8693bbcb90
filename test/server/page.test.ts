import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHandler } from '../../src/server/index.ts'
import { buildPage } from '../page/built-page.ts'
import { question, ServedApp } from './served-app.ts'

const served = new ServedApp()
beforeAll(async () => {
  await buildPage()
  await served.start()
})
afterAll(() => served.close())

const open = (path: string, init?: RequestInit) => fetch(`${served.url}${path}`, init)

describe('the page', () => {
  it('needs no token, runs no script but its own, and cannot be framed', async () => {
    const response = await open('/')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = response.headers.get('content-security-policy') ?? ''
    for (const rule of [
      "script-src 'self';",
      "frame-ancestors 'none'",
      'require-trusted-types-for',
    ])
      expect(policy).toContain(rule)
    expect(policy).not.toContain('unsafe')
    const html = await response.text()
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|https?:/)
    const script = /src="\.(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? ''
    const loaded = await open(script)
    expect(loaded.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(loaded.headers.get('cache-control')).toContain('immutable')
  })

  it('is all that is served without a token', async () => {
    for (const path of [
      '/api/runs',
      '/assets/../../package.json',
      '/assets/%2e%2e/x',
      '/web/index.html',
    ])
      expect((await open(path)).status).toBe(401)
    expect((await open('/', { method: 'POST' })).status).toBe(401)
  })

  it('can be reached by a link of another site, which the API cannot', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' }
    expect((await open('/', { headers })).status).toBe(200)
    expect((await open('/api/runs', { headers })).status).toBe(403)
  })

  it('and the API lie below the path of the public address, whether the proxy takes it away or not', async () => {
    const options = { token: 'token-of-the-tests', publicUrl: 'https://x.example.org/papers/' }
    const handler = createHandler(served.openApp(), options)
    const statusAt = async (path: string) =>
      (await handler(new Request(`https://x.example.org${path}`))).status
    expect(await statusAt('/papers/')).toBe(200)
    expect(await statusAt('/papers/openapi.json')).toBe(200)
    expect(await statusAt('/openapi.json')).toBe(200)
    expect(await statusAt('/papers/api/runs')).toBe(401)
    await handler.close()
  })
})

describe('the code that the browser is opened with', () => {
  it('gives the token once', async () => {
    const handler = createHandler(served.openApp(), { token: 'token-of-the-tests' })
    const redeem = async (code: string) => {
      const response = await handler(
        new Request('http://localhost/api/invitation', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ code }),
        }),
      )
      return [response.status, ((await response.json()) as { token?: string }).token]
    }
    const code = handler.invite()
    expect(await redeem('x')).toEqual([401, undefined])
    expect(await redeem(code)).toEqual([200, 'token-of-the-tests'])
    expect(await redeem(code)).toEqual([401, undefined])
    await handler.close()
  })
})

describe('a cited source', () => {
  it('is read around its quotation, for those who may see the run', async () => {
    const { body } = await served.finish({ workflow: 'ask', question })
    const [evidence] = body.result.claims[0].evidence
    const path = `/api/runs/${body.runId}/sources/${evidence.n}`
    const { body: read } = await served.call('get', path)
    expect(read.text.slice(evidence.start, evidence.end)).toBe(evidence.quote)
    const part = await served.call('get', `${path}?start=2&chars=5`)
    expect(part.body).toMatchObject({ start: 2, text: read.text.slice(2, 7) })
    expect((await served.call('get', `/api/runs/${body.runId}/sources/999`)).status).toBe(404)
  })
})
