import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { academicActions } from '../../../src/agents/actions/tools/academic-actions.ts'
import { httpActions } from '../../../src/agents/actions/tools/http-actions.ts'
import type { ToolActionServices } from '../../../src/agents/actions/tools/tool-action.ts'
import { webActions } from '../../../src/agents/actions/tools/web-actions.ts'
import { systemClock } from '../../../src/kernel/run/clock.ts'
import { createDocumentReader } from '../../../src/sources/files/worker/document-reader.ts'
import { createWeb } from '../../../src/sources/web/web.ts'
import { pageOf, type Reply, type Seen, type Service, startService } from '../../web/services.ts'
import { doAction } from './do-action.ts'

let site: Service
let hidden: Service
let services: ToolActionServices
const reader = createDocumentReader()

const replies: Record<string, (seen: Seen) => Reply> = {
  '/json': () => ({ body: { a: [1] } }),
  '/text': () => ({
    body: 'plain words',
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  }),
  '/html': () => ({ body: '{"no": "json"}' }),
  '/echo': ({ method, body, headers }) => ({
    body: {
      method,
      body,
      token: headers['x-token'] ?? null,
      type: headers['content-type'] ?? null,
    },
  }),
  '/big': () => ({ body: 'x'.repeat(5_000_001), headers: { 'content-type': 'text/plain' } }),
  '/binary': () => ({ body: 'a\0b', headers: { 'content-type': 'application/octet-stream' } }),
  '/gone': () => ({ status: 410, body: { why: 'it is over' } }),
  '/in': () => ({ status: 302, body: '', headers: { location: `${hidden.origin}/secret` } }),
  '/page': () => ({
    body: pageOf(
      'Glimmerstone',
      'Glimmerstone melts at 412 degrees Celsius, as was measured many times over by careful people in cold rooms.',
      'It is found in the hills, where it glitters in the morning and nobody picks it up before noon.',
    ),
  }),
  '/search': () => ({
    body: { results: [{ title: 'A', url: 'https://a.example/', content: 'about a' }] },
  }),
  '/works/10.1234%2Fx': () => ({ body: { message: crossrefWork } }),
  '/works': () => ({ body: { message: { items: [crossrefWork], 'total-results': 7 } } }),
  '/api/query': () => ({ body: arxivFeed, headers: { 'content-type': 'application/atom+xml' } }),
}

const crossrefWork = {
  DOI: '10.1234/x',
  type: 'journal-article',
  title: ['On Stones'],
  author: [{ given: 'Ada', family: 'Quill' }],
  'container-title': ['Stones'],
  issued: { 'date-parts': [[2020, 3]] },
  'is-referenced-by-count': 4,
}

const arxivFeed = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">
<opensearch:totalResults>9</opensearch:totalResults><opensearch:startIndex>0</opensearch:startIndex>
<entry><id>http://arxiv.org/abs/2301.00001v2</id><updated>2023-01-15T12:00:00Z</updated><published>2023-01-01T00:00:00Z</published>
<title>Stones Melt</title><summary>They do.</summary><author><name>Bob Slate</name></author>
<link href="https://arxiv.org/abs/2301.00001v2" rel="alternate"/><link title="pdf" href="https://arxiv.org/pdf/2301.00001v2"/><category term="cs.CL"/></entry></feed>`

beforeAll(async () => {
  hidden = await startService(() => ({ body: { secret: true } }))
  site = await startService((seen) => {
    const reply = replies[seen.url.pathname]
    return reply?.(seen) ?? { status: 404, body: 'no such page' }
  })
  const web = createWeb({
    clock: systemClock,
    random: () => 0,
    userAgent: 'test',
    allowedOrigins: [site.origin],
    pace: { atOnce: 4, gapMs: 0 },
  })
  const baseUrls = { searxng: site.origin, crossref: site.origin, arxiv: site.origin }
  services = {
    web: () => ({
      pages: web,
      lookups: web,
      access: { userAgent: 'test', baseUrls },
      clock: systemClock,
      reader,
    }),
  }
})

afterAll(async () => {
  await Promise.all([site.close(), hidden.close(), reader.close()])
})

const http = (name: string, params: object) =>
  doAction(httpActions(services), `http.${name}`, params)
const web = (name: string, params: object) => doAction(webActions(services), `web.${name}`, params)
const academic = (name: string, params: object) =>
  doAction(academicActions(services), `academic.${name}`, params)

describe('http.get', () => {
  it('gives JSON as it is, and text with what is known of it', async () => {
    expect(await http('get', { url: `${site.origin}/json` })).toEqual({ a: [1] })
    expect(await http('get', { url: `${site.origin}/text` })).toEqual({
      content: 'plain words',
      status: 200,
      url: `${site.origin}/text`,
      content_type: 'text/plain; charset=utf-8',
      success: true,
    })
    expect(await http('get', { url: `${site.origin}/html` })).toMatchObject({
      content: '{"no": "json"}',
    })
  })

  it('sends headers, but none that are the connection’s', async () => {
    const headers = { 'X-Token': 't' }
    expect(await http('get', { url: `${site.origin}/echo`, headers })).toMatchObject({ token: 't' })
    const bad = [{ Host: 'x' }, { 'Content-Length': '0' }, { a: 'b\r\nc: d' }, { 'a b': 'c' }]
    for (const headers of bad)
      await expect(http('get', { url: `${site.origin}/echo`, headers })).rejects.toThrow()
  })

  it('refuses private addresses, also after a redirect', async () => {
    const blocked = { success: false, error_type: 'blocked_address' }
    for (const url of [
      `${hidden.origin}/secret`,
      'http://169.254.169.254/latest',
      'http://[::1]/',
      'http://localhost/',
      'http://0x7f000001/',
      `${site.origin}/in`,
    ])
      expect(await http('get', { url })).toMatchObject(blocked)
    expect(hidden.requests).toEqual([])
  })

  it.each([
    ['file:///etc/passwd', 'bad_url'],
    ['http://user:pass@example.org/', 'bad_url'],
    ['no address', 'bad_url'],
  ])('refuses %s', async (url, errorType) => {
    expect(await http('get', { url })).toMatchObject({ success: false, error_type: errorType })
  })

  it('gives failures as data', async () => {
    const gone = await http('get', { url: `${site.origin}/gone` })
    expect(gone).toMatchObject({ success: false, error_type: 'http_status', status: 410 })
    expect(await http('get', { url: `${site.origin}/big` })).toMatchObject({
      error_type: 'too_large',
    })
    expect(await http('get', { url: `${site.origin}/binary` })).toMatchObject({
      error_type: 'binary',
    })
  })

  it('gives up after the time that it has', async () => {
    const slow = await startService(() => ({ body: 'late' }))
    const { createServer } = await import('node:net')
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await new Promise((resolve) => silent.once('listening', resolve))
    const { port } = silent.address() as { port: number }
    const own = createWeb({
      clock: systemClock,
      random: () => 0,
      userAgent: 'test',
      allowedOrigins: [`http://127.0.0.1:${port}`],
    })
    const at = { web: () => ({ ...services.web?.(), pages: own }) } as ToolActionServices
    const result = await doAction(httpActions(at), 'http.get', {
      url: `http://127.0.0.1:${port}/`,
      timeout: 0.2,
    })
    expect(result).toMatchObject({ success: false, error_type: 'timeout' })
    silent.close()
    await slow.close()
  })

  it('says what is missing where there is no web', async () => {
    const without = doAction(httpActions({}), 'http.get', { url: 'https://example.org' })
    await expect(without).rejects.toMatchObject({ code: 'invalid_configuration' })
  })
})

describe('http.post', () => {
  it('sends JSON, and is a change of the world', async () => {
    const sent = await http('post', { url: `${site.origin}/echo`, json: { a: 1 } })
    expect(sent).toEqual({ method: 'POST', body: '{"a":1}', token: null, type: 'application/json' })
    const [get, post] = httpActions(services)
    expect([get?.tool.effect, post?.tool.effect]).toEqual(['read', 'write'])
    expect([get?.tool.untrusted, post?.tool.untrusted]).toEqual(['results', 'results'])
  })

  it('refuses private addresses', async () => {
    const result = await http('post', { url: `${hidden.origin}/secret`, json: {} })
    expect(result).toMatchObject({ error_type: 'blocked_address' })
    expect(hidden.requests).toEqual([])
  })
})

describe('web.scrape', () => {
  it('gives the main text of a page and what is known of it', async () => {
    const result = await web('scrape', { url: `${site.origin}/page`, formats: ['markdown'] })
    expect(result).toMatchObject({
      success: true,
      truncated: false,
      metadata: { title: 'Glimmerstone', author: 'Ada Quill', language: 'en' },
    })
    const { markdown } = result as { markdown: string }
    expect(markdown).toContain('melts at 412 degrees')
    expect(markdown).not.toContain('Home')
  })

  it('says which forms it does not give, and passes over what browsers would need', async () => {
    const given = { only_main_content: false, wait_for: 500, mobile: true }
    const formats = ['markdown', 'links', 'html']
    expect(await web('scrape', { url: `${site.origin}/page`, formats, ...given })).toMatchObject({
      success: true,
      missing_formats: ['links', 'html'],
    })
  })

  it('refuses what it would have to do otherwise, and private addresses', async () => {
    await expect(web('scrape', { url: site.origin, actions: [] })).rejects.toThrow(
      'it would need a browser',
    )
    expect(await web('scrape', { url: hidden.origin })).toMatchObject({
      error_type: 'blocked_address',
    })
    expect(await web('scrape', { url: `${site.origin}/none` })).toMatchObject({ status: 404 })
  })
})

describe('web.search', () => {
  it('gives results with their addresses', async () => {
    expect(await web('search', { query: 'a', num_results: 3 })).toMatchObject({
      success: true,
      results: [{ title: 'A', url: 'https://a.example/', snippet: 'about a', position: 1 }],
      total_results: 1,
    })
  })
})

describe('academic.*', () => {
  it('searches arXiv and reads a paper by its id', async () => {
    const paper = {
      title: 'Stones Melt',
      authors: ['Bob Slate'],
      abstract: 'They do.',
      arxiv_id: '2301.00001v2',
      categories: ['cs.CL'],
      pdf_url: 'https://arxiv.org/pdf/2301.00001v2',
    }
    const found = { success: true, total_results: 9, results: [paper] }
    expect(await academic('arxiv', { query: 'stones' })).toMatchObject(found)
    expect(await academic('arxiv', { arxiv_id: '2301.00001' })).toMatchObject({ results: [paper] })
    expect(await academic('arxiv', { arxiv_id: 'nonsense' })).toMatchObject({ success: false })
    await expect(academic('arxiv', {})).rejects.toThrow('query or arxiv_id')
  })

  it('searches Crossref and reads a work by its DOI', async () => {
    const work = {
      title: 'On Stones',
      authors: ['Ada Quill'],
      doi: '10.1234/x',
      journal: 'Stones',
      published: '2020-03',
      citation_count: 4,
    }
    expect(await academic('crossref', { query: 'stones' })).toMatchObject({
      total_results: 7,
      results: [work],
    })
    expect(await academic('crossref', { doi: '10.1234/x' })).toMatchObject({ results: [work] })
    expect(await academic('crossref', { doi: '10.1234/none' })).toMatchObject({ success: false })
  })
})
