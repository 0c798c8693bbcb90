import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type BranchResult,
  defineGraph,
  end,
  type Node,
  replace,
  runGraph,
} from '../../src/graph/index.ts'
import { type RunEvent, ScholiumError } from '../../src/kernel/index.ts'
import { sumAccounts } from '../../src/kernel/run/accounts.ts'
import { eventsForSpans, type Span, SpanFold, sumUsage } from '../../src/observe/index.ts'
import { FaultStore } from '../../src/testing/index.ts'
import { TestTeam } from '../ask/team.ts'
import { type Body, useRuns } from '../kernel/runs.ts'
import { drawn, named, spansOfRun } from './tree.ts'

const team = new TestTeam()
beforeAll(() => team.open())
afterAll(() => team.close())
const current = useRuns()

const question = 'At what temperature does glimmerstone melt?'
const prices = {
  'openai-compatible:scripted': { inputUsdPerMTok: 1, outputUsdPerMTok: 4 },
}

async function usageIsTheAccounts(store: TestTeam['store'], runId: string): Promise<void> {
  const { embeddingTokens: _, wallMs: __, ...accounts } = await sumAccounts(store.events(runId))
  expect(sumUsage(await spansOfRun(store, runId))).toEqual(accounts)
}

describe('the spans of a question', () => {
  it('are three tiers: nodes, the agents in them, and their calls', async () => {
    const { runId } = await team.ask(question)
    const agents = drawn(await spansOfRun(team.store, runId)).filter(
      (line) => !/orchestrator|report|input|verify|evidence|citations|sources/.test(line),
    )
    expect(agents).toEqual([
      'workflow ask',
      '  node planner[1]',
      '    agent planner',
      '      model model',
      '  node critic[1]',
      '    agent critic',
      '      model model',
      '  node researcher[1]',
      '    node converse[1]',
      '      agent researcher',
      '        model model',
      '        retrieval search_library',
      '        model model',
      '  node critic[2]',
      '    agent critic',
      '      model model',
      '  node expert[1]',
      '    node converse[1]',
      '      agent expert',
      '        model model',
      '  node critic[3]',
      '    agent critic',
      '      model model',
      '  node finalizer[1]',
      '    agent finalizer',
      '      model model',
    ])
  })

  it('lie within each other, each after what was before it', async () => {
    const { runId } = await team.ask(question)
    const spans = await spansOfRun(team.store, runId)
    const byId = new Map(spans.map((span) => [span.spanId, span]))
    expect(byId.size).toBe(spans.length)
    for (const span of spans) {
      expect(span.endMs).toBeGreaterThanOrEqual(span.startMs)
      const parent = span.parentId === null ? span : (byId.get(span.parentId) as Span)
      expect([parent.startMs <= span.startMs, span.endMs <= parent.endMs]).toEqual([true, true])
    }
    const nodes = spans.filter(({ kind, key }) => kind === 'node' && key.split('/').length === 2)
    for (const [index, node] of nodes.entries())
      expect(node.startMs).toBe(nodes[index - 1]?.endMs ?? named(spans, 'ask').startMs)
  })

  it('say which model was asked how, and what it used, the same sum in each holder', async () => {
    const { runId } = await team.ask(question, { settings: { prices } })
    const spans = await spansOfRun(team.store, runId)
    const call = named(spans, 'ask/planner[1]/model')
    expect(call).toMatchObject({ agent: 'planner', kind: 'model' })
    expect(call.attributes).toMatchObject({
      model: 'openai-compatible:scripted',
      role: 'planner',
      requests: 1,
      temperature: 0,
    })
    expect(call.usage.inputTokens).toBeGreaterThan(0)
    const total = sumUsage(spans)
    expect(total.costUsd).toBeCloseTo((total.inputTokens + 4 * total.outputTokens) / 1e6, 12)
    const { usage } = named(spans, 'ask')
    expect({ ...usage, costUsd: 0 }).toEqual({ ...total, costUsd: 0 })
    expect(usage.costUsd).toBeCloseTo(total.costUsd as number, 12)
    await usageIsTheAccounts(team.store, runId)
  })

  it('have the same ids whenever they are projected, and others in another run', async () => {
    const { runId } = await team.ask(question)
    const other = await team.ask(question)
    const ids = async (id: string) => (await spansOfRun(team.store, id)).map(({ spanId }) => spanId)
    expect(await ids(runId)).toEqual(await ids(runId))
    expect(new Set([...(await ids(runId)), ...(await ids(other.runId))]).size).toBe(
      2 * (await ids(runId)).length,
    )
  })

  it('count what was asked again after a refusal, and say that a model could not be reached', async () => {
    let refusals = 0
    const { runId } = await team.ask(question, {
      team: {
        planner: () =>
          refusals++ < 1 ? { status: 503 } : { json: { research_steps: [], expert_steps: ['x'] } },
        expert: { status: 401 },
      },
    })
    const spans = await spansOfRun(team.store, runId)
    expect(named(spans, 'ask/planner[1]/model').attributes.requests).toBe(2)
    expect(spans.filter(({ status }) => status === 'failed').map(({ name }) => name)).toEqual([
      'model',
      'expert',
      'expert[1]',
      'ask',
    ])
    expect(named(spans, 'expert').failure).toMatchObject({ code: 'model_failed' })
    await usageIsTheAccounts(team.store, runId)
  })

  it("of a fork are its own; those before it are marked and are its parent's", async () => {
    const { runId } = await team.ask(question, { settings: { prices } })
    const fork = await team.fork(runId, 'expert[1]', [])
    const spans = await spansOfRun(team.store, fork.runId)
    const shared = spans.filter(({ isShared }) => isShared === true)
    const parents = new Map(
      (await spansOfRun(team.store, runId)).map((span) => [span.spanId, span]),
    )
    for (const { spanId, kind } of shared)
      if (kind !== 'workflow') expect(parents.get(spanId)).toBeDefined()
    expect(shared.filter(({ kind }) => kind === 'agent').map(({ name }) => name)).toEqual([
      'planner',
      'critic',
      'researcher',
      'critic',
    ])
    const own = drawn(spans.filter(({ isShared }) => isShared !== true))
    expect(own[0]).toBe('workflow ask')
    expect(own.filter((line) => line.startsWith('  node')).slice(0, 2)).toEqual([
      '  node expert[1]',
      '  node orchestrator[6]',
    ])
    await usageIsTheAccounts(team.store, fork.runId)
  })
})

type Parted = { readonly parallel_results: readonly BranchResult[] }

/** A paid call. */
const call: (name: string) => Body = (name) => (context) =>
  context.step(
    name,
    'read',
    { model: 'a:b', role: 'expert' },
    async (attempt) => {
      attempt.use({ inputTokens: 5, outputTokens: 1, costUsd: 0.25 })
      return name
    },
    { isPaid: true, reservation: { steps: 1, tokens: 6, costUsd: 0.25 } },
  )

describe('the spans of a fan-out', () => {
  it('begin together, each branch a node of its own', async () => {
    const work: Node<Parted> = async (_, context) => {
      await call('model')(context, {})
      return {}
    }
    /** Does its one step, which is recorded at its end alone, when the other branch has ended. */
    const later: Node<Parted> = async (_, context) => {
      const isOver = async () => (await current().log()).some((line) => line.endsWith('/left'))
      while (!(await isOver())) await new Promise((resolve) => setTimeout(resolve, 1))
      await context.step('late', 'pure', {}, async () => null)
      return {}
    }
    const graph = defineGraph<Parted>({
      name: 'parted',
      channels: { parallel_results: replace<readonly BranchResult[]>([]) },
      start: 'split',
      nodes: { split: work, left: work, right: later, meet: work },
      edges: {
        split: {
          targets: ['left', 'right', 'meet'],
          route: () => ({
            branches: [
              { node: 'left', patch: {} },
              { node: 'right', patch: {} },
            ],
            join: 'meet',
          }),
        },
        left: end,
        right: end,
        meet: end,
      },
    })
    await current().start(async (context) => {
      await runGraph(graph, context, {})
      return null
    })
    const spans = await spansOfRun(current().store, 'run')
    const agent = (indent: string) => [`${indent}agent expert`, `${indent}  model model`]
    expect(drawn(spans)).toEqual([
      'workflow test',
      '  node split[1]',
      ...agent('    '),
      '  node fan[meet][1]',
      '    node left',
      ...agent('      '),
      '    node right',
      '      step late',
      '  node meet[1]',
      ...agent('    '),
    ])
    const fan = named(spans, 'fan[meet][1]')
    expect(fan.startMs).toBe(named(spans, 'split[1]').endMs)
    for (const name of ['left', 'right']) expect(named(spans, name).startMs).toBe(fan.startMs)
    await usageIsTheAccounts(current().store, 'run')
  })
})

describe('the spans of a run that did not end at once', () => {
  it('are open where it waits for a person', async () => {
    await expect(current().start((context) => context.ask('name', 'Who?'))).rejects.toThrow()
    const spans = await spansOfRun(current().store, 'run')
    expect(drawn(spans)).toEqual(['workflow test open'])
    expect(spans[0]?.failure?.code).toBe('waiting')
  })

  it('are those of each execution; a call in flight when the process died is left open', async () => {
    const body: Body = async (context, input) => {
      await call('first')(context, input)
      return call('second')(context, input)
    }
    const { store } = current()
    const faulty = new FaultStore(store, { event: 5, when: 'before' })
    await expect(current().start(body, { store: faulty })).rejects.toThrow()
    await current().resume(body)
    const spans = await spansOfRun(store, 'run')
    expect(drawn(spans)).toEqual([
      'workflow test open',
      '  agent expert open',
      '    model first',
      '    model second open',
      'workflow test',
      '  agent expert',
      '    model second',
    ])
    expect(
      spans.filter(({ kind }) => kind === 'workflow').map(({ execution }) => execution),
    ).toEqual([1, 2])
    await usageIsTheAccounts(store, 'run')
  })

  it('were cancelled with it, and say so', async () => {
    const controller = new AbortController()
    const body: Body = (context) =>
      context.step('wait', 'read', {}, async () => {
        controller.abort()
        throw new Error('broken off')
      })
    await expect(current().start(body, { signal: controller.signal })).rejects.toThrow()
    expect(drawn(await spansOfRun(current().store, 'run'))).toEqual([
      'workflow test cancelled',
      '  step wait cancelled',
    ])
  })

  it('failed with it, with the reason', async () => {
    const failure = new ScholiumError('model_unavailable', 'Gone.', { retryable: true })
    await expect(
      current().start((context) => context.step('ask', 'read', {}, () => Promise.reject(failure))),
    ).rejects.toThrow()
    const spans = await spansOfRun(current().store, 'run')
    expect(drawn(spans)).toEqual(['workflow test failed', '  step ask failed'])
    for (const span of spans)
      expect(span.failure).toEqual({ code: 'model_unavailable', message: 'Gone.' })
  })

  it('say which limit stopped them', async () => {
    const body: Body = async (context, input) => {
      await call('first')(context, input)
      return call('second')(context, input)
    }
    await expect(current().start(body, { limits: { maxSteps: 1 } })).rejects.toThrow()
    const spans = await spansOfRun(current().store, 'run')
    expect(spans.filter(({ failure }) => failure?.code === 'limit_reached')).not.toEqual([])
    await usageIsTheAccounts(current().store, 'run')
  })

  it('keep a call that ended after the run had stopped next to it', async () => {
    const event = (seq: number, type: RunEvent['type'], key: string, data = {}) =>
      ({
        v: 1,
        runId: 'run',
        seq,
        ts: seq * 10,
        epoch: 1,
        key,
        type,
        data,
      }) as RunEvent
    const fold = new SpanFold()
    const events = [
      event(1, 'run.started', '', { workflow: 'test' }),
      event(2, 'run.suspended', '', { failure: { code: 'internal', message: 'bug' } }),
      event(3, 'step.done', 'test/late', { name: 'late', effect: 'read', startedAt: 15 }),
    ]
    const spans = events.flatMap((one) => [...fold.add(one)])
    expect(drawn([...spans, ...fold.end()])).toEqual(['workflow test failed', '  step late'])
  })
})

describe('the projection', () => {
  it('reads every event of the log, in order', async () => {
    const { runId, events } = await team.ask(question)
    const read = await Array.fromAsync(eventsForSpans(team.store, runId))
    expect(read.map(({ seq, type }) => [seq, type])).toEqual(
      events.map(({ seq, type }) => [seq, type]),
    )
  })

  it('keeps nothing of what has ended: 100,000 calls in one run', () => {
    const fold = new SpanFold()
    const event = (seq: number, type: RunEvent['type'], key: string, data = {}) =>
      ({
        v: 1,
        runId: 'run',
        seq,
        ts: seq,
        epoch: 1,
        key,
        type,
        data,
      }) as RunEvent
    fold.add(event(1, 'run.started', '', { workflow: 'test' }))
    let spans = 0
    for (let index = 1; index <= 50_000; index++) {
      const key = `test/node[${index}]/react/1/model`
      const usage = { inputTokens: 1, outputTokens: 1, costUsd: 0 }
      spans += fold.add(event(2 * index, 'step.done', key, { name: 'model', usage })).length
      spans += fold.add(event(2 * index + 1, 'node.done', `test/node[${index}]`)).length
    }
    expect(spans).toBe(150_000)
    expect(fold.openCount).toBe(1)
    expect(fold.end()[0]?.usage.modelCalls).toBe(50_000)
  })
})
