import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type App, type AppOptions, createApp } from '../../src/index.ts'
import { toTraceId } from '../../src/observe/index.ts'
import { type ScriptedModel, scriptTeam, startScriptedModel } from '../../src/testing/index.ts'
import { Collector, type ReceivedSpan } from './collector.ts'

const question = 'What is glimmerstone?'
const secret = 'sk-live-abcdef0123'
const name = 'openai-compatible:scripted'

const collector = new Collector()
const langfuse = new Collector()
let model: ScriptedModel
let folder = ''
let told: string[] = []
let team = scriptTeam()
const opened: App[] = []
beforeAll(async () => {
  await collector.open()
  await langfuse.open()
  model = await startScriptedModel((seen) => team(seen))
})
afterAll(() => Promise.all([collector.close(), langfuse.close(), model.close()]))
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scholium-otel-'))
  mkdirSync(join(folder, 'home'))
  writeFileSync(join(folder, 'stone.md'), '# Glimmerstone\n\nGlimmerstone melts at 412 degrees.\n')
  told = []
  team = scriptTeam()
})
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close()
  collector.clear()
  langfuse.clear()
  rmSync(folder, { recursive: true })
})

const toCollector = () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
const toLangfuse = () => ({
  LANGFUSE_PUBLIC_KEY: 'pk-lf-1',
  LANGFUSE_SECRET_KEY: 'sk-lf-secret',
  LANGFUSE_BASE_URL: `${langfuse.url}/`,
})

/** An app whose model is scripted, under some environment, with the page in its library. */
async function open(
  environment: Readonly<Record<string, string>>,
  options: AppOptions = {},
): Promise<App> {
  const app = createApp({
    home: join(folder, 'home'),
    folder,
    models: { default: name },
    prices: { [name]: { inputUsdPerMTok: 1, outputUsdPerMTok: 4 } },
    environment: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: secret, ...environment },
    onWarning: (text) => told.push(text),
    ...options,
  })
  opened.push(app)
  await Array.fromAsync(app.addToLibrary(['stone.md']))
  return app
}

async function closed(app: App): Promise<void> {
  opened.splice(opened.indexOf(app), 1)
  await app.close()
}

/** The one span with such a name, the first of several. */
function span(spans: readonly ReceivedSpan[], start: string): ReceivedSpan {
  const found = spans.find((one) => one.name.startsWith(start))
  if (found === undefined) throw new Error(`There is no span ${start}.`)
  return found
}

/** The names from a span up to its root. */
function way(spans: readonly ReceivedSpan[], from: ReceivedSpan): readonly string[] {
  const parent = spans.find(({ spanId }) => spanId === from.parentSpanId)
  return parent === undefined ? [from.name] : [from.name, ...way(spans, parent)]
}

describe('a run under a collector', () => {
  it("arrives as one tree of the conventions' spans", async () => {
    const app = await open(toCollector())
    const { runId } = await app.ask({ question }, { session: 's1', user: 'ana' })
    await closed(app)
    const { spans } = collector
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([toTraceId(runId)]))
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length)
    expect(way(spans, span(spans, 'retrieval'))).toEqual([
      'retrieval library',
      'invoke_agent researcher',
      'converse',
      'researcher',
      'invoke_workflow ask',
    ])
    expect(way(spans, span(spans, 'chat'))).toEqual([
      'chat scripted',
      'invoke_agent planner',
      'planner',
      'invoke_workflow ask',
    ])
    const byId = new Map(spans.map((one) => [one.spanId, one]))
    for (const { parentSpanId, startMs, endMs } of spans) {
      if (parentSpanId === '') continue
      const parent = byId.get(parentSpanId) as ReceivedSpan
      expect([parent.startMs <= startMs, startMs <= endMs, endMs <= parent.endMs]).toEqual([
        true,
        true,
        true,
      ])
    }
    expect(told).toEqual([])
  })

  it('has the attributes of version 1.41.0, and no content', async () => {
    const app = await open({
      ...toCollector(),
      OTEL_SERVICE_NAME: 'lab',
      OTEL_RESOURCE_ATTRIBUTES: 'team=a%20b',
    })
    const { usage, costUsd } = await app.ask({ question }, { session: 's1', user: 'ana' })
    await closed(app)
    const { spans, received } = collector
    const [first] = received
    expect(first).toMatchObject({
      path: '/v1/traces',
      schemaUrl: 'https://opentelemetry.io/schemas/1.41.0',
      scope: { name: 'scholium' },
      resource: { 'service.name': 'lab', team: 'a b' },
    })
    expect(span(spans, 'chat')).toMatchObject({
      kind: 3,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai-compatible',
        'gen_ai.request.model': 'scripted',
        'gen_ai.request.temperature': 0,
        'gen_ai.response.finish_reasons': ['stop'],
        'gen_ai.agent.name': 'planner',
        'gen_ai.conversation.id': 's1',
        'session.id': 's1',
        'user.id': 'ana',
      },
    })
    expect(span(spans, 'retrieval').attributes).toMatchObject({
      'gen_ai.operation.name': 'retrieval',
      'gen_ai.data_source.id': 'library',
    })
    const root = span(spans, 'invoke_workflow')
    expect(root).toMatchObject({ kind: 1, parentSpanId: '' })
    expect(root.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_workflow',
      'gen_ai.workflow.name': 'ask',
      'scholium.run.status': 'answered',
    })
    expect(root.attributes['scholium.cost_usd']).toBeCloseTo(costUsd as number, 12)
    const chats = spans.filter((one) => one.attributes['gen_ai.operation.name'] === 'chat')
    const tokens = chats.map((one) => Number(one.attributes['gen_ai.usage.input_tokens']))
    expect(tokens.reduce((sum, count) => sum + count)).toBe(usage.inputTokens)
    expect(JSON.stringify(received)).not.toMatch(/glimmerstone|412 degrees|sk-live/i)
  })

  it('carries the verdicts on the answer', async () => {
    const app = await open(toCollector())
    await app.ask({ question })
    await closed(app)
    const [event] = span(collector.spans, 'invoke_workflow').events
    expect(event).toMatchObject({
      name: 'gen_ai.evaluation.result',
      attributes: {
        'gen_ai.evaluation.name': 'citation',
        'gen_ai.evaluation.score.label': 'verbatim',
        'gen_ai.evaluation.score.value': 1,
      },
    })
  })

  it('has prompts, answers and results where the operator asks for them, but never a key', async () => {
    const app = await open({
      ...toCollector(),
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
    })
    await app.ask({ question: `${question} My key is ${secret}.` })
    await closed(app)
    const { spans } = collector
    const chat = span(spans, 'chat').attributes
    const input = JSON.parse(String(chat['gen_ai.input.messages']))
    expect(input.map(({ role }: { role: string }) => role)).toEqual(['system', 'user', 'user'])
    expect(input[2].parts[0].content).toContain('What is glimmerstone? My key is [secret].')
    const output = JSON.parse(String(chat['gen_ai.output.messages']))
    expect(output).toMatchObject([{ role: 'assistant', finish_reason: 'stop' }])
    const retrieval = span(spans, 'retrieval').attributes
    expect(retrieval['gen_ai.retrieval.query.text']).toContain('glimmerstone')
    expect(String(retrieval['gen_ai.retrieval.documents'])).toContain('412 degrees')
    const root = span(spans, 'invoke_workflow').attributes
    expect(String(root['gen_ai.output.messages'])).toContain('412 degrees')
    expect(JSON.stringify(collector.received)).not.toContain(secret)
  })

  it("keeps the collector's key out of the log, and what is no key in it", async () => {
    const app = await open({
      ...toCollector(),
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20abcdefgh12,x-tenant=glimmerstone',
    })
    const { runId } = await app.ask({ question: `${question} abcdefgh12` })
    const log = JSON.stringify(await Array.fromAsync(app.events(runId)))
    expect(log).not.toContain('abcdefgh12')
    expect(log).toContain('What is glimmerstone?')
  })

  it('reports failures as errors, with their code', async () => {
    team = scriptTeam({ planner: { status: 401 } })
    const app = await open(toCollector())
    expect(await app.ask({ question })).toMatchObject({ status: 'failed' })
    await closed(app)
    expect(span(collector.spans, 'chat')).toMatchObject({
      status: { code: 2 },
      attributes: { 'error.type': 'model_failed' },
    })
    expect(span(collector.spans, 'invoke_workflow').status.code).toBe(2)
  })

  it('is sent in the same ids when it is sent again out of its log', async () => {
    const app = await open(toCollector())
    await app.ask({ question }, { session: 's1' })
    await closed(app)
    const live = collector.spans
    collector.clear()
    const again = await open(toCollector())
    expect(await again.sendTrace('last')).toEqual({ sent: live.length, lost: 0 })
    const byId = (spans: readonly ReceivedSpan[]) =>
      [...spans].sort((left, right) => left.spanId.localeCompare(right.spanId))
    expect(byId(collector.spans)).toEqual(byId(live))
  })

  it('says in each execution which it is, and a fork what it follows from', async () => {
    const controller = new AbortController()
    const app = await open(toCollector())
    const stop = app.ask(
      { question },
      {
        session: 's1',
        signal: controller.signal,
        onEvent: ({ key, type }) => {
          if (type === 'node.done' && key === 'ask/planner[1]') controller.abort()
        },
      },
    )
    await expect(stop).rejects.toMatchObject({ code: 'cancelled' })
    const { runId } = await app.resume('last')
    const fork = await app.fork(runId, { at: 'expert[1]' })
    await closed(app)
    const roots = collector.spans.filter(({ parentSpanId }) => parentSpanId === '')
    expect(
      roots.map(({ traceId, attributes }) => [
        traceId,
        attributes['scholium.execution'],
        attributes['session.id'],
      ]),
    ).toEqual([
      [toTraceId(runId), 1, 's1'],
      [toTraceId(runId), 2, 's1'],
      [toTraceId(fork.answer.runId), 1, 's1'],
    ])
    expect(roots.map(({ status }) => status.code)).toEqual([2, 0, 0])
    expect(roots[2]?.links).toMatchObject([{ traceId: toTraceId(runId), spanId: roots[0]?.spanId }])
  })

  it('has the question of a fork, not of its parent, live and sent again', async () => {
    const environment = {
      ...toCollector(),
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
    }
    const app = await open(environment)
    const { runId } = await app.ask({ question })
    const other = 'At what temperature does glimmerstone melt?'
    const asked = await app.fork(runId, { at: 'expert[1]', question: other })
    const same = await app.fork(asked.answer.runId, { at: 'expert[1]' })
    await closed(app)
    const askedIn = (traceId: string) => {
      const isRoot = (one: ReceivedSpan) => one.traceId === traceId && one.parentSpanId === ''
      const input = collector.spans.find(isRoot)?.attributes['gen_ai.input.messages']
      return JSON.parse(String(input))[0].parts[0].content
    }
    const forks = [asked, same].map(({ answer }) => toTraceId(answer.runId))
    expect([toTraceId(runId), ...forks].map(askedIn)).toEqual([question, other, other])
    collector.clear()
    const again = await open(environment)
    for (const { answer } of [asked, same]) await again.sendTrace(answer.runId)
    expect(forks.map(askedIn)).toEqual([other, other])
  })
})

describe('Langfuse', () => {
  it('gets the spans at its own address, under its keys, with its attributes', async () => {
    const app = await open(toLangfuse())
    await app.ask({ question }, { session: 's1', user: 'ana' })
    await closed(app)
    const { headers, path } = langfuse.received[0] as (typeof langfuse.received)[number]
    expect(path).toBe('/api/public/otel/v1/traces')
    expect(headers.authorization).toBe(
      `Basic ${Buffer.from('pk-lf-1:sk-lf-secret').toString('base64')}`,
    )
    expect(headers['x-langfuse-ingestion-version']).toBe('4')
    const chat = span(langfuse.spans, 'chat').attributes
    expect(chat).toMatchObject({
      'langfuse.observation.type': 'generation',
      'langfuse.observation.model.name': 'scripted',
      'langfuse.session.id': 's1',
      'langfuse.user.id': 'ana',
    })
    expect(JSON.parse(String(chat['langfuse.observation.usage_details']))).toEqual({
      input: chat['gen_ai.usage.input_tokens'],
      output: chat['gen_ai.usage.output_tokens'],
    })
    expect(JSON.parse(String(chat['langfuse.observation.cost_details'])).total).toBe(
      chat['scholium.cost_usd'],
    )
    expect(span(langfuse.spans, 'invoke_agent').attributes['langfuse.observation.type']).toBe(
      'agent',
    )
    expect(collector.posts).toBe(0)
  })

  it("and a collector get the same run, neither the other's keys", async () => {
    const headers = 'x-collector-key=open%20sesame'
    process.env.OTEL_EXPORTER_OTLP_HEADERS = headers
    try {
      const app = await open({
        ...toCollector(),
        ...toLangfuse(),
        OTEL_EXPORTER_OTLP_HEADERS: headers,
      })
      await app.ask({ question })
      await closed(app)
    } finally {
      delete process.env.OTEL_EXPORTER_OTLP_HEADERS
    }
    expect(collector.received[0]?.headers['x-collector-key']).toBe('open sesame')
    expect(collector.received[0]?.headers.authorization).toBeUndefined()
    expect(collector.spans[0]?.attributes['langfuse.observation.type']).toBeUndefined()
    expect(langfuse.spans).toHaveLength(collector.spans.length)
    expect(JSON.stringify(langfuse.received[0]?.headers)).not.toContain('sesame')
  })
})

describe('a collector that is no help', () => {
  it.each(['refuses', 'fails', 'hangs', 'drips'] as const)(
    'and %s leaves the run as it is, and is told once',
    async (manner) => {
      collector.manner = manner
      const app = await open({ ...toCollector(), OTEL_EXPORTER_OTLP_TIMEOUT: '60000' })
      expect(await app.ask({ question })).toMatchObject({ status: 'answered' })
      const startedAt = performance.now()
      await closed(app)
      expect(performance.now() - startedAt).toBeLessThan(30_000)
      expect(told).toEqual([expect.stringMatching(/^Traces cannot be sent to http:\/\/127/)])
      expect(told[0]).not.toContain('\u001b')
    },
  )

  it('because it is not there leaves the run as it is', async () => {
    const app = await open({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
    expect(await app.ask({ question })).toMatchObject({ status: 'answered' })
    const startedAt = performance.now()
    await closed(app)
    expect(performance.now() - startedAt).toBeLessThan(30_000)
    expect(told).toEqual([expect.stringContaining('http://127.0.0.1:9')])
  })

  it('because its address is none is told, and nothing is sent', async () => {
    const app = await open({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' })
    await app.ask({ question })
    expect(told).toEqual([
      expect.stringContaining('OTEL_EXPORTER_OTLP_ENDPOINT is not an http address'),
    ])
    await expect(app.sendTrace('last')).rejects.toMatchObject({ code: 'invalid_configuration' })
  })

  it.each([[{ OTEL_SDK_DISABLED: 'true' }], [{ OTEL_TRACES_EXPORTER: 'none' }]])(
    'because it is switched off gets nothing: %o',
    async (off) => {
      const app = await open({ ...toCollector(), ...off })
      await app.ask({ question })
      await closed(app)
      expect([collector.posts, told]).toEqual([0, []])
    },
  )
})
