import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  App,
  type AppOptions,
  createApp,
  type LiveEvent,
  type RunFilter,
  type RunRecord,
} from './index.ts'
import {
  createQuickClock,
  type ScriptedModel,
  scriptTeam,
  startScriptedModel,
} from './testing/index.ts'

const question = 'What is glimmerstone?'
const page = '# Glimmerstone\n\nGlimmerstone is a mineral that melts at 412 degrees Celsius.\n'
const key = 'sk-live-abcdef0123'
const scripted = { default: 'openai-compatible:scripted' }

let folder = ''
let model: ScriptedModel
const opened: App[] = []
beforeAll(async () => {
  model = await startScriptedModel((seen) =>
    seen.apiKey === 'wrong'
      ? { status: 401, body: { error: { message: `Incorrect API key provided: ${seen.apiKey}` } } }
      : scriptTeam()(seen),
  )
})
afterAll(() => model.close())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scholium-app-runs-'))
  mkdirSync(join(folder, 'home'))
  writeFileSync(join(folder, 'glimmerstone.md'), page)
})
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close()
  rmSync(folder, { recursive: true })
})

/** An app over the test's home, with the page in its library. */
async function open(options: AppOptions = {}): Promise<App> {
  const app = createApp({ home: join(folder, 'home'), folder, environment: {}, ...options })
  opened.push(app)
  await Array.fromAsync(app.addToLibrary(['glimmerstone.md']))
  return app
}

const overHttp = (apiKey = key): AppOptions => ({
  models: scripted,
  environment: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: apiKey },
  clock: createQuickClock(),
})

describe('App', () => {
  it('is made by createApp, over the home that it is given', async () => {
    const app = await open()
    expect(app).toBeInstanceOf(App)
    expect(app.home).toEqual({ path: join(folder, 'home'), from: 'option' })
    expect(new Set(Object.values(app.models))).toEqual(new Set(['extractive']))
  })

  it('asks, tells of every event, and gives the answer in its public form', async () => {
    const app = await open()
    const heard: LiveEvent[] = []
    const answer = await app.ask({ question }, { onEvent: (event) => heard.push(event) })
    expect(answer).toMatchObject({
      schema: 'scholium.answer/1',
      runId: expect.stringMatching(/^\d{8}-[0-9a-z]{6}$/),
      workflow: 'ask',
      status: 'answered',
      question,
      answer: expect.stringContaining('412'),
      citations: [{ n: 1, path: join(folder, 'glimmerstone.md') }],
      usage: { inputTokens: 0, outputTokens: 0, embeddingTokens: 0 },
      costUsd: 0,
      models: { planner: 'extractive', finalizer: 'extractive' },
    })
    expect(answer.usage.modelCalls).toBeGreaterThan(3)
    expect(answer.timings.wallMs).toBeGreaterThan(0)
    const stored = heard.filter((event) => !('transient' in event))
    expect(stored).toEqual(await Array.fromAsync(app.events(answer.runId)))
    expect(heard.length).toBeGreaterThan(stored.length)
  })

  it('lists, shows, reads and removes runs, by their whole id, its beginning, its end or "last"', async () => {
    const app = await open()
    const first = await app.ask({ question })
    const second = await app.ask({ question: 'What does glimmerstone do?' })
    const runs = await app.listRuns()
    expect(runs.map(({ runId, status, title }) => [runId, status, title])).toEqual([
      [second.runId, second.status, 'What does glimmerstone do?'],
      [first.runId, 'answered', question],
    ])
    expect(await app.listRuns({ limit: 1 })).toHaveLength(1)
    const ids = async (filter: RunFilter) => (await app.listRuns(filter)).map(({ runId }) => runId)
    expect(await ids({ after: runs[0] as RunRecord })).toEqual([first.runId])
    expect(await ids({ workflow: 'papers' })).toEqual([])
    expect(await ids({ workflow: 'ask', statuses: ['answered'], limit: 1 })).toContain(
      second.status === 'answered' ? second.runId : first.runId,
    )
    expect(await ids({ statuses: ['waiting'] })).toEqual([])
    await expect(ids({ limit: 0 })).rejects.toMatchObject({ code: 'invalid_input' })
    expect((await app.showRun('last')).runId).toBe(second.runId)
    expect(await app.recordedAnswer(first.runId.slice(-6))).toEqual(first)
    expect(await app.resume(first.runId)).toEqual(first)
    const types = await Array.fromAsync(app.events(first.runId, { types: ['run.finished'] }))
    expect(types.map(({ type }) => type)).toEqual(['run.finished'])
    expect(await app.removeRun(first.runId)).toBe(first.runId)
    await expect(app.showRun(first.runId)).rejects.toMatchObject({ code: 'run_not_found' })
  })

  it('gives no answer of a run that has none', async () => {
    const app = await open()
    const interruption = new AbortController()
    const asking = app.ask(
      { question },
      {
        signal: interruption.signal,
        onEvent: (event) => {
          if (event.type === 'node.done' && event.key === 'ask/planner[1]') interruption.abort()
        },
      },
    )
    await expect(asking).rejects.toMatchObject({ code: 'cancelled' })
    expect(await app.recordedAnswer('last')).toBeUndefined()
    await expect(app.replay('last')).rejects.toMatchObject({ code: 'invalid_input' })
    const resumed = await app.resume('last')
    expect(await app.recordedAnswer('last')).toEqual(resumed)
    expect(resumed.status).toBe('answered')
  })

  it('keeps a library: adds, lists, searches, removes', async () => {
    const app = await open()
    expect(await Array.fromAsync(app.addToLibrary(['glimmerstone.md']))).toMatchObject([
      { path: join(folder, 'glimmerstone.md'), outcome: 'unchanged', title: 'Glimmerstone' },
    ])
    const [source] = await app.listLibrary()
    expect(source).toMatchObject({ title: 'Glimmerstone', kind: 'markdown' })
    const [hit] = await app.searchLibrary({ query: 'mineral that melts', limit: 3 })
    expect(hit?.source).toEqual(source)
    expect(hit?.passage.text).toContain('412')
    expect(await app.removeFromLibrary(source?.id ?? '')).toBe(1)
    expect(await app.listLibrary()).toEqual([])
  })

  it('refuses files that are not there, before it does anything', async () => {
    const app = await open()
    const nowhere = { code: 'invalid_input', message: expect.stringContaining('nowhere.md') }
    await expect(app.ask({ question, sources: ['nowhere.md'] })).rejects.toMatchObject(nowhere)
    expect(() => app.addToLibrary(['glimmerstone.md', 'nowhere.md'])).toThrow(
      expect.objectContaining(nowhere),
    )
    expect(await app.listRuns()).toEqual([])
  })

  it('draws the graph of the team', async () => {
    const { mermaid, picture } = await (await open()).drawGraph()
    expect(mermaid).toMatch(/^flowchart TD\n/)
    expect(picture.start).toBe('input')
    expect(picture.nodes).toEqual(expect.arrayContaining(['orchestrator', 'critic', 'verify']))
    expect(picture.edges).toContainEqual({
      from: 'orchestrator',
      to: 'finalizer',
      isConditional: true,
    })
  })
})

describe('an app with a model behind HTTP', () => {
  it('asks it, with the key, and says what it used', async () => {
    const app = await open({
      ...overHttp(),
      prices: { [scripted.default]: { inputUsdPerMTok: 2, outputUsdPerMTok: 4 } },
    })
    const before = model.requests.length
    const { usage, costUsd, models, status } = await app.ask({ question })
    expect({ status, models }).toMatchObject({
      status: 'answered',
      models: { critic: scripted.default },
    })
    const seen = model.requests.slice(before)
    expect(usage.modelCalls).toBe(seen.length)
    expect(new Set(seen.map(({ apiKey }) => apiKey))).toEqual(new Set([key]))
    expect(costUsd).toBeCloseTo((usage.inputTokens * 2 + usage.outputTokens * 4) / 1e6, 12)
  })

  it('does not know what an unpriced model costs, and keeps no dollar limit for it', async () => {
    const app = await open(overHttp())
    expect((await app.ask({ question })).costUsd).toBeNull()
    await expect(app.ask({ question }, { limits: { maxCostUsd: 1 } })).rejects.toMatchObject({
      code: 'invalid_configuration',
      hint: expect.stringContaining('token limit'),
    })
    const both = { maxCostUsd: 1, maxTokens: 1_000_000 }
    expect((await app.ask({ question }, { limits: both })).status).toBe('answered')
  })

  it('leaves the key in no file of its home, whatever repeats it', async () => {
    const refused = await open(overHttp('wrong'))
    const failed = await refused.ask({ question: 'Is wrong a key?' })
    expect(failed).toMatchObject({ status: 'failed', stopReason: 'error' })
    await refused.close()
    const app = await open(overHttp())
    const { runId } = await app.ask({ question: `What is ${key}?` })
    expect(await app.recordedAnswer(runId)).toMatchObject({ question: 'What is [secret]?' })
    const home = join(folder, 'home')
    for (const name of readdirSync(home)) {
      expect([name, readFileSync(join(home, name)).includes(key)]).toEqual([name, false])
    }
  })

  it('continues with a run under the models that it was begun with, and under no others', async () => {
    const first = await open(overHttp())
    const interruption = new AbortController()
    const { signal } = interruption
    const onEvent = (event: LiveEvent) => {
      if (event.key === 'ask/planner[1]' && event.type === 'node.done') interruption.abort()
    }
    await expect(first.ask({ question }, { signal, onEvent })).rejects.toMatchObject({
      code: 'cancelled',
    })
    await first.close()
    const { environment } = overHttp() as { environment: Record<string, string> }
    const other = await open({ environment, models: { default: 'extractive' } })
    await expect(other.resume('last')).rejects.toMatchObject({ code: 'run_incompatible' })
    const unnamed = await open({ environment })
    expect(unnamed.models.planner).toBe('extractive')
    const answer = await unnamed.resume('last')
    expect(answer).toMatchObject({ status: 'answered', models: { planner: scripted.default } })
  })

  it('has its limits in every run, and those of one run next to them', async () => {
    const app = await open({ limits: { maxSteps: 3 } })
    expect((await app.ask({ question })).stopReason).toBe('limit')
    const free = await app.ask({ question }, { limits: { maxSteps: 100 } })
    expect(free.status).toBe('answered')
  })
})
