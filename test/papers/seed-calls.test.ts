import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App, PapersAnswer, RunEvent } from '../../src/index.ts'
import type { Span } from '../../src/observe/index.ts'
import { OpenedBundle } from '../bundle/opened.ts'
import { CommandLine } from '../cli/command.ts'
import { AppWorld } from './app-world.ts'
import { paperPdf } from './paper-pdf.ts'
import { sparseAttentionPapers } from './served-papers.ts'

const query = 'sparse attention memory'
const price = { inputUsdPerMTok: 0.15, outputUsdPerMTok: 0.6 }

let world: AppWorld
let app: App
let answer: PapersAnswer
let spans: readonly Span[]
let events: readonly RunEvent[]
beforeAll(async () => {
  world = await AppWorld.start()
  app = world.app({ prices: { 'openai-compatible:scripted': price } })
  const request = { query, sources: [world.pdfs('three', 3)] }
  const limits = { maxTokens: 1_000_000 }
  answer = await app.papers(request, { session: 'session-abc123', user: 'ana', limits })
  spans = await Array.fromAsync(app.traces.spans(answer.runId))
  events = await Array.fromAsync(app.events(answer.runId))
}, 60_000)
afterAll(() => world.close())

const node = (name: string) => spans.find(({ key }) => key === `papers/${name}[1]`)

describe('the model calls of a run of papers', () => {
  it('are one for each paper and one for all of them; search, filter and citation have none', () => {
    const calls = (name: string) => node(name)?.usage.modelCalls
    expect(['retriever', 'reader', 'filter', 'citation', 'finalize'].map(calls)).toEqual(
      Array(5).fill(0),
    )
    expect([calls('analyzer'), calls('synthesizer')]).toEqual([3, 1])
  })

  it('are made at temperature 0, with a form of the answer and a longest length', () => {
    expect(world.model.requests.length).toBeGreaterThan(3)
    for (const { body } of world.model.requests) {
      expect(body.temperature).toBe(0)
      expect(body.max_tokens ?? body.max_completion_tokens).toBeGreaterThan(0)
      expect(body.response_format).toMatchObject({ type: expect.stringContaining('json') })
    }
  })

  it('keep their answers in the log, and their prompts for the bundle', async () => {
    const key = 'papers/synthesizer[1]/final/synthesizer/model'
    const done = events.find((event) => event.type === 'step.done' && event.key === key)
    expect(JSON.stringify(done?.output)).toContain('Sparse attention reduces')
    const file = join(world.folder, 'calls.scholium')
    await app.exportRun(answer.runId, { file })
    const messages = new OpenedBundle(readFileSync(file)).text('messages.ndjson')
    expect(messages).toContain('You compare what several papers say')
    expect(messages).toContain('The papers:')
  })

  it('are added up: tokens and dollars of all, at the table of prices', () => {
    const { inputTokens, outputTokens } = answer.usage
    const used = world.model.requests.length
    expect(answer.usage.modelCalls).toBe(used)
    const dollars = (inputTokens * 0.15 + outputTokens * 0.6) / 1_000_000
    expect(answer.costUsd).toBeCloseTo(dollars, 12)
    const inNodes = spans.filter(
      ({ kind, key }) => kind === 'node' && /^papers\/\w+\[1\]$/.test(key),
    )
    const sum = inNodes.reduce((total, { usage }) => total + usage.inputTokens, 0)
    expect(sum).toBe(inputTokens)
    expect(answer.timings.wallMs).toBeGreaterThanOrEqual(0)
  })
})

describe('the trace of a run of papers', () => {
  it('has a span for each node, in it one for each paper, in it the call', () => {
    const nodes = spans.filter(({ kind, key }) => kind === 'node' && /^papers\/\w+\[1\]$/.test(key))
    expect(nodes.map(({ name }) => name)).toEqual([
      'retriever[1]',
      'reader[1]',
      'analyzer[1]',
      'filter[1]',
      'synthesizer[1]',
      'claims[1]',
      'citation[1]',
      'finalize[1]',
    ])
    const ids = new Map(spans.map((span) => [span.spanId, span]))
    const call = spans.find(({ key }) => key === 'papers/analyzer[1]/paper[2]/analyzer/model')
    const above: string[] = []
    for (let one = call; one !== undefined; one = ids.get(one.parentId ?? '')) above.push(one.kind)
    expect(above).toEqual(['model', 'agent', 'node', 'node', 'workflow'])
    expect(call?.usage).toMatchObject({ modelCalls: 1, costUsd: expect.any(Number) })
  })

  it('is found by its session and its user', async () => {
    const bySession = await app.traces.list({ session: 'session-abc123' })
    expect(bySession.map(({ runId, userId }) => [runId, userId])).toEqual([[answer.runId, 'ana']])
    expect(await app.traces.list({ session: 'another' })).toEqual([])
  })
})

describe('the log lines of a run of papers', () => {
  it('tell the beginning and the end of each node, and each call', async () => {
    const line = new CommandLine()
    try {
      for (const paper of sparseAttentionPapers.slice(0, 1))
        line.write(`${paper.arxivId}.pdf`, paperPdf(paper))
      const options = ['--source', '.', '--log-file', 'run.log']
      expect((await line.run(['papers', query, ...options])).exitCode).toBe(0)
      const log = readFileSync(join(line.folder, 'run.log'), 'utf8')
      for (const name of ['retriever', 'reader', 'analyzer', 'filter', 'synthesizer', 'citation'])
        for (const what of ['start', 'done'])
          expect(log).toMatch(new RegExp(`INFO  papers/${name}\\[1\\] node ${what} `))
      expect(log).toContain('run finished')
      expect(log).toMatch(/model call done .*durationMs=\d+ model=extractive/)
    } finally {
      line.remove()
    }
  })
})
