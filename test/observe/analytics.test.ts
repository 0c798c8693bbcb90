import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUpRuns } from '../../src/app/runs/remove-runs.ts'
import type { RunStore } from '../../src/kernel/run/run-store.ts'
import { summarizeDistribution } from '../../src/observe/agent-performance.ts'
import { csvCell } from '../../src/observe/export-traces.ts'
import {
  AgentPerformanceAnalyzer,
  AgentTrajectoryAnalyzer,
  exportTraces,
  TraceReader,
  toTraceId,
} from '../../src/observe/index.ts'
import { TestTeam } from '../ask/team.ts'
import { useRuns } from '../kernel/runs.ts'

const prices = {
  'openai-compatible:scripted': { inputUsdPerMTok: 1, outputUsdPerMTok: 4 },
}

/** Four runs: a plain one, one whose plan was rejected once, one whose expert cannot be reached, and one of another session. */
const team = new TestTeam()
let reader = new TraceReader(undefined as unknown as RunStore)
const runIds: string[] = []
beforeAll(async () => {
  await team.open()
  const ask = async (question: string, asking: Parameters<TestTeam['ask']>[1], labels = {}) => {
    const execution = Object.keys(labels).length === 0 ? {} : { labels }
    runIds.push((await team.ask(question, { settings: { prices }, execution, ...asking })).runId)
    team.clock.advance(86_400_000)
  }
  await ask('At what temperature does glimmerstone melt?', {}, { session: 's1', user: 'ana' })
  let plans = 0
  await ask(
    'How much does the varnel weigh?',
    {
      team: {
        critic_planner: () => ({
          json: { decision: plans++ === 0 ? 'reject' : 'approve', feedback: 'More.' },
        }),
      },
    },
    { session: 's1', user: 'bob' },
  )
  await ask(
    '=HYPERLINK("http://evil", "x")',
    { team: { expert: { status: 401 } } },
    { session: 's2' },
  )
  await ask('At what temperature does glimmerstone melt?', {})
  reader = new TraceReader(team.store)
})
afterAll(() => team.close())

const ids = (traces: readonly { readonly runId: string }[]) => traces.map(({ runId }) => runId)

describe('TraceReader', () => {
  it('lists runs newest first, by session, user, agent, time and number', async () => {
    const [first, second, third, fourth] = runIds
    const start = (await reader.get(second as string)).startMs
    expect(ids(await reader.list())).toEqual([fourth, third, second, first])
    expect(ids(await reader.list({ session: 's1' }))).toEqual([second, first])
    expect(ids(await reader.list({ user: 'ana' }))).toEqual([first])
    expect(ids(await reader.list({ agent: 'finalizer' }))).toEqual([fourth, second, first])
    expect(ids(await reader.list({ sinceMs: start }))).toEqual([fourth, third, second])
    expect(ids(await reader.list({ untilMs: start }))).toEqual([first])
    expect(ids(await reader.list({ session: 's1', limit: 1 }))).toEqual([second])
    expect(await reader.list({ session: 'none' })).toEqual([])
  })

  it("finds a trace by the run's id and by its own", async () => {
    const [first = ''] = runIds
    const trace = await reader.get(first)
    expect(trace).toMatchObject({
      traceId: toTraceId(first),
      workflow: 'ask',
      status: 'answered',
      sessionId: 's1',
      userId: 'ana',
      executions: 1,
      agents: ['planner', 'critic', 'researcher', 'expert', 'finalizer'],
    })
    expect(await reader.get(trace.traceId)).toEqual(trace)
    await expect(reader.get('0'.repeat(32))).rejects.toMatchObject({ code: 'run_not_found' })
    await expect(reader.get('nothing')).rejects.toMatchObject({ code: 'run_not_found' })
  })

  it('gives what an agent did, and the model calls', async () => {
    const critics = await Array.fromAsync(
      reader.agentSpans('critic', { session: 's1', user: 'bob' }),
    )
    expect(critics.map(({ kind }) => kind)).toEqual(['agent', 'agent', 'agent', 'agent'])
    const calls = await Array.fromAsync(reader.modelCalls({ session: 's1', agent: 'researcher' }))
    expect(calls.map(({ kind, agent }) => [kind, agent])).toEqual([
      ['model', 'researcher'],
      ['model', 'researcher'],
      ['model', 'researcher'],
      ['model', 'researcher'],
    ])
  })
})

describe('AgentPerformanceAnalyzer', () => {
  it('gives times, tokens and costs by agent that add up to the runs', async () => {
    const analyzer = new AgentPerformanceAnalyzer(reader)
    const { agents, workflow } = await analyzer.analyze()
    expect(workflow).toMatchObject({
      runs: 4,
      statuses: { answered: 3, failed: 1 },
      errors: { errors: 1, total: 4, rate: 0.25 },
    })
    const sum = (of: (agent: (typeof agents)[number]) => number) =>
      agents.reduce((total, agent) => total + of(agent), 0)
    expect(sum(({ usage }) => usage.inputTokens)).toBe(workflow.usage.inputTokens)
    expect(sum(({ usage }) => usage.modelCalls)).toBe(workflow.usage.modelCalls)
    expect(sum(({ usage }) => usage.costUsd as number)).toBeCloseTo(
      workflow.usage.costUsd as number,
      12,
    )
    const costs = agents.map(({ usage }) => usage.costUsd as number)
    expect(costs).toEqual([...costs].sort((left, right) => right - left))
    expect(await analyzer.summary()).toEqual(workflow)
    expect(await analyzer.tokenUsage({ agent: 'critic' })).toEqual({
      critic: expect.objectContaining({ inputTokens: expect.any(Number) }),
    })
    expect(Object.keys(await analyzer.costPerAgent())).toHaveLength(5)
  })

  it('gives error rates as counts and a rate', async () => {
    const rates = await new AgentPerformanceAnalyzer(reader).errorRates()
    expect(rates.expert).toEqual({ errors: 1, total: 4, rate: 0.25 })
    expect(rates.planner).toEqual({ errors: 0, total: 5, rate: 0 })
  })

  it("gives an agent's latencies over its own work alone", async () => {
    const spans = await Array.fromAsync(reader.agentSpans('critic'))
    const latency = await new AgentPerformanceAnalyzer(reader).agentLatency('critic')
    expect(latency).toEqual(
      summarizeDistribution(spans.map(({ startMs, endMs }) => endMs - startMs)),
    )
    expect(await new AgentPerformanceAnalyzer(reader).agentLatency('nobody')).toMatchObject({
      count: 0,
      p99: 0,
    })
  })
})

describe('summarizeDistribution', () => {
  it.each([
    [[], [0, 0, 0]],
    [[7], [7, 7, 7]],
    [
      [4, 1, 3, 2],
      [2, 4, 4],
    ],
    [Array.from({ length: 100 }, (_, index) => 100 - index), [50, 95, 99]],
    [Array.from({ length: 200 }, (_, index) => index + 1), [100, 190, 198]],
  ])('takes the nearest rank', (values, [p50, p95, p99]) => {
    expect(summarizeDistribution(values)).toMatchObject({ count: values.length, p50, p95, p99 })
  })
})

describe('AgentTrajectoryAnalyzer', () => {
  const plain = ['planner', 'critic', 'researcher', 'critic', 'expert', 'critic', 'finalizer']

  it('gives the ways of runs and how often each was taken', async () => {
    const paths = await new AgentTrajectoryAnalyzer(reader).paths()
    expect(paths[0]).toEqual({
      path: plain,
      runs: 2,
      share: 0.5,
      runIds: [runIds[3], runIds[0]],
    })
    expect(paths.map(({ runs }) => runs)).toEqual([2, 1, 1])
  })

  it('gives every node with its time and what it used', async () => {
    const trajectories = await Array.fromAsync(
      new AgentTrajectoryAnalyzer(reader).trajectories({ limit: 1 }),
    )
    const [{ steps, path }] = trajectories as [(typeof trajectories)[number]]
    expect(path).toEqual(plain)
    expect(steps[0]).toMatchObject({ node: 'input', status: 'ok' })
    expect(steps.filter(({ node }) => node === 'orchestrator')).toHaveLength(7)
  })

  it('says where two runs part', async () => {
    const [first = '', second = '', , fourth = ''] = runIds
    const analyzer = new AgentTrajectoryAnalyzer(reader)
    expect(await analyzer.compare(first, second)).toEqual({
      isSame: false,
      shared: ['planner', 'critic'],
      left: plain.slice(2),
      right: plain,
    })
    expect(await analyzer.compare(first, fourth)).toMatchObject({
      isSame: true,
      left: [],
      right: [],
    })
  })
})

describe('an export', () => {
  const text = async (format: 'json' | 'csv', filter = {}) =>
    (await Array.fromAsync(exportTraces(reader, filter, format))).join('')

  it('is JSON with the spans of each run', async () => {
    const traces = JSON.parse(await text('json', { session: 's1' }))
    expect(ids(traces)).toEqual([runIds[1], runIds[0]])
    expect(traces[1].spans.map(({ spanId }: { spanId: string }) => spanId)).toEqual(
      (await Array.fromAsync(reader.spans(runIds[0] as string))).map(({ spanId }) => spanId),
    )
    expect(JSON.parse(await text('json', { session: 'none' }))).toEqual([])
  })

  it('is CSV with a line for each run, in which nothing is a formula', async () => {
    const [header, ...lines] = (await text('csv')).trimEnd().split('\r\n')
    expect(header).toMatch(
      /^id,name,user_id,session_id,timestamp,duration_ms,total_cost,input_tokens,output_tokens/,
    )
    expect(lines).toHaveLength(4)
    expect(lines[1]).toContain(`,"'=HYPERLINK(""http://evil"", ""x"")"`)
    expect(lines[3]).toMatch(
      /^run-1,ask,ana,s1,2026-01-01T\d\d:\d\d:\d\d\.\d{3}Z,\d+,0\.\d+,\d+,\d+,answered,/,
    )
  })

  it.each([
    ['=1+1', `"'=1+1"`],
    [' @SUM(A1)', `"' @SUM(A1)"`],
    ['-2', `"'-2"`],
    ['＝1', `"'＝1"`],
    ['\t=1', `"'\t=1"`],
    ['a "b", c', '"a ""b"", c"'],
    ['two\nlines', '"two\nlines"'],
    ['plain', 'plain'],
  ])('writes %j as the cell %j', (value, cell) => {
    expect(csvCell(value)).toBe(cell)
  })
})

describe('cleanUpRuns', () => {
  const current = useRuns()
  const day = 86_400_000

  /** A run of this id that ended so, on a day of its own. */
  async function made(
    runId: string,
    status: 'answered' | 'waiting' | 'interrupted',
    parent?: string,
  ): Promise<void> {
    const { store, clock } = current()
    clock.advance(day)
    const owner = { bootId: 'x', pid: 1, processStart: 'x' }
    const run = { runId, workflow: 'test', title: runId, createdAt: clock.now() }
    const shared = parent === undefined ? {} : { parent: { runId: parent, seq: 1 } }
    const lease = await store.create({ ...run, ...shared }, owner)
    const event = {
      key: '',
      type: 'notice',
      data: { level: 'info', component: '', text: '' },
      ts: clock.now(),
    } as const
    await store.append(lease, [event], [], 'normal')
    await store.release(lease, status)
  }

  it('removes what ended long ago, and spares what is newer, waits or can be resumed', async () => {
    const { store, clock } = current()
    await made('a', 'answered')
    await made('w', 'waiting')
    await made('i', 'interrupted')
    await made('b', 'answered')
    const endedBeforeMs = clock.now()
    await made('c', 'answered')
    const request = { endedBeforeMs, isDryRun: true }
    const dry = await cleanUpRuns(store, request)
    expect([ids(dry.removed), ids(await store.list())]).toEqual([
      ['b', 'a'],
      ['c', 'b', 'i', 'w', 'a'],
    ])
    expect(ids((await cleanUpRuns(store, { ...request, isDryRun: false })).removed)).toEqual([
      'b',
      'a',
    ])
    expect(ids(await store.list())).toEqual(['c', 'i', 'w'])
  })

  it('keeps the newest, up to a limit', async () => {
    const { store, clock } = current()
    for (const runId of ['a', 'b', 'c']) await made(runId, 'answered')
    const { removed } = await cleanUpRuns(store, { endedBeforeMs: clock.now(), keep: 2 })
    expect(ids(removed)).toEqual(['a'])
  })

  it('keeps what a kept fork needs, however far up, and removes a family whole', async () => {
    const { store, clock } = current()
    await made('a', 'answered')
    await made('b', 'answered', 'a')
    await made('c', 'waiting', 'b')
    await made('x', 'answered')
    await made('y', 'answered', 'x')
    const { removed, spared } = await cleanUpRuns(store, { endedBeforeMs: clock.now() })
    expect(ids(removed)).toEqual(['y', 'x'])
    expect(spared.map(({ run, reason }) => [run.runId, reason])).toEqual([
      ['b', 'its fork c is kept'],
      ['a', 'its fork b is kept'],
    ])
  })
})
