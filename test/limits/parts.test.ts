import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { type BranchResult, defineGraph, end, replace, runGraph } from '../../src/graph/index.ts'
import {
  createToolRegistry,
  defineTool,
  type Json,
  type Limits,
  type Message,
  type RunContext,
  runAgent,
  type ScholiumError,
} from '../../src/kernel/index.ts'
import { withLimits } from '../../src/kernel/limits/with-limits.ts'
import { FaultStore } from '../../src/testing/index.ts'
import { type Body, useRuns } from '../kernel/runs.ts'
import { scriptedBinding } from '../kernel/scripted-binding.ts'

const current = useRuns()
const tenTokens = { steps: 1, tokens: 10, costUsd: 0.1 }
/** How often each paid step was really done. */
let done: string[] = []

/** A step that can use ten tokens, and uses them. */
function pay(context: RunContext, name: string): Promise<Json> {
  return context.step(
    name,
    'read',
    {},
    async (attempt) => {
      done.push(name)
      attempt.use({ inputTokens: 10, outputTokens: 0, costUsd: 0.1 })
      const grant = await attempt.reserve(tenTokens)
      grant.settle({ inputTokens: 10, outputTokens: 0, costUsd: 0.1 })
      return name
    },
    { isPaid: true, reservation: tenTokens },
  )
}

/** Pays until a limit stops it: how often, and whose limit it was. */
async function payOn(context: RunContext, most = 9): Promise<Json> {
  for (let count = 0; ; count++) {
    if (count === most) return [count, 'enough']
    const error = await pay(context, `pay ${count}`).then(
      () => undefined,
      (thrown: ScholiumError) => thrown,
    )
    if (error !== undefined) return [count, error.details.part ?? 'run']
  }
}

const runs = (body: Body, limits: Limits = {}) => {
  done = []
  return current().start(body, { limits })
}

describe('a part with limits of its own', () => {
  it.each<[string, Limits, Limits, Json]>([
    ['its own limit first', { maxTokens: 100 }, { maxTokens: 30 }, [3, 'test/part']],
    ['its own steps', { maxTokens: 100 }, { maxSteps: 2 }, [2, 'test/part']],
    ['its own dollars', {}, { maxCostUsd: 0.35 }, [3, 'test/part']],
    ['what the run has left, when that is less', { maxTokens: 30 }, { maxTokens: 50 }, [3, 'run']],
    ['nothing where it is given nothing', {}, { maxTokens: 0 }, [0, 'test/part']],
    ['no limit where it is given none', { maxTokens: 40 }, {}, [4, 'run']],
  ])('reaches %s', async (_what, limits, own, expected) => {
    const body: Body = async (context) => payOn(await withLimits(context, 'part', own))
    expect(await runs(body, limits)).toEqual(expected)
    expect((await current().replay(body)).result.value).toEqual(expected)
  })

  it('draws from what is left of the part around it, and so do parts at once', async () => {
    const body: Body = async (context) => {
      const outer = await withLimits(context, 'outer', { maxTokens: 50 })
      const branches = ['a', 'b', 'c'].map((name) => outer.branch(name))
      const counts = await Promise.all(
        branches.map(async (branch) => payOn(await withLimits(branch, 'in', { maxTokens: 20 }))),
      )
      return [...counts, await payOn(context)]
    }
    const value = (await runs(body, { maxTokens: 70 })) as [number, string][]
    const inner = value.slice(0, 3)
    expect(inner.reduce((sum, [count]) => sum + count, 0)).toBe(5)
    expect(inner.filter(([, part]) => part === 'test/outer')).toHaveLength(1)
    expect(value[3]).toEqual([2, 'run'])
    expect((await current().replay(body)).result.value).toEqual(value)
  })

  it('says whose limit it was, and gives no option to raise it', async () => {
    const body: Body = async (context) =>
      pay(await withLimits(context, 'part', { maxTokens: 5 }), 'x')
    await expect(runs(body)).rejects.toMatchObject({
      message:
        'The limit on tokens of test/part was reached. Used: 0 of 5, left: 5; the next call may need 10.',
      details: { limit: 'maxTokens', part: 'test/part' },
      hint: expect.not.stringContaining('--'),
    })
  })

  it('refuses what is no limit, and a name that is taken', async () => {
    const wrong = runs((context) => withLimits(context, 'p', { maxTokens: -1 }).then(() => null))
    await expect(wrong).rejects.toMatchObject({ code: 'invalid_input' })
    await current().close()
    await current().open()
    const twice = runs(async (context) => {
      await withLimits(context, 'p', {})
      await withLimits(context, 'p', {})
      return null
    })
    await expect(twice).rejects.toMatchObject({ code: 'step_repeated' })
  })

  it.each(['before', 'after'] as const)(
    'counts on what it used before its process died, at every event (%s its commit)',
    async (when) => {
      const body: Body = async (context) => [
        await payOn(await withLimits(context, 'part', { maxTokens: 30 })),
        await payOn(context, 2),
      ]
      await runs(body)
      const { length } = await current().events()
      for (let event = 2; event <= length; event++) {
        await current().close()
        await current().open()
        done = []
        const store = new FaultStore(current().store, { event, when })
        await expect(current().start(body, { store })).rejects.toMatchObject({
          code: 'store_failed',
        })
        const [[count, whose], rest] = (await current().resume(body)) as [[number, string], Json]
        // The call that was under way counts whole, and may then be made again.
        expect([2, 3]).toContain(count)
        expect(whose).toBe('test/part')
        expect(rest).toEqual([2, 'enough'])
      }
    },
  )

  it('that reached its limit stays so when the run continues with higher limits of its own', async () => {
    let isThere = false
    const body: Body = async (context) => {
      const part = await withLimits(context, 'part', { maxTokens: 20 })
      const first = await payOn(part)
      if (!isThere) throw new Error('the process ends')
      return [first, await payOn(context, 1)]
    }
    await expect(runs(body, { maxTokens: 90 })).rejects.toThrow('the process ends')
    isThere = true
    expect(await current().resume(body, { limits: { maxTokens: 900 } })).toEqual([
      [2, 'test/part'],
      [1, 'enough'],
    ])
    expect(done).toHaveLength(3)
  })

  it('has time of its own, in which pauses do not count', async () => {
    const { clock } = current()
    const work = (context: RunContext, name: string) =>
      context.step(name, 'read', {}, async () => {
        clock.advance(1_000)
        return name
      })
    let isThere = false
    const body: Body = async (context) => {
      await work(context, 'before')
      const part = await withLimits(context, 'part', { maxWallMs: 2_500 })
      await work(part, 'a')
      if (!isThere) throw new Error('the process ends')
      await work(part, 'b')
      await work(part, 'c')
      const late = await work(part, 'd').catch((error: ScholiumError) => error.details)
      return [late as Json, await work(context, 'after')]
    }
    await expect(runs(body, { maxWallMs: 60_000 })).rejects.toThrow('the process ends')
    clock.advance(3_600_000)
    isThere = true
    const stopped = { limit: 'maxWallMs', asked: null, left: 0, allowed: 2_500, part: 'test/part' }
    expect(await current().resume(body)).toEqual([stopped, 'after'])
    expect((await current().replay(body)).result.value).toEqual([stopped, 'after'])
  })
})

describe('the limit of a part', () => {
  it('fails a branch of a fan-out and leaves the others to continue; the run’s own stops them all', async () => {
    type State = { readonly name: string; readonly parallel_results: readonly BranchResult[] }
    const names = ['a', 'b', 'c']
    const graph = defineGraph<State>({
      name: 'test',
      channels: { name: replace(''), parallel_results: replace<readonly BranchResult[]>([]) },
      start: 'begin',
      nodes: {
        begin: async () => ({}),
        work: async ({ name }, context) => {
          const part = await withLimits(context, 'part', { maxTokens: name === 'b' ? 15 : 100 })
          await pay(part, 'one')
          await pay(part, 'two')
          return { name: `${name} done` }
        },
        meet: async () => ({}),
      },
      edges: {
        begin: {
          targets: ['work', 'meet'],
          route: () => ({
            branches: names.map((name) => ({ node: 'work', patch: { name } })),
            join: 'meet',
          }),
        },
        work: 'meet',
        meet: end,
      },
    })
    const body: Body = async (context) =>
      (await runGraph(graph, context, {})).parallel_results.map(
        ({ patch, failure }) => patch?.name ?? failure?.code ?? null,
      )
    const expected = ['a done', 'limit_reached', 'c done']
    expect(await runs(body)).toEqual(expected)
    expect((await current().replay(body)).result.value).toEqual(expected)
    await current().close()
    await current().open()
    await expect(runs(body, { maxTokens: 45 })).rejects.toMatchObject({
      code: 'limit_reached',
      details: { limit: 'maxTokens' },
    })
  })

  it('inside of a tool is told to the agent that called it, which continues', async () => {
    const { binding, prompts } = scriptedBinding((number) =>
      number === 1
        ? { content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'helper', input: '{}' }] }
        : 'It could not finish.',
    )
    const body: Body = async (context) => {
      const helper = defineTool({
        name: 'helper',
        description: 'An agent of its own.',
        input: z.object({}),
        effect: 'read',
        execute: async () => {
          const part = await withLimits(context, 'helper', { maxTokens: 15 })
          return [await pay(part, 'one'), await pay(part, 'two')]
        },
      })
      const tools = createToolRegistry([helper])
      const agent = { model: binding, tools, maxTurns: 3 }
      const parts = [{ type: 'text' as const, text: 'Do it.' }]
      const question: Message = { id: 'q', role: 'user', parts, createdAt: 0 }
      const { text, results } = await runAgent(context.child('agent'), agent, [question])
      return [text, results.map(({ isError = false, output }) => [isError, output]) as Json]
    }
    const value = await runs(body)
    expect(value).toEqual([
      'It could not finish.',
      [[true, expect.objectContaining({ code: 'limit_reached' })]],
    ])
    expect(done).toEqual(['one'])
    expect(prompts).toHaveLength(2)
    expect((await current().replay(body)).result.value).toEqual(value)
  })
})
