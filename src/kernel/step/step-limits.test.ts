import { describe, expect, it } from 'vitest'
import { useRuns } from '../../../test/kernel/runs.ts'
import { currentOwner } from '../../stores/process-owner.ts'
import { hashJson, type Json, type RunContext, ScholiumError } from '../index.ts'
import type { Limits } from '../limits/limits.ts'
import { type Effect, isStepEnd, type NewEvent } from '../run/event.ts'
import type { StepAttempt } from './step-attempt.ts'

const current = useRuns()
const oneStep = { steps: 1, tokens: 0, costUsd: 0 }
const oneDollar = { steps: 1, tokens: 100, costUsd: 1 }

/** What a body gives when a limit or another failure stops it. */
function codeOf(work: Promise<Json>): Promise<Json> {
  return work.catch((error: unknown) => (error as ScholiumError).code)
}

describe('a limit', () => {
  it('that stops a paid step after its first call stops a replay there too, and what was used is told', async () => {
    const body = (context: RunContext) =>
      codeOf(
        context.step(
          'paid',
          'read',
          {},
          async (attempt) => {
            const first = await attempt.reserve(oneDollar)
            first.settle({ inputTokens: 70, outputTokens: 0, costUsd: 0.9 })
            attempt.use({ inputTokens: 70, outputTokens: 0, costUsd: 0.9 })
            await attempt.reserve(oneDollar)
            return null
          },
          { isPaid: true, reservation: oneDollar },
        ),
      )
    expect(await current().start(body, { limits: { maxCostUsd: 1.5 } })).toBe('limit_reached')
    const reached = (await current().events()).find((event) => event.type === 'limit.reached')
    expect(reached?.data).toMatchObject({ steps: 1, usage: { inputTokens: 70, costUsd: 0.9 } })
    expect((await current().replay(body)).result).toEqual({ value: 'limit_reached' })
  })

  it.each([
    ['tells what it used', 'tells', 0.5, 2],
    ['tells less than it reserved', 'tells', 0.75, 1],
    ['neither tells nor settles what it took', 'takes', 0.5, 2],
    ['neither takes nor tells what was reserved for it', 'neither', 0.5, 2],
  ])('counts a step that %s, live as in a resumption', async (_what, manner, costUsd, made) => {
    const reservation = { steps: 1, tokens: 50, costUsd }
    let doneSteps = 0
    const work = async (attempt: StepAttempt) => {
      if (manner === 'tells') attempt.use({ inputTokens: 50, outputTokens: 0, costUsd: 0.5 })
      if (manner === 'takes') await attempt.reserve(reservation)
      return ++doneSteps
    }
    const body = async (context: RunContext) => {
      const { budget } = context.services
      for (let count = 0; count < 10; count++) {
        const step = context.step(`${count}`, 'read', {}, work, { isPaid: true, reservation })
        if ((await codeOf(step)) === 'limit_reached') break
      }
      return [doneSteps, budget.remaining().costUsd, budget.overshoot()]
    }
    const expected = [made, 1 - made / 2, {}]
    const stopping = async (context: RunContext) => {
      expect(await body(context)).toEqual(expected)
      throw new ScholiumError('waiting', 'wait')
    }
    const live = current().start(stopping, { limits: { maxCostUsd: 1 } })
    await expect(live).rejects.toMatchObject({ code: 'waiting' })
    expect(await current().resume(body)).toEqual(expected)
  })

  it.each<[string, (attempt: StepAttempt) => Promise<Json>, number]>([
    ['fails', () => Promise.reject(new Error('no answer')), 100],
    ['hangs until its time is up', () => new Promise<Json>(() => undefined), 100],
    [
      'hangs after it told of a first use',
      (attempt) => {
        attempt.use({ inputTokens: 70, outputTokens: 0, costUsd: 0.7 })
        return new Promise<Json>(() => undefined)
      },
      100,
    ],
    [
      'says that it used nothing',
      async (attempt) => attempt.use({ inputTokens: 0, outputTokens: 0, costUsd: 0 }) ?? null,
      0,
    ],
  ])(
    'takes a step that %s at what the log says of it, also after the run went on',
    async (_what, work, tokens) => {
      const body = (isStopping: boolean) => async (context: RunContext) => {
        const paid = { isPaid: true, reservation: oneDollar, timeoutMs: 20 }
        await codeOf(context.step('a', 'read', {}, work, paid))
        if (isStopping) throw new ScholiumError('waiting', 'wait')
        return context.services.budget.remaining().tokens
      }
      const limits = { maxTokens: 1_000 }
      await expect(current().start(body(true), { limits })).rejects.toThrow('wait')
      const ends = (await current().events()).filter((event) => isStepEnd(event))
      const end = ends.find(({ key }) => key === 'test/a')
      expect(end?.data.usage).toMatchObject({ inputTokens: tokens })
      expect(await current().resume(body(false))).toBe(1_000 - tokens)
    },
  )

  it('is told of when a step used more than it reserved and settled nothing', async () => {
    const use = async (attempt: StepAttempt) => {
      attempt.use({ inputTokens: 500, outputTokens: 0, costUsd: 3 })
      return null
    }
    const body = (context: RunContext) =>
      context.step('a', 'read', {}, use, { isPaid: true, reservation: oneDollar })
    await current().start(body, { limits: { maxCostUsd: 1 } })
    const notice = (await current().events()).find((event) => event.type === 'notice')
    expect(notice?.data.text).toMatch(/^500 tokens .* exceeded: dollars by 2\./)
  })

  it('that stops a write before it began leaves it to be done when the limit is raised', async () => {
    let written = 0
    const body = (context: RunContext) =>
      context.step('write', 'write', {}, async () => ++written, { reservation: oneStep })
    await expect(current().start(body, { limits: { maxSteps: 0 } })).rejects.toMatchObject({
      code: 'limit_reached',
    })
    expect(await current().resume(body, { limits: { maxSteps: 5 } })).toBe(1)
  })

  /** A run that died with one step in flight, for which a dollar was reserved. */
  async function dieInStep(effect: Effect, limits: Limits): Promise<void> {
    const { store, clock } = current()
    const run = { runId: 'run', workflow: 'test', title: '', createdAt: 1 }
    const lease = await store.create(run, currentOwner())
    const started = {
      workflow: 'test',
      versions: { package: '0', workflow: '1' },
      promptHashes: {},
      configuration: {},
      seed: 'run',
      limits,
    }
    const inputHash = hashJson({})
    const facts = { name: 'lost', effect, inputHash, attempt: 1, reservation: oneDollar }
    const events: NewEvent[] = [
      { key: '', type: 'run.started', data: started, output: {}, ts: clock.now() },
      { key: 'test/lost', type: 'step.started', data: facts, output: {}, ts: clock.now() },
    ]
    await store.append(lease, events, [], 'full')
    await store.release(lease, 'interrupted')
  }

  const next = (context: RunContext) =>
    codeOf(
      context.step('next', 'read', {}, async () => 'made', {
        isPaid: true,
        reservation: oneDollar,
      }),
    )

  it('counts a call that was in flight when the process died as all that was reserved for it', async () => {
    await dieInStep('read', { maxCostUsd: 1.5 })
    expect(await current().resume(next)).toBe('limit_reached')
  })

  it('still counts a lost write once its outcome is known to be unknown', async () => {
    await dieInStep('write', { maxCostUsd: 1.5 })
    const write = (context: RunContext) => context.step('lost', 'write', {}, async () => 'done')
    await expect(current().resume(write)).rejects.toMatchObject({ code: 'outcome_unknown' })
    expect(await current().resume(next)).toBe('limit_reached')
  })

  it('on time breaks off what is in progress', async () => {
    const startedAt = performance.now()
    const body = (context: RunContext) =>
      codeOf(context.step('slow', 'read', {}, () => new Promise<Json>(() => undefined)))
    expect(await current().start(body, { limits: { maxWallMs: 60 } })).toBe('limit_reached')
    expect(performance.now() - startedAt).toBeLessThan(30_000)
    expect((await current().replay(body)).result).toEqual({ value: 'limit_reached' })
  })
})

describe('a step that does not end as it should', () => {
  it('gives its reservation back when it outlives its time, so that the next is told of the limit', async () => {
    const body = async (context: RunContext) => {
      const hung = context.step('hung', 'read', {}, () => new Promise<Json>(() => undefined), {
        timeoutMs: 20,
        reservation: oneStep,
      })
      return [
        await codeOf(hung),
        await codeOf(context.step('next', 'read', {}, async () => 1, { reservation: oneStep })),
      ]
    }
    expect(await current().start(body, { limits: { maxSteps: 1 } })).toEqual([
      'step_failed',
      'limit_reached',
    ])
  })

  it('is a failure that may pass when something below aborts without being asked to', async () => {
    let isBroken = true
    const body = (context: RunContext) =>
      context.step('a', 'read', {}, async () => {
        if (isBroken) throw new DOMException('socket gone', 'AbortError')
        return 'works'
      })
    await expect(current().start(body)).rejects.toMatchObject({
      code: 'step_failed',
      retryable: true,
    })
    isBroken = false
    expect(await current().resume(body)).toBe('works')
  })

  it('and gives what JSON cannot carry fails alone', async () => {
    const body = async (context: RunContext) => {
      const [bad, good] = await Promise.all([
        codeOf(context.step('bad', 'read', {}, async () => 10n as unknown as Json)),
        context.step('good', 'read', {}, async () => 'kept'),
      ])
      return [bad, good]
    }
    expect(await current().start(body)).toEqual(['step_failed', 'kept'])
    expect((await current().replay(body)).result).toEqual({ value: ['step_failed', 'kept'] })
  })
})

describe('a resumption that is refused', () => {
  const body = async () => 'done'

  it('is none of a run that has ended: it gives its result again, in any version', async () => {
    await current().start(body)
    const changed = current().execution()
    const { resumeRun } = await import('../index.ts')
    const { workflowOf } = await import('../../../test/kernel/runs.ts')
    const { result } = await resumeRun(workflowOf(body, { version: '2' }), 'run', changed)
    expect(result).toEqual({ value: 'done' })
    expect((await current().store.get('run')).status).toBe('answered')
  })

  it('because of another configuration names both', async () => {
    const stopping = () => Promise.reject(new ScholiumError('waiting', 'wait'))
    await expect(
      current().start(stopping, { configuration: { models: { default: 'a' } } }),
    ).rejects.toThrow('wait')
    const resuming = current().resume(body, { configuration: { models: { default: 'b' } } })
    await expect(resuming).rejects.toMatchObject({
      code: 'run_incompatible',
      message: expect.stringContaining('models.default was a, now b'),
    })
    expect(await current().resume(body, { configuration: { models: { default: 'a' } } })).toBe(
      'done',
    )
  })
})

describe('limits and interruptions at awkward moments', () => {
  it('take a time of any fraction', async () => {
    const body = (context: RunContext) =>
      context.step('a', 'read', {}, async () => 'done', { timeoutMs: 500.7 })
    expect(await current().start(body, { limits: { maxWallMs: 16_100.000000000002 } })).toBe('done')
  })

  it('refuse what is no limit before anything begins', async () => {
    const start = current().start(async () => null, { limits: { maxWallMs: Number.NaN } })
    await expect(start).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(current().store.get('run')).rejects.toMatchObject({ code: 'run_not_found' })
  })

  it('do not begin a write after an interruption, and leave it to whoever continues', async () => {
    let written = 0
    const interruption = new AbortController()
    const body = (context: RunContext) => context.step('w', 'write', {}, async () => ++written)
    const listeners = [
      (event: { type: string }) => {
        if (event.type === 'step.started') interruption.abort()
      },
    ]
    const interrupted = current().start(body, { signal: interruption.signal, listeners })
    await expect(interrupted).rejects.toMatchObject({ code: 'cancelled' })
    expect(written).toBe(0)
    expect(await current().resume(body)).toBe(1)
  })

  it('keep a raised limit over later sessions', async () => {
    const body = async (context: RunContext) => {
      for (const name of ['a', 'b', 'c']) {
        await context.step(name, 'read', {}, async () => name, { reservation: oneStep })
        if (name === 'b' && !isThird) throw new ScholiumError('waiting', 'wait')
      }
      return 'done'
    }
    let isThird = false
    await expect(current().start(body, { limits: { maxSteps: 1 } })).rejects.toMatchObject({
      code: 'limit_reached',
    })
    await expect(current().resume(body, { limits: { maxSteps: 9 } })).rejects.toThrow('wait')
    isThird = true
    expect(await current().resume(body)).toBe('done')
  })

  it('still count a lost call after a resumption that was refused', async () => {
    const { store, clock } = current()
    const lease = await store.create(
      { runId: 'run', workflow: 'test', title: '', createdAt: 1 },
      currentOwner(),
    )
    const limits = { maxCostUsd: 1.5 }
    const started = {
      workflow: 'test',
      versions: { package: '0', workflow: '1' },
      promptHashes: {},
      configuration: {},
      seed: 'run',
      limits,
    }
    const facts = {
      name: 'a',
      effect: 'read',
      inputHash: hashJson({}),
      attempt: 1,
      reservation: oneDollar,
    } as const
    const ts = clock.now()
    const events = [
      { key: '', type: 'run.started', data: started, output: {}, ts } as const,
      { key: 'test/a', type: 'step.started', data: facts, output: {}, ts } as const,
    ]
    await store.append(lease, events, [], 'full')
    await store.release(lease, 'interrupted')
    const body = (context: RunContext) =>
      context.step('a', 'read', {}, async () => 'made', { isPaid: true, reservation: oneDollar })
    for (const _ of [1, 2, 3]) {
      await expect(current().resume(body)).rejects.toMatchObject({ code: 'limit_reached' })
    }
  })
})
