import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../src/index.ts'
import { TokenFile } from '../../src/server/tokens.ts'
import { root } from '../repo/source-file.ts'
import { question, ServedApp } from './served-app.ts'

const served = new ServedApp()
let app: App
beforeAll(async () => {
  served.write('files/report.md', '# Report\n\nThe lighthouse was built in 1907.\n')
  served.write('secret.md', '# Secret\n\nThe lighthouse was built in 1999.\n')
  served.write(
    'agents/greet.yaml',
    'name: greet\nnodes:\n  - name: hello\n    run: |\n      return {"greeting": "Hello " + state["who"]}\nedges:\n  - {from: __start__, to: hello}\n  - {from: hello, to: __end__}\n',
  )
  served.write(
    'agents/note.yaml',
    'name: note\nnodes:\n  - name: write\n    uses: file.write\n    with: {path: note.txt, content: Kept.}\nedges:\n  - {from: __start__, to: write}\n  - {from: write, to: __end__}\n',
  )
  cpSync(`${root}samples/library`, `${served.folder}/files/samples`, { recursive: true })
  app = await served.start({
    maxRuns: 2,
    filesFolder: `${served.folder}/files`,
    agentsFolder: `${served.folder}/agents`,
  })
})
afterAll(() => served.close())

describe('starting a run over HTTP', () => {
  it('asks a question, and gives the answer that the log has', async () => {
    const started = await served.call('post', '/api/runs', { workflow: 'ask', question })
    expect(started).toMatchObject({ status: 202, body: { workflow: 'ask', title: question } })
    const { runId } = started.body
    expect(started.headers.get('location')).toBe(`/api/runs/${runId}`)
    const { body } = await served.ended(runId)
    const recorded = JSON.parse(JSON.stringify(await app.recordedAnswer(runId)))
    const [citation] = recorded.citations
    expect(body).toMatchObject({ status: 'answered', runId })
    expect(body.result).toEqual({
      ...recorded,
      citations: [{ ...citation, path: 'glimmerstone.md' }],
    })
  })

  it('estimates a question without asking it', async () => {
    const { body: before } = await served.call('get', '/api/runs')
    const request = { workflow: 'ask', question, depth: 'quick' }
    const { status, body } = await served.call('post', '/api/estimate', request)
    expect(status).toBe(200)
    expect(body).toMatchObject({ depth: 'quick', modelCalls: { from: 2 }, costUsd: { from: 0 } })
    expect((await served.call('get', '/api/runs')).body).toEqual(before)
    const forbidden = await served.call('post', '/api/estimate', { ...request, web: true })
    expect(forbidden.status).toBe(403)
  })

  it('reviews papers, and gives the same review again unless it is to be made anew', async () => {
    const request = { workflow: 'papers', query: 'CRISPR', sources: ['samples'] }
    const first = await served.finish(request)
    expect(first.body.result).toMatchObject({ schema: 'scholium.papers/1', status: 'answered' })
    const again = await served.call('post', '/api/runs', request)
    expect(again).toMatchObject({ status: 200, body: { runId: first.body.runId } })
    const anew = await served.call('post', '/api/runs', { ...request, fresh: true })
    expect(anew.status).toBe(202)
    await served.ended(anew.body.runId)
  })

  it("searches files of the operator's folder, and no others", async () => {
    const lighthouse = { workflow: 'ask', question: 'When was the lighthouse built?' }
    const { body } = await served.finish({ ...lighthouse, sources: ['report.md'] })
    expect(body.result.answer).toContain('1907')
    const both = await served.finish({ ...lighthouse, sources: ['library', 'report.md'] })
    expect(both.body.result.answer).toContain('1907')
    for (const path of ['../secret.md', 'a/../../secret.md', `${served.folder}/secret.md`, 'C:\\a'])
      expect(
        await served.call('post', '/api/runs', { ...lighthouse, sources: [path] }),
      ).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } })
    expect(
      await served.call('post', '/api/runs', { ...lighthouse, sources: ['none.md'] }),
    ).toMatchObject({ status: 400, body: { error: { code: 'invalid_input' } } })
  })

  it('refuses what only the operator decides, and what does not fit', async () => {
    const before = await app.listRuns()
    const bad: readonly (readonly [number, object])[] = [
      [403, { workflow: 'ask', question, web: true }],
      [400, { workflow: 'ask', question, mcp: ['browser'] }],
      [400, { workflow: 'agent', agent: 'greet', allow: ['*'] }],
      [400, { workflow: 'agent', agent: 'greet', secrets: ['HOME'] }],
      [400, { workflow: 'agent', agent: '../secret' }],
      [404, { workflow: 'agent', agent: 'none' }],
      [400, { workflow: 'code', question }],
      [400, { workflow: 'ask' }],
      [400, { workflow: 'ask', question: '  ' }],
      [400, { workflow: 'ask', question, depth: 'deep' }],
      [400, { workflow: 'ask', question, depth: 'quick', approvePlan: true }],
      [404, { workflow: 'ask', question, continue: '20200101-aaaaaa' }],
      [404, { workflow: 'ask', question, continue: 'last' }],
    ]
    for (const [status, request] of bad)
      expect([request, (await served.call('post', '/api/runs', request)).status]).toEqual([
        request,
        status,
      ])
    expect(await app.listRuns()).toEqual(before)
  })

  it('keeps the lower one of two limits', async () => {
    const limited = new ServedApp()
    await limited.start({}, { limits: { maxSteps: 4 } })
    const ask = (maxSteps: number) =>
      limited.finish({ workflow: 'ask', question, limits: { maxSteps } })
    const recorded = async (maxSteps: number) =>
      (await limited.call('get', `/api/runs/${(await ask(maxSteps)).body.runId}`)).body
    expect((await recorded(1)).result.stopReason).toBe('limit')
    const raised = await recorded(100)
    expect(raised.result.stopReason).toBe('limit')
    await limited.close()
  })

  it('adds papers to a review, of the folder of files only', async () => {
    const request = { workflow: 'papers', query: 'lighthouse', sources: ['samples'], count: 1 }
    const { runId } = (await served.finish(request)).body
    const extended = { workflow: 'papers', continue: runId, add: ['report.md'] }
    const { result } = (await served.finish(extended)).body
    expect(result.papers.map(({ path }: { path: string }) => path)).toContain('report.md')
    for (const [status, name] of [
      [403, '../secret.md'],
      [400, 'none.md'],
    ]) {
      const refused = await served.call('post', '/api/runs', { ...extended, add: [name] })
      expect(refused.status).toBe(status)
    }
  })

  it('runs an agent file by its name', async () => {
    const { body } = await served.finish({
      workflow: 'agent',
      agent: 'greet',
      input: { who: 'Ada' },
    })
    expect(body).toMatchObject({ status: 'answered', workflow: 'agent' })
    expect(body.result.state.greeting).toBe('Hello Ada')
  })

  it('lets agent files write in the folder of files only', async () => {
    await served.finish({ workflow: 'agent', agent: 'note' })
    expect(readFileSync(`${served.folder}/files/note.txt`, 'utf8')).toBe('Kept.')
  })

  it('gives each token a folder of the home, where the operator opens none', async () => {
    const closed = new ServedApp()
    cpSync(`${served.folder}/agents`, `${closed.folder}/agents`, { recursive: true })
    const { home } = await closed.start({ agentsFolder: `${closed.folder}/agents` })
    const token = new TokenFile(home.path).add('ada', 'run')
    const note = { workflow: 'agent', agent: 'note' }
    await closed.finish(note)
    const { body } = await closed.call('post', '/api/runs', note, token)
    await closed.ended(body.runId)
    const written = readdirSync(closed.folder, { recursive: true }).map(String)
    const notes = written.filter((name) => name.endsWith('note.txt'))
    expect(notes).toHaveLength(2)
    expect(notes.every((name) => /^home.workspaces.[0-9a-f]{32}.note.txt$/.test(name))).toBe(true)
    await closed.close()
  })

  it('follows up on a run', async () => {
    const first = await served.finish({ workflow: 'ask', question })
    const { body } = await served.finish({
      workflow: 'ask',
      question: 'At what temperature does it melt?',
      continue: first.body.runId,
    })
    expect(body.result.answer).toContain('412')
  })
})

describe('looking at runs over HTTP', () => {
  it('lists them page by page, by workflow and status', async () => {
    const all = (await app.listRuns({ limit: 200 })).map(({ runId }) => runId)
    const seen: string[] = []
    let cursor = ''
    do {
      const { body } = await served.call('get', `/api/runs?limit=2${cursor}`)
      expect(body.runs.length).toBeLessThanOrEqual(2)
      for (const { runId } of body.runs) seen.push(runId)
      cursor = body.next === undefined ? '' : `&cursor=${body.next}`
    } while (cursor !== '')
    expect(seen).toEqual(all)
    const papers = await served.call('get', '/api/runs?workflow=papers')
    expect(new Set(papers.body.runs.map((run: { workflow: string }) => run.workflow))).toEqual(
      new Set(['papers']),
    )
    expect((await served.call('get', '/api/runs?status=waiting')).body.runs).toEqual([])
  })

  it.each(['limit=0', 'limit=201', 'limit=x', 'cursor=zz', 'status=odd', 'other=1'])(
    'refuses the list %s',
    async (query) => {
      expect((await served.call('get', `/api/runs?${query}`)).status).toBe(400)
    },
  )

  it.each(['last', '2020', '20200101-aaaaaa', '..%2f..%2fetc%2fpasswd', '%00', 'a'.repeat(300)])(
    'finds no run %s',
    async (id) => {
      expect([400, 404]).toContain((await served.call('get', `/api/runs/${id}`)).status)
    },
  )

  it('gives a run that the program itself started', async () => {
    const { runId } = await app.ask({ question })
    const { status, body } = await served.call('get', `/api/runs/${runId}`)
    expect([status, body.result.answer]).toEqual([200, expect.stringContaining('412')])
  })
})
