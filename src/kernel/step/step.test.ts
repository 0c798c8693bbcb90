import { describe, expect, it } from 'vitest'
import { useRuns } from '../../../test/kernel/runs.ts'
import { type Effect, type RunContext, ScholiumError } from '../index.ts'

const current = useRuns()
const effects: readonly Effect[] = ['pure', 'read', 'write']

/** A step that counts how often it is really done. */
function counted(outcome: () => Promise<string> = async () => 'value') {
  const counter = { times: 0 }
  const body =
    (effect: Effect, options: { isPaid?: boolean; timeoutMs?: number } = {}) =>
    (context: RunContext) =>
      context.step(
        'a',
        effect,
        { question: 1 },
        () => {
          counter.times++
          return outcome()
        },
        options,
      )
  return { counter, body }
}

describe('a step', () => {
  it.each(effects)(
    '(%s) is done once; ever after its result comes from the log',
    async (effect) => {
      const { counter, body } = counted()
      expect(await current().start(body(effect))).toBe('value')
      expect(await current().resume(body(effect))).toBe('value')
      expect(await current().replay(body(effect))).toMatchObject({ result: { value: 'value' } })
      expect(counter.times).toBe(1)
    },
  )

  it('writes its start to the log first when it costs or writes, and else only its end', async () => {
    await current().start(async (context) => {
      await context.step('free', 'read', {}, async () => null)
      await context.step('paid', 'read', {}, async () => null, { isPaid: true })
      await context.step('write', 'write', {}, async () => null)
      return null
    })
    expect(await current().log()).toEqual([
      'run.started',
      'step.done test/free',
      'step.started test/paid',
      'step.done test/paid',
      'step.started test/write',
      'step.done test/write',
      'run.finished',
    ])
  })

  it('has the start of a write committed before it is done', async () => {
    const seen: string[] = []
    await current().start((context) =>
      context.step('w', 'write', {}, async () => {
        seen.push(...(await current().log()))
        return null
      }),
    )
    expect(seen).toEqual(['run.started', 'step.started test/w'])
  })

  it('records name, effect, input, its hash, attempt and times', async () => {
    await current().start((context) => context.step('a', 'read', { q: 1 }, async () => 'x'))
    const [, done] = await current().events()
    expect(done).toMatchObject({
      type: 'step.done',
      key: 'test/a',
      output: 'x',
      data: {
        name: 'a',
        effect: 'read',
        attempt: 1,
        input: { q: 1 },
        inputHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        startedAt: expect.any(Number),
      },
    })
    if (done?.type !== 'step.done') throw new Error('no step ended')
    expect(done.ts).toBeGreaterThan(done.data.startedAt as number)
  })

  it('is an error when its key is used twice in one run', async () => {
    const twice = async (context: RunContext) => {
      await context.step('a', 'pure', {}, async () => 1)
      return context.step('a', 'pure', {}, async () => 2)
    }
    await expect(current().start(twice)).rejects.toMatchObject({
      code: 'step_repeated',
      message: expect.stringContaining('"test/a"'),
    })
  })

  it('has keys by the path of its context', async () => {
    await current().start(async (context) => {
      await context.child('b').step('a', 'pure', {}, async () => 1)
      await context
        .branch('c')
        .child('d')
        .step('a', 'pure', {}, async () => 1)
      return context.step('a', 'pure', {}, async () => 2)
    })
    expect((await current().log()).slice(1, -1)).toEqual([
      'step.done test/b/a',
      'step.done test/c/d/a',
      'step.done test/a',
    ])
  })

  it('is not reused when what it depends on has changed', async () => {
    const { store } = current()
    const asking = (question: string) => async (context: RunContext) => {
      const value = await context.step('a', 'read', { question }, async () => question)
      if (question === 'first') throw new Error('stopped')
      return value
    }
    await expect(current().start(asking('first'))).rejects.toThrow('stopped')
    await expect(current().resume(asking('other'))).rejects.toMatchObject({
      code: 'step_changed',
      message: expect.stringContaining('"test/a"'),
      details: {
        key: 'test/a',
        inputHash: expect.any(String),
        recordedInputHash: expect.any(String),
      },
    })
    expect((await store.get('run')).status).toBe('interrupted')
  })

  it('takes inputs as equal whatever the order of their members', async () => {
    const { counter } = counted()
    const body =
      (input: { a?: number; b?: number }, isStopping: boolean) => async (context: RunContext) => {
        await context.step('a', 'read', input, async () => ++counter.times)
        if (isStopping) throw new Error('stopped')
        return null
      }
    await expect(current().start(body({ a: 1, b: 2 }, true))).rejects.toThrow()
    await current().resume(body({ b: 2, a: 1 }, false))
    expect(counter.times).toBe(1)
  })
})

describe('a step that fails', () => {
  it.each([true, false])('(retryable: %s) fails the same way from the log', async (retryable) => {
    const { counter, body } = counted(async () => {
      throw new ScholiumError('tool_failed', 'no luck', {
        retryable,
        hint: 'Try later.',
        details: { status: 503 },
      })
    })
    const caught = (context: RunContext) =>
      body('read')(context).catch((error: ScholiumError) => {
        const { code, message, hint, details } = error
        return { code, message, hint, details, retryable: error.retryable } as never
      })
    const live = await current().start(caught)
    expect(live).toEqual({
      code: 'tool_failed',
      message: 'no luck',
      hint: 'Try later.',
      details: { status: 503 },
      retryable,
    })
    expect((await current().replay(caught)).result.value).toEqual(live)
    expect(counter.times).toBe(1)
  })

  it('throws an error of another kind as the log will give it, with the first as its cause', async () => {
    const cause = new TypeError('not a function')
    const caught = (context: RunContext) =>
      context
        .step('a', 'read', {}, async () => Promise.reject(cause))
        .catch((error: ScholiumError) => `${error.name} ${error.code} ${error.cause === cause}`)
    expect(await current().start(caught)).toBe('ScholiumError internal true')
  })

  it('is over after its time, and its signal says so', async () => {
    let signal: AbortSignal | undefined
    const body = (context: RunContext) =>
      context.step(
        'slow',
        'read',
        {},
        (attempt) => {
          signal = attempt.signal
          return new Promise<string>(() => {})
        },
        { timeoutMs: 20 },
      )
    await expect(current().start(body)).rejects.toMatchObject({
      code: 'step_failed',
      retryable: true,
      message: 'slow took longer than 0.02 s.',
    })
    expect(signal?.aborted).toBe(true)
  })

  it('of which it is not known whether it wrote is never done again', async () => {
    const { counter, body } = counted(() => new Promise(() => {}))
    const write = body('write', { timeoutMs: 20 })
    await expect(current().start(write)).rejects.toMatchObject({ code: 'outcome_unknown' })
    await expect(current().resume(write)).rejects.toMatchObject({ code: 'outcome_unknown' })
    expect(counter.times).toBe(1)
    expect(await current().log()).toContain('step.outcome_unknown test/a')
  })
})

describe('a run that is interrupted', () => {
  /** Interrupts the run while its step is at work. */
  async function interrupt(effect: Effect) {
    const interruption = new AbortController()
    const { counter, body } = counted(async () => {
      if (counter.times > 1) return 'value'
      interruption.abort()
      throw new Error('connection closed')
    })
    const started = current().start(body(effect), { signal: interruption.signal })
    await expect(started).rejects.toMatchObject({ code: 'cancelled' })
    return { counter, body: body(effect) }
  }

  it.each(['pure', 'read'] as const)(
    'has its %s step cancelled, and done again when it goes on',
    async (effect) => {
      const { counter, body } = await interrupt(effect)
      expect(await current().log()).toContain('step.cancelled test/a')
      expect(await current().resume(body)).toBe('value')
      expect(counter.times).toBe(2)
      const done = (await current().events()).find((event) => event.type === 'step.done')
      expect(done?.data.attempt).toBe(2)
    },
  )

  it('does not know of its write whether it happened, and does not do it again', async () => {
    const { counter, body } = await interrupt('write')
    expect((await current().store.get('run')).status).toBe('interrupted')
    await expect(current().resume(body)).rejects.toMatchObject({
      code: 'outcome_unknown',
      details: { key: 'test/a' },
    })
    expect(counter.times).toBe(1)
  })

  it('begins no further step', async () => {
    const interruption = new AbortController()
    const { counter, body } = counted()
    const started = current().start(
      async (context) => {
        interruption.abort()
        return body('read')(context)
      },
      { signal: interruption.signal },
    )
    await expect(started).rejects.toMatchObject({ code: 'cancelled' })
    expect(counter.times).toBe(0)
  })
})
