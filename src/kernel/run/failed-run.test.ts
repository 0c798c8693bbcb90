import { describe, expect, it } from 'vitest'
import { useRuns } from '../../../test/kernel/runs.ts'
import { defineGraph, end, replace, runGraph } from '../../graph/index.ts'
import type { RunContext } from '../index.ts'

const current = useRuns()

describe('a run in which code throws what nobody expects', () => {
  const graph = (work: (context: RunContext) => Promise<{ n: number }>) =>
    defineGraph<{ readonly n: number }>({
      name: 'test',
      channels: { n: replace(0) },
      start: 'first',
      nodes: { first: async () => ({ n: 1 }), second: (_state, context) => work(context) },
      edges: { first: 'second', second: end },
    })
  const bug = (): never => {
    throw new TypeError('undefined is not a function')
  }

  it.each<[string, (context: RunContext) => Promise<{ n: number }>]>([
    ['a node', async () => bug()],
    ['a step', (context) => context.step('s', 'read', {}, async () => bug())],
  ])('in %s has failed and keeps why; it goes on once the code is mended', async (where, work) => {
    const run = current().start(async (context) => (await runGraph(graph(work), context, {})).n)
    await expect(run).rejects.toThrow('undefined is not a function')
    expect((await current().store.get('run')).status).toBe('failed')
    expect((await current().events()).at(-1)).toMatchObject({
      type: 'run.suspended',
      data: { failure: { code: 'internal', message: 'undefined is not a function' } },
    })
    if (where === 'a step') return
    const mended = graph(async () => ({ n: 2 }))
    expect(await current().resume(async (context) => (await runGraph(mended, context, {})).n)).toBe(
      2,
    )
    expect((await current().store.get('run')).status).toBe('answered')
  })
})
