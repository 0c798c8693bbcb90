import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PapersAnswer, type Right, verifyBundle } from '../../src/index.ts'
import { AppWorld } from './app-world.ts'
import { papersRoleOf } from './paper-script.ts'

const grants: readonly Right[] = [{ kind: 'web', value: '' }]

const topic = 'sparse attention transformers memory'

let world: AppWorld
beforeAll(async () => {
  world = await AppWorld.start()
})
afterAll(() => world.close())

describe('papers of arXiv, over HTTP, with a language model', () => {
  let answer: PapersAnswer
  beforeAll(async () => {
    answer = await world.app().papers({ query: topic, web: true, category: 'cs.CL', count: 4 })
  }, 60_000)

  it('are found, fetched, analysed and put together, each point with its pages', () => {
    expect(answer).toMatchObject({
      schema: 'scholium.papers/1',
      workflow: 'papers',
      status: 'answered',
      stopReason: 'answered',
      question: topic,
      category: 'cs.CL',
    })
    expect(answer.papers.map(({ status }) => status)).toEqual(['kept', 'kept', 'kept', 'kept'])
    const [point] = answer.synthesis.consensus
    expect(point?.point).toBe('Sparse attention reduces memory use.')
    expect(point?.stances.length).toBeGreaterThanOrEqual(2)
    for (const { evidence } of point?.stances ?? []) expect(evidence[0]?.page).toBeGreaterThan(0)
    const [contradiction] = answer.synthesis.contradictions
    expect(contradiction?.sideA.stances[0]?.n).not.toBe(contradiction?.sideB.stances[0]?.n)
    expect(answer.coverage.claims).toBeGreaterThan(0)
  })

  it('have usage, times, models by role, and a cost that is not known', () => {
    const calls = world.modelCalls
    expect(answer.usage.modelCalls).toBe(calls)
    expect(answer.usage.inputTokens).toBeGreaterThan(0)
    expect(answer.costUsd).toBeNull()
    expect(Object.keys(answer.models)).toEqual(['analyzer', 'synthesizer', 'verifier'])
  })

  it('keep their files in the home', () => {
    expect(readdirSync(join(world.home, 'papers', 'files'))).toHaveLength(4)
  })

  it('replay without network and model', async () => {
    const calls = world.modelCalls
    const requests = world.papers.requests.length
    const report = await world.app().replay(answer.runId)
    expect(report).toMatchObject({ isIdentical: true, unclaimed: [] })
    expect(world.modelCalls).toBe(calls)
    expect(world.papers.requests).toHaveLength(requests)
  })

  it('are listed, shown and resumed as recorded', async () => {
    const app = world.app()
    const { workflow, title } = await app.showRun(answer.runId)
    expect([workflow, title]).toEqual(['papers', topic])
    expect(await app.recordedAnswer(answer.runId)).toEqual(answer)
    expect(await app.resume(answer.runId)).toEqual(answer)
  })

  it('give their references with their numbers', async () => {
    const { items, text } = await world.app().references(answer.runId, { format: 'bibtex' })
    expect(items.map(({ n }) => n)).toEqual([1, 2, 3, 4])
    expect(text).toContain('Block')
  })

  it('stand in a bundle that verifies, points and pages too', async () => {
    const file = join(world.folder, 'papers.scholium')
    await world.app().exportRun(answer.runId, { file })
    const report = await verifyBundle(file)
    rmSync(file)
    const failed = report.checks.filter(({ outcome }) => outcome === 'failed')
    expect(failed).toEqual([])
    expect(report).toMatchObject({ isSound: true, isComplete: true })
    const verdicts = report.checks.find(({ name }) => name === 'verdicts')
    expect(verdicts?.detail).toMatch(/points: \d+ of \d+ the same again/)
  })

  it('fork from a node on, with another query that the answer tells of', async () => {
    const { fork, answer: forked } = await world
      .app()
      .fork(answer.runId, { at: 'synthesizer[1]', question: 'accuracy on long inputs' }, { grants })
    expect(fork.remarks.join(' ')).toContain("for the run's original query")
    expect(forked).toMatchObject({ workflow: 'papers', question: 'accuracy on long inputs' })
    expect((forked as PapersAnswer).gaps.map(({ kind }) => kind)).toContain('forked_question')
  })

  it('fork with another threshold, which drops papers', async () => {
    const changes = [{ path: 'threshold', value: 1 }]
    const { answer: forked } = await world
      .app()
      .fork(answer.runId, { at: 'filter[1]', changes }, { grants })
    const { papers, status } = forked as PapersAnswer
    const dropped = papers.filter((paper) => paper.status === 'dropped')
    const below = answer.papers.filter(({ confidence = 0 }) => confidence < 1)
    expect(dropped).toHaveLength(below.length)
    expect(status).toBe(below.length === papers.length ? 'unanswered' : 'answered')
  })

  it.each([
    [{ path: 'threshold', value: 2 }, 'threshold'],
    [{ path: 'nothing', value: 2 }, 'nothing'],
    [{ path: 'count', value: 'two' }, 'count'],
    [{ path: 'claims', value: 'loose' }, 'claims'],
  ])('refuse a fork with %j', async (change, named) => {
    const forking = world.app().fork(answer.runId, { changes: [change] })
    await expect(forking).rejects.toThrow(named)
  })
})

describe('papers of arXiv that continue from others', () => {
  it('search for the words that are added, fetch and analyse what is new, and keep the rest', async () => {
    const app = world.app()
    const request = { query: topic, web: true, category: 'cs.CL', count: 2, fresh: true }
    const first = await app.papers(request)
    const analysed = () => world.model.requests.filter((seen) => papersRoleOf(seen) === 'analyzer')
    const before = analysed().length
    const second = await app.papers(
      { continue: first.runId, add: ['telephones energy'], count: 1 },
      { grants },
    )
    expect(second.question).toBe(topic)
    expect(second.category).toBe('cs.CL')
    expect(second.papers.map(({ n }) => n)).toEqual([1, 2, 3])
    expect(second.papers[2]?.title).toBe('Sparse Attention on Small Devices')
    expect(analysed()).toHaveLength(before + 1)
    expect(second.synthesis.consensus[0]?.stances.length).toBeGreaterThan(1)
  })

  it('take in what is in the library, where it is named', async () => {
    const app = world.offline({ home: join(world.folder, 'with-library') })
    const first = await app.papers({ query: topic, sources: [world.pdfs('first', 1)] })
    await Array.fromAsync(app.addToLibrary([world.pdfs('second', 1, 1)]))
    const second = await app.papers({ continue: first.runId, add: ['library'] })
    expect(second.search.map(({ place }) => place)).toEqual(['library'])
    expect(second.papers).toHaveLength(2)
  })
})

describe('papers in a folder, offline, without a language model', () => {
  it('are read and put together', async () => {
    const app = world.offline()
    const source = world.pdfs('three', 3)
    const answer = await app.papers({ query: topic, sources: [source] })
    expect(answer.status).toBe('answered')
    expect(answer.models).toEqual({
      analyzer: 'extractive',
      synthesizer: 'extractive',
      verifier: 'extractive',
    })
    expect(answer.papers.filter(({ n }) => n !== undefined)).toHaveLength(3)
    expect(answer.search.map(({ place }) => place)).toEqual(['files'])
    expect(answer.costUsd).toBe(0)
  })

  it('continue from a run with one more, and leave the others as they are', async () => {
    const app = world.offline()
    const source = world.pdfs('two', 2)
    const first = await app.papers({ query: topic, sources: [source], fresh: true })
    const [added] = readdirSync(world.pdfs('one', 1, 2))
    const file = join(world.folder, 'one', added ?? '')
    const second = await app.papers({ continue: first.runId, add: [file] })
    expect(second.question).toBe(topic)
    expect(second.papers.map(({ n }) => n)).toEqual([1, 2, 3])
    expect(second.papers.slice(0, 2).map(({ id }) => id)).toEqual(first.papers.map(({ id }) => id))
    const steps: string[] = []
    for await (const { type, key } of app.events(second.runId))
      if (type === 'step.done') steps.push(key)
    expect(steps.filter((key) => key.endsWith('/read'))).toHaveLength(1)
    expect(
      steps.filter((key) => key.startsWith('papers/analyzer') && key.endsWith('/model')),
    ).toHaveLength(1)
    expect(await app.followUps(first.runId)).toEqual([second.runId])
    // What it rests on is its own: it stays whole without the other.
    await app.removeRun(first.runId)
    expect((await app.replay(second.runId)).isIdentical).toBe(true)
    const file2 = join(world.folder, 'second.scholium')
    await app.exportRun(second.runId, { file: file2 })
    expect(await verifyBundle(file2)).toMatchObject({ isSound: true, isComplete: true })
  })

  it('are all taken that are named one by one', async () => {
    const folder = world.pdfs('six', 6)
    const sources = readdirSync(folder).map((name) => join(folder, name))
    const app = world.offline({ home: join(world.folder, 'six-home') })
    expect((await app.papers({ query: topic, sources })).papers).toHaveLength(6)
    expect((await app.papers({ query: topic, sources: [folder] })).papers).toHaveLength(5)
  })

  it('find nothing where there is nothing, and say how to look elsewhere', async () => {
    const app = world.offline({ home: join(world.folder, 'empty') })
    const answer = await app.papers({ query: 'glimmerstone' })
    expect(answer).toMatchObject({ status: 'unanswered', stopReason: 'no_papers' })
    expect(answer.answer).toContain('--web')
  })

  it.each([
    [{ query: '' }, 'empty'],
    [{ query: topic, sources: ['nowhere'] }, 'no file or folder'],
    [{ query: topic, count: 21 }, 'count'],
    [{ query: topic, threshold: 1.5 }, 'threshold'],
    [{ query: topic, mcpArxiv: 'arxiv' }, 'MCP'],
    [{ query: topic, add: ['a.pdf'] }, 'no run to add papers to'],
    [{ continue: 'nothing' }, 'no run'],
  ])('refuse %j', async (request, words) => {
    await expect(world.offline().papers(request)).rejects.toThrow(words)
  })
})
