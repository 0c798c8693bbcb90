import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readBytesDocument } from '../../src/sources/read-bytes.ts'
import { paperPdf } from './paper-pdf.ts'
import { PaperServer } from './paper-server.ts'
import { sparseAttentionPapers } from './served-papers.ts'

let server: PaperServer
beforeAll(async () => {
  server = await PaperServer.start()
})
afterEach(() => server.reset())
afterAll(() => server.close())

describe('the services of the tests', () => {
  it('give PDFs that the reader reads: title, pages, sections', async () => {
    const [paper] = sparseAttentionPapers
    if (paper === undefined) throw new Error('There are papers.')
    const outcome = await readBytesDocument(paperPdf(paper), 'paper.pdf', {})
    if (!outcome.ok) throw new Error(outcome.unreadable.detail)
    const { document } = outcome
    expect(document.title).toBe('Block Sparse Attention for Long Documents')
    expect(document.pages.length).toBeGreaterThan(1)
    expect(document.text).toContain('Block sparse attention lowers memory use by 52 percent.')
    expect(document.sections.map(({ title }) => title)).toContain('1 Introduction')
  })

  it('give the rest of a file from a byte on, and all of it when it changed', async () => {
    const url = `${server.origin('files')}/pdf/2401.00011v2`
    const whole = await fetch(url)
    const etag = whole.headers.get('etag') ?? ''
    const bytes = Buffer.from(await whole.arrayBuffer())
    const headers = { range: 'bytes=1000-', 'if-range': etag }
    const rest = await fetch(url, { headers })
    expect(rest.status).toBe(206)
    expect(Buffer.from(await rest.arrayBuffer()).equals(bytes.subarray(1000))).toBe(true)
    server.replacePdf('2401.00011v2', Buffer.from('%PDF-1.4 other'))
    expect((await fetch(url, { headers })).status).toBe(200)
    expect(server.count('files')).toBe(3)
  })

  it('go wrong as planned, one request after the other', async () => {
    server.fault('arxiv', { kind: 'status', status: 429, retryAfterSeconds: 3 }, { kind: 'reset' })
    const ask = () => fetch(`${server.origin('arxiv')}/api/query?search_query=all:sparse`)
    expect((await ask()).headers.get('retry-after')).toBe('3')
    await expect(ask()).rejects.toThrow()
    expect(await (await ask()).text()).toContain('<opensearch:totalResults>6<')
  })
})
