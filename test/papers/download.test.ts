import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sha256 } from '../../src/kernel/json.ts'
import type { DownloadOutcome } from '../../src/papers/paper.ts'
import { createQuickClock } from '../../src/testing/index.ts'
import { PaperServer } from './paper-server.ts'
import { foundPaper, PaperFolder, watched } from './paper-world.ts'
import { type ServedPaper, sparseAttentionPapers } from './served-papers.ts'

const large: ServedPaper = {
  ...(sparseAttentionPapers[0] as ServedPaper),
  arxivId: '2407.00077v1',
  paddingBytes: 400_000,
}

let server: PaperServer
let folder: PaperFolder
beforeAll(async () => {
  server = await PaperServer.start([...sparseAttentionPapers, large])
})
beforeEach(() => {
  folder = new PaperFolder()
})
afterEach(() => {
  server.reset()
  folder.remove()
})
afterAll(() => server.close())

/** A preprint of which there is a copy elsewhere; the others here are nowhere else than there. */
const preprint = () => foundPaper(server, sparseAttentionPapers[0])
const first = () => elsewhereAlone(sparseAttentionPapers[0])
const largePaper = () => elsewhereAlone(large)
function elsewhereAlone(served?: ServedPaper) {
  const { arxivId: _, ...paper } = foundPaper(server, served)
  return paper
}
/** What came before the connection broke may be lost in part, so that where the rest begins is open. */
const theRest = expect.stringMatching(/^bytes=[1-9]\d*-$/)
/** Which ranges of files were asked for. */
const ranges = () =>
  server.requests.filter(({ service }) => service === 'files').map(({ headers }) => headers.range)

function expectFile(outcome: DownloadOutcome, expected: Buffer): void {
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.detail}`)
  expect(outcome.contentHash).toBe(sha256(expected))
  expect(outcome.sizeBytes).toBe(expected.length)
  const path = join(folder.path, 'files', `${outcome.contentHash}.pdf`)
  expect(readFileSync(path).equals(expected)).toBe(true)
  expect(readdirSync(join(folder.path, 'partial'))).toEqual([])
}

describe('a download', () => {
  it('keeps the file under the hash of its bytes, telling how far it is', async () => {
    const run = watched()
    const files = folder.files(server)
    const outcome = await files.download(largePaper(), run)
    expectFile(outcome, server.pdf(large.arxivId))
    expect(outcome.ok && files.pathOf(outcome.contentHash)).toContain(folder.path)
    expect(run.shares.length).toBeGreaterThan(2)
    expect(run.shares).toEqual(run.shares.toSorted((one, other) => one - other))
    expect(run.shares.at(-1)).toBe(1)
  })

  it('is made once, by whatever address the same version is named', async () => {
    const files = folder.files(server)
    const atArxiv = { ...preprint(), pdfUrl: `${server.origin('arxiv')}/pdf/2401.00011v2` }
    await files.download(atArxiv, watched())
    const again = await files.download(atArxiv, watched())
    expect(again).toMatchObject({ ok: true, isCached: true })
    const elsewhere = { ...preprint(), pdfUrl: 'https://arxiv.org/pdf/2401.00011v2' }
    expect(await folder.files(server).download(elsewhere, watched())).toEqual(again)
    expect(server.count('files') + server.count('arxiv')).toBe(1)
  })

  it('is not taken from a copy elsewhere, whose address says that it is the same version', async () => {
    await folder.files(server).download(first(), watched())
    const { pdfUrl: _, ...atArxiv } = preprint()
    const outcome = await folder.files(server).download(atArxiv, watched())
    expect(outcome).toMatchObject({ ok: true, isCached: false })
    expect([server.count('files'), server.count('arxiv')]).toEqual([1, 1])
  })

  it('is made again for another version', async () => {
    const files = folder.files(server)
    await files.download(first(), watched())
    const other = { ...preprint(), arxivId: '2401.00011', pdfUrl: undefined as never }
    const { pdfUrl: _, ...unnamed } = other
    expect(await files.download(unnamed, watched())).toMatchObject({ isCached: false })
    expect(server.count('arxiv', '/pdf/2401.00011')).toBe(1)
    expect(readdirSync(join(folder.path, 'files'))).toHaveLength(1)
  })

  it('continues where the connection broke off', async () => {
    server.fault('files', { kind: 'cut', afterBytes: 150_000 }, { kind: 'cut', afterBytes: 90_000 })
    expectFile(
      await folder.files(server).download(largePaper(), watched()),
      server.pdf(large.arxivId),
    )
    expect(ranges()).toEqual([undefined, theRest, theRest])
  })

  it('gets there in the end when every answer breaks off', async () => {
    server.always('files', { kind: 'cut', afterBytes: 150_000 })
    expectFile(
      await folder.files(server).download(largePaper(), watched()),
      server.pdf(large.arxivId),
    )
  })

  it('continues in the next process, which asks for the rest alone', async () => {
    server.always('files', { kind: 'cut', afterBytes: 50_000 })
    server.always('arxiv', { kind: 'status', status: 404 })
    const stopped = new AbortController()
    const run = watched(stopped.signal)
    const stopping = { ...run, onProgress: () => stopped.abort(new Error('enough')) }
    await expect(folder.files(server).download(largePaper(), stopping)).rejects.toThrow('enough')
    server.reset()
    expectFile(
      await folder.files(server).download(largePaper(), run.signal.aborted ? watched() : run),
      server.pdf(large.arxivId),
    )
    expect(ranges()).toEqual([theRest])
  })

  it('begins anew when the file changed meanwhile', async () => {
    server.fault('files', { kind: 'cut', afterBytes: 150_000 })
    const changed = Buffer.from(server.pdf(large.arxivId))
    changed.write('Long Memories', changed.indexOf('Long Documents'))
    const files = folder.files(server)
    const run = watched()
    const change = { ...run, onProgress: () => server.replacePdf(large.arxivId, changed) }
    expectFile(await files.download(largePaper(), change), changed)
    expect(ranges()).toEqual([undefined, theRest])
  })

  it('begins anew where the server says that there is no such rest', async () => {
    server.fault('files', { kind: 'cut', afterBytes: 150_000 }, { kind: 'status', status: 416 })
    expectFile(
      await folder.files(server).download(largePaper(), watched()),
      server.pdf(large.arxivId),
    )
    expect(ranges()).toEqual([undefined, theRest, undefined])
  })

  it('is not made again when it was whole and could not be kept', async () => {
    const files = folder.files(server)
    const place = join(folder.path, 'files', `${sha256(server.pdf(large.arxivId))}.pdf`)
    mkdirSync(join(place, 'in the way'), { recursive: true })
    const outcome = await files.download(largePaper(), watched())
    expect(outcome).toMatchObject({ ok: false, reason: 'not_written', hint: expect.any(String) })
    rmSync(place, { recursive: true })
    expectFile(await files.download(largePaper(), watched()), server.pdf(large.arxivId))
    expect(server.count('files', large.arxivId)).toBe(1)
  })

  it('begins anew where the server knows no ranges', async () => {
    server.always('files', { kind: 'no-ranges' })
    server.fault('files', { kind: 'cut', afterBytes: 150_000 })
    expectFile(
      await folder.files(server).download(largePaper(), watched()),
      server.pdf(large.arxivId),
    )
    expect(server.count('files')).toBe(2)
  })

  it('takes a file that comes slowly, and gives up one that stalls', async () => {
    server.fault('files', { kind: 'slow', pieceBytes: 60_000, gapMs: 20 })
    expectFile(
      await folder.files(server).download(largePaper(), watched()),
      server.pdf(large.arxivId),
    )
    server.always('files', { kind: 'stall', afterBytes: 0 })
    server.always('arxiv', { kind: 'status', status: 404 })
    const outcome = await folder.files(server, { stallMs: 200 }).download(first(), watched())
    expect(outcome).toMatchObject({ ok: false, reason: 'timeout' })
  })

  it('takes a whole file without a length, and refuses one that ends in the middle', async () => {
    server.fault('files', { kind: 'no-length' })
    expectFile(await folder.files(server).download(first(), watched()), server.pdf('2401.00011v2'))
    const cut = server.pdf('2402.00022v1').subarray(0, 3_000).toString('latin1')
    server.always('files', { kind: 'body', text: cut, type: 'application/pdf' })
    server.always('arxiv', { kind: 'body', text: cut, type: 'application/pdf' })
    const second = elsewhereAlone(sparseAttentionPapers[1])
    expect(await folder.files(server).download(second, watched())).toMatchObject({
      ok: false,
      reason: 'incomplete',
    })
  })
})

describe('what was begun', () => {
  it('is removed once it has lain for more than a month, and not before', async () => {
    const files = folder.files(server)
    await files.download(first(), watched())
    const days = (count: number) => new Date(createQuickClock().now() - count * 24 * 3_600_000)
    for (const [name, age] of [
      ['old.part', 31],
      ['new.part', 29],
    ] as const) {
      const path = join(folder.path, 'partial', name)
      writeFileSync(path, '%PDF-1.4')
      utimesSync(path, days(age), days(age))
    }
    await files.download(first(), watched())
    expect(readdirSync(join(folder.path, 'partial'))).toEqual(['new.part'])
  })
})

describe('what is no PDF', () => {
  it('is refused in words: a page with its title', async () => {
    server.always('files', { kind: 'page', title: 'arXiv is down for maintenance' })
    server.always('arxiv', { kind: 'page', title: 'arXiv is down for maintenance' })
    const outcome = await folder.files(server).download(first(), watched())
    expect(outcome).toMatchObject({
      ok: false,
      reason: 'not_pdf',
      detail: expect.stringContaining('a page, not a PDF: “arXiv is down for maintenance”'),
      hint: expect.any(String),
    })
    expect(readdirSync(join(folder.path, 'files'))).toEqual([])
    expect(readdirSync(join(folder.path, 'partial'))).toEqual([])
  })

  it('makes way for the next address: the one that its place gave', async () => {
    server.always('arxiv', { kind: 'page', title: 'Sign in' })
    const outcome = await folder.files(server).download(preprint(), watched())
    expectFile(outcome, server.pdf('2401.00011v2'))
    expect(outcome).toMatchObject({ from: preprint().pdfUrl })
  })

  it('is not asked for again once another address gave the file', async () => {
    const paper = { ...preprint(), arxivId: '2401.99999' }
    for (const isCached of [false, true]) {
      const outcome = await folder.files(server).download(paper, watched())
      expect(outcome).toMatchObject({ ok: true, isCached })
    }
    expect(server.requests).toHaveLength(2)
  })

  it('is not taken by its size alone: a larger file than allowed is refused', async () => {
    const files = folder.files(server, { maxBytes: 100_000 })
    const outcome = await files.download(largePaper(), watched())
    expect(outcome).toMatchObject({ ok: false, reason: 'too_large' })
    server.always('files', { kind: 'no-length' })
    server.always('arxiv', { kind: 'no-length' })
    expect(await files.download(largePaper(), watched())).toMatchObject({ reason: 'too_large' })
    expect(readdirSync(join(folder.path, 'partial'))).toEqual([])
  })

  it('is said of papers that name no address', async () => {
    const { pdfUrl: _, ...unnamed } = first()
    expect(await folder.files(server).download(unnamed, watched())).toMatchObject({
      ok: false,
      reason: 'no_pdf',
    })
  })
})

describe('a failing server', () => {
  it('is asked again after a 429 that says when', async () => {
    server.fault('files', { kind: 'status', status: 429, retryAfterSeconds: 2 }, { kind: 'reset' })
    expectFile(await folder.files(server).download(first(), watched()), server.pdf('2401.00011v2'))
    expect(server.count('files')).toBe(3)
  })

  it('fails with each address’s own reason', async () => {
    server.always('arxiv', { kind: 'status', status: 403 })
    server.always('files', { kind: 'status', status: 404 })
    const outcome = await folder.files(server).download(preprint(), watched())
    expect(outcome).toMatchObject({ ok: false, reason: 'http_status' })
    expect(!outcome.ok && outcome.detail).toMatch(/HTTP 403.*HTTP 404/)
  })

  it('is not asked at a private address that nobody allowed', async () => {
    const web = { baseUrls: server.webServers.baseUrls, allowedOrigins: [] }
    const files = folder.files({ webServers: web } as never)
    expect(await files.download(first(), watched())).toMatchObject({
      ok: false,
      reason: 'blocked_address',
    })
    expect(server.requests).toEqual([])
  })

  it('does no harm with what was kept: a broken index and a cut file are made good', async () => {
    const files = folder.files(server)
    await files.download(first(), watched())
    for (const name of readdirSync(join(folder.path, 'index'))) {
      writeFileSync(join(folder.path, 'index', name), '{"key": 1')
    }
    expect(await files.download(first(), watched())).toMatchObject({ ok: true, isCached: false })
    const outcome = await files.download(first(), watched())
    expect(outcome).toMatchObject({ ok: true, isCached: true })
    const path = outcome.ok ? files.pathOf(outcome.contentHash) : ''
    truncateSync(path, 100)
    expectFile(await files.download(first(), watched()), server.pdf('2401.00011v2'))
  })
})
