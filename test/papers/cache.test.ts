import { appendFileSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openQueryVectors } from '../../src/app/papers/query-vectors.ts'
import {
  type App,
  type AppOptions,
  type PapersAnswer,
  type PapersRequest,
  renderPapersAs,
} from '../../src/index.ts'
import { AppWorld } from './app-world.ts'
import { scriptPapers } from './paper-script.ts'

const topic = 'sparse attention memory'
const withVectors = {
  models: { default: 'openai-compatible:scripted', embedding: 'openai-compatible:vectors' },
}

let world: AppWorld
let source = ''
beforeEach(async () => {
  world = await AppWorld.start()
  source = world.pdfs('pdfs', 2)
})
afterEach(() => world.close())

function ask(app: App, request: Partial<PapersRequest> = {}): Promise<PapersAnswer> {
  return app.papers({ query: topic, sources: [source], ...request })
}

describe('an earlier result', () => {
  it('is given again for the same query, free and at once, and says of which run it is', async () => {
    const app = world.app()
    const first = await ask(app)
    const calls = world.modelCalls
    const again = await ask(app, { query: '  Sparse   attention memory? ' })
    expect(again).toEqual({
      ...first,
      reused: { by: 'same', query: topic, createdAt: expect.stringMatching(/^\d{4}-/) },
    })
    expect(world.modelCalls).toBe(calls)
    expect(await app.listRuns()).toHaveLength(1)
  })

  // Of one first answer: what is asked for otherwise is neither given nor changes what is kept.
  it('is not given where it is asked for anew, or anything of the question is another', async () => {
    const app = world.app()
    const first = await ask(app)
    const changes: readonly Partial<PapersRequest>[] = [
      { query: 'something else' },
      { category: 'cs.CL' },
      { count: 1 },
      { threshold: 0.1 },
      { claims: 'strict' },
      { fresh: true },
    ]
    for (const change of changes) {
      const answer = await ask(app, change)
      expect(answer.reused, JSON.stringify(change)).toBeUndefined()
      expect(answer.runId, JSON.stringify(change)).not.toBe(first.runId)
    }
  })

  it('is given whatever number of papers was worked on at once', async () => {
    const app = world.app()
    await ask(app, { concurrency: 1 })
    expect((await ask(app, { concurrency: 2 })).reused).toBeDefined()
  })

  it('is not given for another model, nor for other settings of one', async () => {
    await ask(world.app())
    const name = 'openai-compatible:scripted'
    const all: readonly NonNullable<AppOptions['models']>[] = [
      { default: 'openai-compatible:other' },
      { default: name, synthesizer: { name, temperature: 0.7 } },
      { default: name, synthesizer: { name, maxOutputTokens: 1_000 } },
    ]
    for (const models of all) {
      expect((await ask(world.app({ models }))).reused, JSON.stringify(models)).toBeUndefined()
      expect((await ask(world.app({ models }))).reused, JSON.stringify(models)).toBeDefined()
    }
  })

  it('is not given once a file of the folder was changed, added or taken away', async () => {
    const app = world.app()
    await ask(app)
    appendFileSync(join(source, readdirSync(source)[0] ?? ''), '\n% more')
    expect((await ask(app)).reused).toBeUndefined()
    world.pdfs('pdfs', 3)
    expect((await ask(app)).reused).toBeUndefined()
  })

  it('is not given once a file was replaced by one of its size and date', async () => {
    const app = world.app()
    const path = join(source, readdirSync(source)[0] ?? '')
    const date = new Date('2024-05-01')
    utimesSync(path, date, date)
    await ask(app)
    const bytes = readFileSync(path)
    bytes.write('%PDF-1.3', 0)
    writeFileSync(path, bytes)
    utimesSync(path, date, date)
    expect((await ask(app)).reused).toBeUndefined()
  })

  it('is not given once something was added to the library that is searched', async () => {
    const app = world.app()
    await Array.fromAsync(app.addToLibrary([source]))
    const first = await app.papers({ query: topic })
    expect((await app.papers({ query: topic })).reused).toBeDefined()
    await Array.fromAsync(app.addToLibrary([world.pdfs('more', 1, 3)]))
    const after = await app.papers({ query: topic })
    expect([first.reused, after.reused]).toEqual([undefined, undefined])
  })

  it('is not given of a run that failed, or that was removed', async () => {
    let isDown = true
    const failing = await AppWorld.start(scriptPapers(() => (isDown ? { status: 400 } : undefined)))
    const request = { query: topic, sources: [failing.pdfs('pdfs', 2)] }
    const failed = await failing.app().papers(request)
    expect(failed.status).toBe('failed')
    isDown = false
    const second = await failing.app().papers(request)
    expect(second).toMatchObject({ status: 'answered' })
    expect(second.reused).toBeUndefined()
    await failing.app().removeRun(second.runId)
    expect((await failing.app().papers(request)).reused).toBeUndefined()
    await failing.close()
  })

  it('is not given where a service did not answer', async () => {
    world.papers.always('semantic-scholar', { kind: 'status', status: 503 })
    world.papers.always('openalex', { kind: 'status', status: 503 })
    world.papers.always('arxiv', { kind: 'status', status: 503 })
    const request = { query: topic, web: true, sources: [source] }
    const first = await world.app().papers(request)
    expect(first.search.some(({ outcome }) => outcome === 'failed')).toBe(true)
    expect((await world.app().papers(request)).reused).toBeUndefined()
  })
})

describe('the same files, read anew', () => {
  it('have the same references, and a report names no folder of this machine', async () => {
    const app = world.app()
    const runs = [await ask(app), await ask(app, { fresh: true })] as const
    const references = await Promise.all(
      runs.map(({ runId }) => app.references(runId, { format: 'bibtex' })),
    )
    expect(references[0]?.text).toContain('author')
    expect(references[1]?.text).toBe(references[0]?.text)
    const report = await renderPapersAs(runs[0], 'markdown')
    expect(report).not.toContain(source)
    const [name] = readdirSync(source)
    expect(report).toContain(`— ${name}`)
    expect(await renderPapersAs(runs[0], 'markdown', dirname(source))).toContain(`— pdfs/${name}`)
  })
})

describe('a search in which one of two services did not answer', () => {
  it('is reported, and made anew the next time', async () => {
    const { papers } = world
    papers.always('arxiv', { kind: 'status', status: 503 })
    papers.always('semantic-scholar', { kind: 'status', status: 503 })
    const request = { query: topic, web: true, threshold: 0 }
    const first = await world.app().papers(request)
    expect(first.search.map(({ outcome }) => outcome)).toEqual(['failed', 'used'])
    expect(first.gaps.map(({ detail }) => detail).join(' ')).toMatch(
      /Semantic Scholar answered 503/,
    )
    expect((await world.app().papers(request)).reused).toBeUndefined()
  })
})

describe('a file that is changed while a run looks at it', () => {
  it('is not mistaken for the one that was found', async () => {
    const path = join(source, readdirSync(source)[0] ?? '')
    let isChanged = false
    const answer = await world.app().papers(
      { query: topic, sources: [source] },
      {
        onEvent: ({ type, key }) => {
          if (isChanged || type !== 'step.done' || !key.endsWith('search/files')) return
          isChanged = true
          appendFileSync(path, '\n% more')
        },
      },
    )
    expect(isChanged).toBe(true)
    const changed = answer.papers.filter((paper) => paper.path === path)
    expect(changed).toMatchObject([
      { status: 'unreadable', reason: 'The file was changed after it was found. Ask again.' },
    ])
    expect(answer.papers.filter(({ status }) => status === 'kept')).toHaveLength(1)
  })
})

describe('an earlier result of a query that means the same', () => {
  it('is given with a model of embeddings, and says which query it was and how near', async () => {
    const app = world.app(withVectors)
    const first = await ask(app)
    const calls = world.modelCalls
    const again = await ask(app, { query: 'memory attention sparse' })
    expect(again.runId).toBe(first.runId)
    expect(again.reused).toMatchObject({ by: 'meaning', query: topic })
    expect(again.reused?.similarity).toBeGreaterThanOrEqual(0.95)
    // The query's vector, and nothing else.
    expect(world.modelCalls).toBe(calls + 1)
    expect((await ask(app, { query: 'stars at night' })).reused).toBeUndefined()
  })

  it('counts the vector of the query in the run that is begun then, and a replay does too', async () => {
    const prices = { 'openai-compatible:vectors': { inputUsdPerMTok: 2, outputUsdPerMTok: 0 } }
    const app = world.app({ ...withVectors, prices })
    const { runId } = await ask(app)
    const events = await Array.fromAsync(app.events(runId))
    const steps = events
      .filter((event) => event.type === 'step.done')
      .filter(({ data }) => data.isEmbedding === true)
    expect(steps.map(({ key }) => key)).toContain('papers/lookup')
    const lookup = steps.find(({ key }) => key === 'papers/lookup')?.data.usage
    expect(lookup).toMatchObject({ inputTokens: expect.any(Number), outputTokens: 0 })
    expect((lookup as { readonly costUsd: number }).costUsd).toBeGreaterThan(0)
    expect((await app.replay(runId)).isIdentical).toBe(true)
  })

  it('is not given without such a model, nor for another category', async () => {
    await ask(world.app(withVectors))
    expect((await ask(world.app(), { query: 'memory attention sparse' })).reused).toBeUndefined()
    const other = { query: 'memory attention sparse', category: 'cs.CV' }
    expect((await ask(world.app(withVectors), other)).reused).toBeUndefined()
  })

  it('goes with its run', async () => {
    const app = world.app(withVectors)
    const { runId } = await ask(app)
    const vectors = openQueryVectors(world.home)
    expect(await vectors.of('openai-compatible:vectors')).toHaveLength(1)
    await app.removeRun(runId)
    expect(await vectors.of('openai-compatible:vectors')).toEqual([])
    const second = await ask(app)
    await app.cleanUpRuns({ endedBeforeMs: Number.MAX_SAFE_INTEGER })
    expect(await vectors.of('openai-compatible:vectors')).toEqual([])
    expect((await ask(app)).runId).not.toBe(second.runId)
  })

  it('is looked for in vain where the service fails, which is reported, and the work is done', async () => {
    const failing = await AppWorld.start(
      scriptPapers((_, role) => (role === 'embedding' ? { status: 400 } : undefined)),
    )
    const request = { query: topic, sources: [failing.pdfs('pdfs', 2)] }
    const answer = await failing.app(withVectors).papers(request)
    expect(answer.papers).toHaveLength(2)
    expect(failing.warnings.join(' ')).toContain('Similar earlier queries')
    await failing.close()
  })
})
