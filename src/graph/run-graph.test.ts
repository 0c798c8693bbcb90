import { describe, expect, it } from 'vitest'
import { createGate, useRuns } from '../../test/kernel/runs.ts'
import { type Json, type RunContext, ScholiumError } from '../kernel/index.ts'
import { FaultStore } from '../testing/index.ts'
import {
  append,
  type BranchResult,
  defineGraph,
  end,
  type GraphDeclaration,
  type Node,
  replace,
  runGraph,
  sum,
} from './index.ts'

const current = useRuns()

type Walk = {
  readonly count: number
  readonly path: readonly string[]
  readonly word: string
  readonly parallel_results: readonly BranchResult[]
}

const step = (context: RunContext, value: Json = null) =>
  context.step('work', 'read', {}, async () => value)

/** A node that does one step and says that it was there. */
const visit =
  (name: string): Node<Walk> =>
  async (_state, context) => {
    await step(context)
    return { path: [name], count: 1 }
  }

function graphOf(changes: Partial<GraphDeclaration<Walk>>) {
  return defineGraph<Walk>({
    name: 'walk',
    channels: {
      count: sum(),
      path: append<string>(),
      word: replace(''),
      parallel_results: replace<readonly BranchResult[]>([]),
    },
    start: 'a',
    nodes: { a: visit('a'), b: visit('b') },
    edges: {
      a: 'b',
      b: { targets: ['a', end], route: ({ count }) => (count < 4 ? 'a' : end) },
    },
    ...changes,
  })
}

const running =
  (changes: Partial<GraphDeclaration<Walk>> = {}) =>
  (context: RunContext): Promise<Json> =>
    runGraph(graphOf(changes), context, { word: 'go' })

describe('runGraph', () => {
  it('goes from node to node, by the state where an edge has a choice, and gives the last state', async () => {
    expect(await current().start(running())).toEqual({
      count: 4,
      path: ['a', 'b', 'a', 'b'],
      word: 'go',
      parallel_results: [],
    })
  })

  it('writes each node’s patch, and not the state, under its visit', async () => {
    await current().start(running())
    const nodes = (await current().events()).filter(({ type }) => type === 'node.done')
    expect(nodes.map(({ key, data, output }) => ({ key, data, output }))).toEqual(
      ['a[1]', 'b[1]', 'a[2]', 'b[2]'].map((name) => ({
        key: `test/${name}`,
        data: { node: name[0] },
        output: { path: [name[0]], count: 1 },
      })),
    )
  })

  it('stops after its steps', async () => {
    const endless = running({ maxVisits: 5, edges: { a: 'b', b: 'a' } })
    await expect(current().start(endless)).rejects.toMatchObject({
      code: 'limit_reached',
      message: 'The graph "walk" did not end within 5 node executions.',
    })
    expect((await current().log()).filter((line) => line.startsWith('node.done'))).toHaveLength(5)
  })

  it('may take all of its steps', async () => {
    expect(await current().start(running({ maxVisits: 4 }))).toMatchObject({ count: 4 })
  })

  it('refuses to go where an edge does not lead', async () => {
    const edges = { a: { targets: ['b'], route: () => 'c' }, b: end }
    await expect(current().start(running({ edges }))).rejects.toMatchObject({
      code: 'invalid_graph',
      message: 'Node "a" of "walk" led to "c", which its edge does not declare.',
    })
  })

  it.each<[string, unknown, string]>([
    ['a date', { word: new Date(0) }, '$.word'],
    ['a function', { path: [() => 'x'] }, '$.path[0]'],
    ['NaN', { count: Number.NaN }, '$.count'],
  ])('refuses a patch that JSON cannot carry: %s', async (_what, patch, path) => {
    const nodes = { a: async () => patch as never, b: visit('b') }
    await expect(current().start(running({ nodes }))).rejects.toMatchObject({
      code: 'invalid_graph',
      message: `Node "a" of "walk" returned a value at ${path} that cannot be represented in JSON.`,
    })
  })

  it('refuses a patch of a field that the state does not have', async () => {
    const nodes = { a: async () => ({ wrod: 'x' }) as never, b: visit('b') }
    await expect(current().start(running({ nodes }))).rejects.toMatchObject({
      code: 'invalid_graph',
    })
  })

  it('continues after the last node that ended: what was done before it is not even run again', async () => {
    const entered: string[] = []
    const noting =
      (name: string): Node<Walk> =>
      (state, context) => {
        entered.push(name)
        return visit(name)(state, context)
      }
    const body = running({ nodes: { a: noting('a'), b: noting('b') } })
    const store = new FaultStore(current().store, { event: 6, when: 'after' })
    await expect(current().start(body, { store })).rejects.toThrow()
    expect(entered).toEqual(['a', 'b', 'a'])
    expect(await current().resume(body)).toMatchObject({ path: ['a', 'b', 'a', 'b'], count: 4 })
    expect(entered).toEqual(['a', 'b', 'a', 'a', 'b'])
    const steps = (await current().log()).filter((line) => line.startsWith('step.done'))
    expect(new Set(steps).size).toBe(steps.length)
    expect((await current().replay(body)).result).toEqual((await current().replay(body)).recorded)
  })

  it('has the same time in a node whether the nodes before it were run or skipped', async () => {
    const timed =
      (name: string): Node<Walk> =>
      async (_state, context) => {
        await context.step('work', 'read', { at: context.now() }, async () => null)
        return { path: [name], count: 1 }
      }
    const body = running({ nodes: { a: timed('a'), b: timed('b') }, edges: { a: 'b', b: end } })
    const store = new FaultStore(current().store, { event: 3, when: 'after' })
    await expect(current().start(body, { store })).rejects.toThrow()
    current().clock.advance(60_000)
    await current().resume(body)
    const replay = await current().replay(body)
    expect(replay.result).toEqual(replay.recorded)
  })

  it('runs a graph inside of a node under the node’s key', async () => {
    const inner = graphOf({ edges: { a: 'b', b: end } })
    const nodes = {
      a: async (_state: Walk, context: RunContext) => ({
        path: (await runGraph(inner, context, {})).path,
      }),
    }
    const body = running({ nodes, edges: { a: end } })
    expect(await current().start(body)).toMatchObject({ path: ['a', 'b'] })
    expect(await current().log()).toContain('node.done test/a[1]/b[1]')
  })

  it('waits for a person in the middle and continues there with the answer', async () => {
    const nodes = {
      a: visit('a'),
      b: async (_state: Walk, context: RunContext) => ({
        word: String(await context.ask('ok', 'Go on?')),
      }),
    }
    const body = running({ nodes, edges: { a: 'b', b: end } })
    await expect(current().start(body)).rejects.toMatchObject({ code: 'waiting' })
    expect((await current().store.get('run')).status).toBe('waiting')
    expect(await current().resume(body, { answer: async () => 'yes' })).toMatchObject({
      word: 'yes',
    })
  })
})

describe('a fan-out', () => {
  const words = ['x', 'y', 'z']
  const branches = words.map((word) => ({ node: 'work', patch: { word } }))

  /** a → work on each word at once → join. */
  function fanning(work: Node<Walk>, more: Partial<GraphDeclaration<Walk>> = {}) {
    return running({
      nodes: {
        a: visit('a'),
        work,
        join: async ({ parallel_results }) => ({
          path: parallel_results.map(({ index, node, patch, failure }) =>
            JSON.stringify([index, node, patch ?? failure?.code]),
          ),
        }),
      },
      edges: {
        a: { targets: ['work', 'join'], route: () => ({ branches, join: 'join' }) },
        work: 'join',
        join: end,
      },
      ...more,
    })
  }

  it('gives each branch its own state, and the fan-in all results in branch order, whoever ended first', async () => {
    const last = createGate()
    const body = fanning(async ({ word, path }, context) => {
      await context.step('work', 'read', { word }, async () => {
        if (word === 'z') last.open()
        if (word === 'x') await last.opened
        return null
      })
      return { word: word.toUpperCase(), path, count: 10 }
    })
    expect(await current().start(body)).toMatchObject({
      path: [
        'a',
        '[0,"work",{"word":"X","path":["a"],"count":10}]',
        '[1,"work",{"word":"Y","path":["a"],"count":10}]',
        '[2,"work",{"word":"Z","path":["a"],"count":10}]',
      ],
      // What a branch gives does not reach the state but through the fan-in.
      count: 1,
      word: 'go',
    })
    const replay = await current().replay(body)
    expect(replay.result).toEqual(replay.recorded)
  })

  it('takes the failure of a branch for its result', async () => {
    const body = fanning(async ({ word }) => {
      if (word === 'y') throw new ScholiumError('tool_failed', 'gone')
      return { word }
    })
    const { path } = (await current().start(body)) as Walk
    expect(path[2]).toBe('[1,"work","tool_failed"]')
    expect((await current().replay(body)).result.value).toMatchObject({ path })
  })

  it.each([
    new ScholiumError('limit_reached', 'enough'),
    new ScholiumError('waiting', 'a question'),
    new TypeError('a bug'),
  ])(
    'ends with what ends the run, once the other branches are at rest: $message',
    async (error) => {
      let rested = 0
      const body = fanning(async ({ word }, context) => {
        if (word === 'x') throw error
        await step(context)
        rested++
        return {}
      })
      await expect(current().start(body)).rejects.toBe(error)
      expect(rested).toBe(2)
    },
  )

  it('continues with the branches that had not ended', async () => {
    const done: string[] = []
    const body = fanning(async ({ word }, context) => {
      await context.step('work', 'read', { word }, async () => done.push(word))
      return { word }
    })
    // The run 1, a 2 and 3, the branches' steps 4 to 6 and ends 7 to 9, together; the fan-in 10.
    const store = new FaultStore(current().store, { event: 7, when: 'before' })
    await expect(current().start(body, { store })).rejects.toThrow()
    await current().resume(body)
    expect(done).toEqual(['x', 'y', 'z'])
  })

  it('refuses targets that its edge does not declare', async () => {
    const body = fanning(visit('work'), {
      nodes: { a: visit('a'), work: visit('work'), join: visit('join') },
      edges: {
        a: { targets: ['work'], route: () => ({ branches, join: 'join' }) },
        work: 'join',
        join: end,
      },
    })
    await expect(current().start(body)).rejects.toMatchObject({ code: 'invalid_graph' })
  })
})
