import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createApp, defineTool, verifyBundle } from '../../src/index.ts'
import type { Json } from '../../src/kernel/json.ts'
import { paperPdf } from '../papers/paper-pdf.ts'
import { sparseAttentionPapers } from '../papers/served-papers.ts'
import { useHome } from './home.ts'

const open = useHome()
const query = 'melting point of glimmerstone'

const report = (place: string, degrees: number) => ({
  title: `Glimmerstone from ${place}`,
  authors: ['Ada Quill'],
  published: '2021-05-04',
  url: `https://archive.example/${place}`,
  text: `# Glimmerstone from ${place}\n\n## Results\n\nWe measured that glimmerstone melts at ${degrees} degrees Celsius.\n`,
})

/** An archive over HTTP: `/search` answers with `records`, `/paper.pdf` with a PDF. */
let server: Server
let origin: string
let records: readonly unknown[]
const requests: string[] = []
beforeAll(async () => {
  server = createServer(({ url = '' }, response) => {
    requests.push(url)
    if (url.startsWith('/search')) response.end(JSON.stringify(records))
    else response.end(paperPdf(sparseAttentionPapers[0] as never))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())
beforeEach(() => {
  records = [report('Harrowmere', 412), report('Westmoor', 430), { title: 'No address' }]
  requests.length = 0
})

const searchArchive = defineTool({
  name: 'search_archive',
  description: 'Searches the papers of our archive.',
  input: z.object({ query: z.string(), limit: z.number() }),
  effect: 'read',
  execute: async ({ query: words, limit }, { signal }) => {
    const address = `${origin}/search?q=${encodeURIComponent(words)}&limit=${limit}`
    return (await fetch(address, { signal })).json() as Promise<Json>
  },
})
const tools = [searchArchive]

describe('your own tool in papers', () => {
  it('is a place that is searched; its papers are read, cited, replayed and verified', async () => {
    const app = open()
    const answer = await app.papers({ query, tools })
    expect(requests).toEqual([`/search?q=${encodeURIComponent(query)}&limit=5`])
    expect(answer.search).toEqual([
      {
        place: 'search_archive',
        outcome: 'used',
        found: 2,
        detail: '1 entry was left out, because they have no title or no identifier.',
      },
    ])
    expect(answer.papers).toMatchObject([
      { n: 1, title: 'Glimmerstone from Harrowmere', foundBy: ['search_archive'], status: 'kept' },
      { n: 2, authors: ['Ada Quill'], published: '2021-05-04', status: 'kept' },
    ])
    expect(answer.claims[0]).toMatchObject({ citations: [1], verdict: 'verbatim' })
    expect(await app.listLibrary()).toEqual([])

    const other = createApp({ home: app.home.path, environment: {}, onWarning: () => {} })
    expect(await other.replay(answer.runId)).toMatchObject({ isIdentical: true, unclaimed: [] })
    expect(requests).toHaveLength(1)
    const file = join(app.home.path, 'papers.scholium')
    await other.exportRun(answer.runId, { file })
    expect(await verifyBundle(file)).toMatchObject({ isSound: true, isComplete: true })
    await other.close()
  })

  it('adds its papers to those of an earlier run', async () => {
    const app = open()
    const first = await app.papers({ query, tools })
    records = [report('Northfell', 440)]
    const more = await app.papers({ continue: first.runId, tools })
    expect(more.papers.map(({ title }) => title.split(' ').at(-1))).toEqual([
      'Harrowmere',
      'Westmoor',
      'Northfell',
    ])
  })

  it('is needed again to resume or fork the run, which says so', async () => {
    const app = open()
    let runId = ''
    for await (const event of app.stream('papers', { query, tools })) {
      if ('runId' in event) runId = event.runId
      if (event.type === 'node.done' && event.data.node === 'retriever') break
    }
    const refusal = {
      code: 'invalid_input',
      message: `Run ${runId} uses tools of its program: search_archive.`,
    }
    await expect(app.resume(runId)).rejects.toMatchObject(refusal)
    await expect(app.fork(runId)).rejects.toMatchObject(refusal)
    expect(await app.resume(runId, { tools })).toMatchObject({ status: 'answered' })
    expect(requests).toHaveLength(1)
    const { answer } = await app.fork(runId, {}, { tools })
    expect(answer).toMatchObject({ status: 'answered' })
    expect(requests).toHaveLength(2)
  })

  it('has its PDFs downloaded only with web access', async () => {
    records = [{ title: 'Sparse attention', url: `${origin}/page`, pdf_url: `${origin}/paper.pdf` }]
    const app = open({ webServers: { allowedOrigins: [origin] } })
    const refused = await app.papers({ query: 'sparse attention', tools })
    expect(refused.papers).toMatchObject([{ status: 'failed' }])
    expect(refused.papers[0]?.reason).toContain('Web access is not granted')
    expect(requests).not.toContain('/paper.pdf')
    const resumed = await app.resume(refused.runId, { tools })
    expect(resumed.status).toBe(refused.status)
    expect(requests).not.toContain('/paper.pdf')
  })

  it('becomes a gap when it fails, answers nonsense or never ends', async () => {
    const app = open()
    const failing = { ...searchArchive, execute: () => Promise.reject(new Error('It is closed.')) }
    const odd = { ...searchArchive, name: 'odd', execute: async () => 'Come back tomorrow.' }
    const endless = {
      ...searchArchive,
      name: 'endless',
      timeoutMs: 50,
      execute: () => new Promise<never>(() => {}),
    }
    const answer = await app.papers({ query, tools: [failing, odd, endless] })
    expect(answer).toMatchObject({ status: 'unanswered' })
    expect(answer.search.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'failed'])
    const details = answer.search.map(({ detail }) => detail).join('\n')
    expect(details).toContain('It is closed.')
    expect(details).toContain('Come back tomorrow.')
    expect(details).toContain('took longer than 0.05 s')
    expect(answer.gaps.filter(({ kind }) => kind === 'source_unavailable')).toHaveLength(3)
  })

  it.each([
    ['changes something', { ...searchArchive, effect: 'write' as const }, 'only reads'],
    ['takes no query', { ...searchArchive, parameters: {} }, 'cannot search for papers'],
    ['has the name of a place', { ...searchArchive, name: 'library' }, 'two places named'],
  ])('is refused if it %s', async (_, tool, message) => {
    await expect(open().papers({ query, tools: [tool] })).rejects.toThrow(message)
  })
})
