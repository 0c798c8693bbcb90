import { describe, expect, it } from 'vitest'
import { type Body, useRuns } from '../../../test/kernel/runs.ts'
import { FaultStore } from '../../testing/index.ts'
import type { Effect, RunContext } from '../index.ts'

const current = useRuns()

const step = (context: RunContext, name: string, effect: Effect, input = {}) =>
  context.step(name, effect, input, async () => `${name} done`)

describe('replayRun', () => {
  it('does no effect and writes nothing', async () => {
    let done = 0
    const body: Body = (context) => context.step('a', 'read', {}, async () => ++done)
    await current().start(body)
    const before = await current().events()
    expect(await current().replay(body)).toEqual({
      result: { value: 1 },
      recorded: { value: 1 },
      steps: 1,
      unclaimed: [],
    })
    expect(done).toBe(1)
    expect(await current().events()).toEqual(before)
  })

  it.each(['pure', 'read', 'write'] as const)(
    'names a %s step that the log does not have',
    async (effect) => {
      await current().start(async () => 1)
      await expect(
        current().replay((context) => step(context, 'new', effect)),
      ).rejects.toMatchObject({
        code: 'step_missing',
        message: 'The log has no step "test/new", which the code requires.',
        details: { key: 'test/new' },
      })
    },
  )

  it.each(['read', 'write'] as const)(
    'shows what a %s step now asks for and what it asked for',
    async (effect) => {
      await current().start((context) => step(context, 'a', effect, { word: 'penicillin' }))
      const now = current().replay((context) => step(context, 'a', effect, { word: 'penguin' }))
      await expect(now).rejects.toMatchObject({ code: 'step_changed', details: { key: 'test/a' } })
      await expect(now).rejects.toThrow(/Recorded: ….*penicillin.*… Now: ….*penguin/)
    },
  )

  it('computes a pure step anew where its input differs: nothing of the world is in it', async () => {
    const body = (a: number) => (context: RunContext) =>
      context.step('double', 'pure', { a }, async () => 2 * a)
    await current().start(body(2))
    expect(await current().replay(body(4))).toMatchObject({
      result: { value: 8 },
      recorded: { value: 4 },
    })
  })

  it('lists the recorded steps that the code does not ask for', async () => {
    await current().start(async (context) => {
      await step(context, 'a', 'read')
      return step(context, 'b', 'read')
    })
    const { unclaimed } = await current().replay(async (context) => step(context, 'b', 'read'))
    expect(unclaimed).toEqual(['test/a'])
  })

  it('refuses a run that has not ended', async () => {
    await expect(current().start(() => Promise.reject(new Error('stop')))).rejects.toThrow()
    await expect(current().replay(async () => 1)).rejects.toMatchObject({
      code: 'invalid_input',
      hint: 'Finish it first: scholium resume run',
    })
  })

  it('does not take a step without an end for done', async () => {
    const asking: Body = (context) =>
      context.step('a', 'read', {}, async () => 'x', { isPaid: true })
    const dying = new FaultStore(current().store, { event: 2, when: 'after' })
    await expect(current().start(asking, { store: dying })).rejects.toThrow()
    expect(await current().resume(async () => 'gave up')).toBe('gave up')
    await expect(current().replay(asking)).rejects.toMatchObject({
      code: 'step_missing',
      message: 'The recorded step "test/a" has no result.',
    })
  })

  it('gives the same ids, random numbers and times, also after nodes, turns and a resumption', async () => {
    let isStopping = true
    const body: Body = async (context) => {
      const child = context.child('x')
      await step(child, 'a', 'read')
      await child.reachBoundary('turn.done', '1', { turn: 1 })
      const afterTurn = context.now()
      await context.reachBoundary('node.done', 'n', { node: 'n' }, { patch: 1 })
      await step(context, 'b', 'read', { at: context.now() })
      if (isStopping) throw new Error('stop')
      const branches = [context.branch('p'), context.branch('q')]
      await Promise.all(branches.map((branch) => step(branch, 'c', 'read', { at: branch.now() })))
      context.join(branches)
      return { afterTurn, now: context.now(), id: child.id('m'), random: child.random('r') }
    }
    await expect(current().start(body)).rejects.toThrow('stop')
    isStopping = false
    current().clock.advance(60_000)
    const resumed = await current().resume(body)
    current().clock.advance(60_000)
    const { result, recorded } = await current().replay(body)
    expect(recorded.value).toEqual(resumed)
    expect(result).toEqual(recorded)
    const turns = (await current().log()).filter((line) => line.startsWith('turn.done'))
    expect(turns).toHaveLength(1)
  })
})
