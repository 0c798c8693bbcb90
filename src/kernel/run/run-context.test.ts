import { describe, expect, it } from 'vitest'
import { type Body, useRuns, workflowOf } from '../../../test/kernel/runs.ts'
import { FaultStore } from '../../testing/index.ts'
import { type LiveEvent, type Message, RunContext, ScholiumError, startRun } from '../index.ts'

const current = useRuns()

describe('RunContext', () => {
  it('gives ids and random numbers that depend on run, path and name alone', async () => {
    const draw: Body = async (context) => {
      expect(context).toBeInstanceOf(RunContext)
      const draws = [context, context.child('a'), context.child('b')].flatMap((at) => [
        at.id('x'),
        at.id('y'),
        at.random('x'),
        at.random('y'),
      ])
      return [...draws, context.id('x'), context.random('x')]
    }
    const drawn = (await current().start(draw)) as (string | number)[]
    expect(drawn[0]).toMatch(/^[0-9a-f]{16}$/)
    expect(new Set(drawn).size).toBe(drawn.length - 2)
    for (const value of drawn) {
      if (typeof value === 'number') expect(value).toBeGreaterThanOrEqual(0)
      if (typeof value === 'number') expect(value).toBeLessThan(1)
    }
    expect((await current().replay(draw)).result.value).toEqual(drawn)
  })

  it('has the run’s id, and other ids in other runs', async () => {
    const ids: string[] = []
    for (const runId of ['one', 'two']) {
      const workflow = workflowOf(async (context) => {
        expect(context.runId).toBe(runId)
        return ids.push(context.id('x'))
      })
      await startRun(workflow, {}, runId, current().execution())
    }
    expect(ids[0]).not.toBe(ids[1])
  })

  it('has the time at which its last step ended; a branch’s moves on its own until the fan-in', async () => {
    const { clock } = current()
    const wait = (context: RunContext, ms: number) =>
      context.step('wait', 'read', {}, async () => clock.advance(ms) ?? null)
    await current().start(async (context) => {
      await context.step('a', 'read', {}, async () => null)
      const before = context.now()
      const [fast, slow] = [context.branch('fast'), context.branch('slow')]
      await wait(fast, 10)
      await wait(slow, 1_000)
      expect(context.now()).toBe(before)
      expect(fast.now()).toBeLessThan(slow.now())
      context.join([slow, fast])
      expect(context.now()).toBe(slow.now())
      expect(context.child('c').now()).toBe(slow.now())
      return null
    })
  })

  it('keeps a message once, and loads what a model was shown of it', async () => {
    const message = (id: string, text: string): Message => ({
      id,
      role: 'user',
      parts: [{ type: 'text', text }],
      createdAt: 5,
    })
    const body: Body = async (context) => {
      const hashes = context.keepMessages([message('1', 'a'), message('2', 'b'), message('3', 'a')])
      expect(hashes[0]).toBe(hashes[2])
      await context.reachBoundary('node.done', 'n', { node: 'n' }, hashes)
      return (await context.loadMessages(hashes)).map(({ role, parts }) => ({ role, parts }))
    }
    const loaded = await current().start(body)
    expect(loaded).toEqual(
      ['a', 'b', 'a'].map((text) => ({ role: 'user', parts: [{ type: 'text', text }] })),
    )
    expect((await current().replay(body)).result.value).toEqual(loaded)
  })

  it('finds messages that were kept before a crash, and says which it cannot find', async () => {
    const parts = [{ type: 'text' as const, text: 'kept' }]
    const keep: Body = async (context) => {
      const hashes = context.keepMessages([{ id: '1', role: 'user', parts, createdAt: 0 }])
      await context.reachBoundary('node.done', 'n', { node: 'n' }, hashes)
      await context.notice('next', 'info', 'Goes on.')
      return hashes
    }
    const store = new FaultStore(current().store, { event: 2, when: 'after' })
    await expect(current().start(keep, { store })).rejects.toThrow()
    const loaded = await current().resume(async (context) => {
      const kept = await context.boundary('node.done', 'n')
      await expect(context.loadMessages(['0'.repeat(64) as never])).rejects.toMatchObject({
        code: 'step_missing',
        details: { hash: '0'.repeat(64) },
      })
      return (await context.loadMessages(kept?.output as never)).map(
        ({ parts: [part] }) => part,
      ) as never
    })
    expect(loaded).toEqual(parts)
  })

  it('records a notice once, also over a resumption', async () => {
    let isStopping = true
    const body: Body = async (context) => {
      await context.notice('careful', 'warning', 'Mind the gap.')
      await context.notice('careful', 'warning', 'Mind the gap.')
      if (isStopping) throw new Error('stop')
      return null
    }
    await expect(current().start(body)).rejects.toThrow()
    isStopping = false
    await current().resume(body)
    const notices = (await current().events()).filter((event) => event.type === 'notice')
    expect(notices).toMatchObject([
      { key: 'test/careful', data: { level: 'warning', component: 'test', text: 'Mind the gap.' } },
    ])
  })

  it('does not fail by a warning that cannot be written any more', async () => {
    const store = new FaultStore(current().store, { event: 2, when: 'before' })
    const body: Body = async (context) => {
      context.warn('careful', 'Mind the gap.')
      await new Promise((resolve) => setTimeout(resolve, 5))
      return null
    }
    await expect(current().start(body, { store })).rejects.toMatchObject({ code: 'store_failed' })
  })
})

describe('secrets', () => {
  const secret = 'sk-123456'
  const secrets = [secret, '771234', 'no']

  it('are replaced at the boundary of a step: code, log and listeners see one value', async () => {
    const heard: LiveEvent[] = []
    const body: Body = async (context) => {
      context.emit('progress', { text: `using ${secret}` })
      await context.notice('n', 'info', `using ${secret}`)
      return context.step('a', 'read', {}, async () => ({
        text: `key "${secret}" and ${secret}`,
        list: [{ [secret]: secret }],
        number: 771234,
        short: 'no',
      }))
    }
    const listeners = [(event: LiveEvent) => void heard.push(event)]
    const value = await current().start(body, { secrets, listeners })
    expect(value).toEqual({
      text: 'key "[secret]" and [secret]',
      list: [{ '[secret]': '[secret]' }],
      number: 771234,
      short: 'no',
    })
    expect(JSON.stringify([heard, await current().events()])).not.toContain(secret)
    expect((await current().replay(body, { secrets })).result.value).toEqual(value)
  })

  it('are replaced in what a failure says', async () => {
    const body: Body = (context) =>
      context
        .step('a', 'read', {}, async () => {
          throw new ScholiumError('model_failed', `Incorrect API key provided: ${secret}`, {
            hint: `Look at ${secret}.`,
            details: { [secret]: secret },
          })
        })
        .catch((error: ScholiumError) => [error.message, error.hint ?? '', error.details] as never)
    const value = await current().start(body, { secrets })
    expect(value).toEqual([
      'Incorrect API key provided: [secret]',
      'Look at [secret].',
      { '[secret]': '[secret]' },
    ])
    expect(JSON.stringify(await current().events())).not.toContain(secret)
    expect((await current().replay(body, { secrets })).result.value).toEqual(value)
  })

  it('are replaced in what a run is asked, before anything sees it', async () => {
    const body: Body = async (_context, input) => input.question ?? null
    const value = await current().start(body, { secrets }, { question: `Is ${secret} a good key?` })
    expect(value).toBe('Is [secret] a good key?')
    expect(JSON.stringify(await current().events())).not.toContain(secret)
  })
})
