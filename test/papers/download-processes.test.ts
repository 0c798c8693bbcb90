import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DownloadOutcome } from '../../src/papers/paper.ts'
import type { DownloadTask } from './download-process.ts'
import { PaperServer } from './paper-server.ts'
import { foundPaper, PaperFolder, watched } from './paper-world.ts'
import { type ServedPaper, sparseAttentionPapers } from './served-papers.ts'

const program = fileURLToPath(new URL('download-process.ts', import.meta.url))
const large: ServedPaper = {
  ...(sparseAttentionPapers[0] as ServedPaper),
  arxivId: '2407.00077v1',
  paddingBytes: 1_000_000,
}

let server: PaperServer
let folder: PaperFolder
const children: ChildProcess[] = []
beforeAll(async () => {
  server = await PaperServer.start([...sparseAttentionPapers, large])
})
beforeEach(() => {
  folder = new PaperFolder()
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  server.reset()
  folder.remove()
})
afterAll(() => server.close())

/** The large paper as a place knows it that has a copy, and not that arXiv has it. */
function copied() {
  const { arxivId: _, ...paper } = foundPaper(server, large)
  return paper
}

/** Starts a process that downloads the large paper; `until` ends it with SIGKILL at that share. */
async function download(until = 2): Promise<DownloadOutcome | undefined> {
  const { webServers } = server
  const task: DownloadTask = { folder: folder.path, paper: copied(), webServers }
  const child = spawn(process.execPath, [program, JSON.stringify(task)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  let outcome: DownloadOutcome | undefined
  for await (const line of createInterface({ input: child.stdout })) {
    const told = JSON.parse(line) as { readonly share?: number } & Partial<DownloadOutcome>
    if (told.share === undefined) outcome = told as DownloadOutcome
    else if (told.share >= until) child.kill('SIGKILL')
  }
  return outcome
}

const bytesAsked = () =>
  server.requests.filter(({ service }) => service === 'files').map(({ headers }) => headers.range)
const kept = () => readdirSync(join(folder.path, 'files'))

describe('processes in one folder', () => {
  it('fetch a file once, however many want it at the same time', async () => {
    server.always('files', { kind: 'slow', pieceBytes: 200_000, gapMs: 60 })
    const outcomes = await Promise.all([download(), download(), download()])
    expect(outcomes.map((outcome) => outcome?.ok)).toEqual([true, true, true])
    const fetched = outcomes.filter((outcome) => outcome?.ok && !outcome.isCached)
    expect(fetched).toHaveLength(1)
    expect(server.count('files')).toBe(1)
    expect(kept()).toHaveLength(1)
  })

  it('fetch a file once within one process too', async () => {
    server.always('files', { kind: 'slow', pieceBytes: 500_000, gapMs: 30 })
    const paper = copied()
    const files = folder.files(server)
    const outcomes = await Promise.all([1, 2, 3].map(() => files.download(paper, watched())))
    expect(outcomes.filter((outcome) => outcome.ok && outcome.isCached)).toHaveLength(2)
    expect(server.count('files')).toBe(1)
  })

  it('continue where one was killed in the middle, and fetch nothing twice', async () => {
    server.always('files', { kind: 'slow', pieceBytes: 50_000, gapMs: 15 })
    for (const share of [0.2, 0.5, 0.8]) expect(await download(share)).toBeUndefined()
    const outcome = await download()
    expect(outcome).toMatchObject({ ok: true, isCached: false })
    const starts = bytesAsked().map((range) => Number(/\d+/.exec(String(range))?.[0] ?? 0))
    expect(starts[0]).toBe(0)
    expect(starts.slice(1).every((start, at) => start > (starts[at] ?? 0))).toBe(true)
    expect(starts).toHaveLength(4)
    const [name = ''] = kept()
    expect(readFileSync(join(folder.path, 'files', name)).equals(server.pdf(large.arxivId))).toBe(
      true,
    )
  })

  it('wait for no lock of a process that was killed', async () => {
    server.fault('files', { kind: 'slow', pieceBytes: 50_000, gapMs: 15 })
    await download(0.3)
    const before = Date.now()
    expect(await download()).toMatchObject({ ok: true })
    expect(Date.now() - before).toBeLessThan(30_000)
  })
})
