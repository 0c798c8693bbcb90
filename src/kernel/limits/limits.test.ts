import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Body, useRuns } from '../../../test/kernel/runs.ts'
import { FaultStore } from '../../testing/index.ts'
import { Budget, type Limits, type ScholiumError } from '../index.ts'

const one = { steps: 1, tokens: 0, costUsd: 0 }
const nothing = { inputTokens: 0, outputTokens: 0, costUsd: 0 }
const tokens = (count: number) => ({ steps: 1, tokens: count, costUsd: 0 })
const used = (inputTokens: number, costUsd: number | null = 0) => ({
  inputTokens,
  outputTokens: 0,
  costUsd,
})

describe('Budget', () => {
  it.each<[string, Limits, number]>([
    ['steps', { maxSteps: 2 }, 2],
    ['tokens', { maxTokens: 250 }, 2],
    ['dollars', { maxCostUsd: 0.05 }, 2],
    ['nothing', {}, 5],
  ])('bounds %s', async (_what, limits, granted) => {
    const budget = new Budget(limits)
    let count = 0
    for (; count < 5; count++) {
      const grant = await budget
        .reserve({ steps: 1, tokens: 100, costUsd: 0.02 })
        .catch(() => undefined)
      if (grant === undefined) break
      grant.settle(used(100, 0.02))
    }
    expect(count).toBe(granted)
  })

  it('says which limit was reached, what was asked for and what was left', async () => {
    const budget = new Budget({ maxTokens: 150 })
    ;(await budget.reserve(tokens(100))).settle(used(100))
    await expect(budget.reserve(tokens(80))).rejects.toMatchObject({
      code: 'limit_reached',
      message:
        'The limit on tokens was reached. Used: 100 of 150, left: 50; the next call may need 80.',
      hint: 'Allow more with --max-tokens.',
      details: { limit: 'maxTokens', asked: 80, left: 50, allowed: 150, used: 100, held: 0 },
    })
  })

  it('says also what others hold, and what is kept for whom', async () => {
    const budget = new Budget({ maxCostUsd: 0.1 })
    budget.setAside('finalizer', { steps: 1, tokens: 10, costUsd: 0.03 })
    const dollars = (costUsd: number) => ({ steps: 1, tokens: 0, costUsd })
    ;(await budget.reserve(dollars(0.02))).settle(used(0, 0.01))
    const holder = budget.newHolder()
    await budget.reserve(dollars(0.05), { holder })
    holder.startWaiting()
    await expect(budget.reserve(dollars(0.02))).rejects.toMatchObject({
      message:
        'The limit on dollars was reached. Used: $0.01 of $0.1, reserved by calls in progress: $0.05, reserved for the finalizer: $0.03, left: $0.01; the next call may need $0.02.',
      details: { kept: { finalizer: 0.03 } },
    })
  })

  it('gives back what an attempt did not use', async () => {
    const budget = new Budget({ maxTokens: 100 })
    const grant = await budget.reserve(tokens(100))
    expect(budget.remaining().tokens).toBe(0)
    grant.settle({ inputTokens: 20, outputTokens: 10, costUsd: 0 })
    grant.settle(used(50))
    expect(budget.remaining().tokens).toBe(70)
  })

  it('lets a branch wait while others hold what it needs, and refuses it when nobody does', async () => {
    const budget = new Budget({ maxTokens: 100 })
    const holding = await budget.reserve(tokens(60))
    const order: string[] = []
    const waiting = budget.reserve(tokens(60)).then((grant) => {
      order.push('granted')
      return grant
    })
    await new Promise((resolve) => setImmediate(resolve))
    order.push('settled')
    holding.settle(used(40))
    ;(await waiting).settle(used(60))
    expect(order).toEqual(['settled', 'granted'])

    const last = new Budget({ maxTokens: 100 })
    const all = await last.reserve(tokens(100))
    const refused = last.reserve(tokens(1))
    all.settle(used(100))
    await expect(refused).rejects.toMatchObject({ code: 'limit_reached' })
  })

  it('cannot bind dollars where a price is not known, but what binds next to them does', async () => {
    const budget = new Budget({ maxCostUsd: 1, maxTokens: 8 })
    const unpriced = { steps: 1, tokens: 5, costUsd: null }
    ;(await budget.reserve(unpriced)).settle(used(5, null))
    await expect(budget.reserve(unpriced)).rejects.toMatchObject({
      details: { limit: 'maxTokens' },
    })
  })

  it('keeps what is set aside for those who name it', async () => {
    const budget = new Budget({ maxSteps: 3 })
    budget.setAside('final', { steps: 2, tokens: 0, costUsd: 0 })
    ;(await budget.reserve(one)).settle(nothing)
    await expect(budget.reserve(one)).rejects.toMatchObject({ code: 'limit_reached' })
    await expect(budget.reserve(one, { share: 'other' })).rejects.toMatchObject({
      code: 'limit_reached',
    })
    ;(await budget.reserve(one, { share: 'final' })).settle(nothing)
    ;(await budget.reserve(one, { share: 'final' })).settle(nothing)
    await expect(budget.reserve(one, { share: 'final' })).rejects.toMatchObject({
      code: 'limit_reached',
    })
  })

  it('counts what a log says was used', () => {
    const budget = new Budget({ maxSteps: 10, maxTokens: 100, maxCostUsd: 1 })
    const usage = { inputTokens: 30, outputTokens: 10, costUsd: 0.25 }
    budget.recordSpent({ key: 'test/a', steps: 2, usage })
    budget.recordSpent({ key: 'test/b', steps: 1, usage: used(0, null) })
    expect(budget.remaining()).toEqual({ steps: 7, tokens: 60, costUsd: 0.75 })
  })

  it('is never passed by any number of parallel branches, and lets each end', async () => {
    const attempt = fc.record({
      tokens: fc.integer({ min: 0, max: 60 }),
      usedShare: fc.double({ min: 0, max: 1, noNaN: true }),
      ticks: fc.integer({ min: 0, max: 5 }),
    })
    const branches = fc.array(fc.array(attempt, { maxLength: 6 }), { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(branches, fc.integer({ min: 1, max: 100 }), async (plan, maxTokens) => {
        const budget = new Budget({ maxTokens, maxSteps: 12 })
        const spent = { tokens: 0, steps: 0 }
        const drive = async (attempts: (typeof plan)[number]) => {
          for (const { tokens: asked, usedShare, ticks } of attempts) {
            const grant = await budget.reserve(tokens(asked))
            const left = budget.remaining()
            expect(Math.min(left.tokens, left.steps)).toBeGreaterThanOrEqual(0)
            for (let tick = 0; tick < ticks; tick++) await Promise.resolve()
            const count = Math.floor(asked * usedShare)
            spent.tokens += count
            spent.steps++
            grant.settle(used(count))
          }
        }
        const ended = await Promise.allSettled(plan.map(drive))
        for (const end of ended) {
          if (end.status === 'rejected') expect(end.reason.code).toBe('limit_reached')
        }
        expect(spent.tokens).toBeLessThanOrEqual(maxTokens)
        expect(spent.steps).toBeLessThanOrEqual(12)
        expect(budget.remaining().tokens).toBe(maxTokens - spent.tokens)
      }),
    )
  })
})

describe('the limits of a run', () => {
  const current = useRuns()
  /** Steps that each reserve one, until they are refused; how many there were. */
  const spend: Body = async (context) => {
    for (let count = 0; ; count++) {
      try {
        await context.step(`free ${count}`, 'read', {}, async () => null)
        await context.step(`paid ${count}`, 'read', {}, async (attempt) => {
          ;(await attempt.reserve(one)).settle(nothing)
          return null
        })
      } catch (error) {
        if ((error as { code?: string }).code !== 'limit_reached') throw error
        return count
      }
    }
  }

  it('are recorded where they were reached, and a replay is stopped there too', async () => {
    expect(await current().start(spend, { limits: { maxSteps: 3 } })).toBe(3)
    const reached = (await current().events()).filter(({ type }) => type === 'limit.reached')
    expect(reached).toMatchObject([
      {
        key: 'test/paid 3',
        data: { failure: { code: 'limit_reached', details: { asked: 1, left: 0 } } },
      },
    ])
    expect((await current().replay(spend)).result.value).toBe(3)
  })

  it.each(['before', 'after'] as const)(
    'are the same for a run that is resumed (died %s)',
    async (when) => {
      const store = new FaultStore(current().store, { event: 6, when })
      await expect(current().start(spend, { store, limits: { maxSteps: 5 } })).rejects.toThrow()
      expect(await current().resume(spend)).toBe(5)
    },
  )

  it('count the time of work and leave pauses out', async () => {
    const { clock } = current()
    const work =
      (count: number, isStopping: boolean): Body =>
      async (context) => {
        for (let index = 0; index < count; index++) {
          await context.step(`work ${index}`, 'read', {}, async () => {
            clock.advance(1_000)
            return null
          })
        }
        if (isStopping) throw new Error('stop')
        return 'done'
      }
    const limits = { maxWallMs: 5_000 }
    await expect(current().start(work(3, true), { limits })).rejects.toThrow('stop')
    clock.advance(3_600_000)
    expect(await current().resume(work(4, false))).toBe('done')
    expect((await current().replay(work(4, false))).result.value).toBe('done')
  })

  it('stop work when its time is used up', async () => {
    const { clock } = current()
    const body: Body = async (context) => {
      await context.step('long', 'read', {}, async () => clock.advance(6_000) ?? null)
      return context.step('next', 'read', {}, async () => null)
    }
    await expect(current().start(body, { limits: { maxWallMs: 5_000 } })).rejects.toMatchObject({
      code: 'limit_reached',
      details: { limit: 'maxWallMs' },
      message: 'The limit on time was reached. The limit is 5 s of work.',
      hint: 'To continue with a higher limit: scholium resume run --max-seconds 10',
    })
  })

  it.each<[Limits, string]>([
    [{ maxSteps: 1 }, '--max-steps 2'],
    [{ maxSteps: 0 }, '--max-steps 1'],
    [{ maxTokens: 150 }, '--max-tokens 300'],
    [{ maxTokens: 20 }, '--max-tokens 120'],
    [{ maxCostUsd: 0.3 }, '--max-cost-usd 0.6'],
    [{ maxCostUsd: 0.000123 }, '--max-cost-usd 0.3'],
  ])('name the command under which the run goes on: %o', async (limits, option) => {
    const reservation = { steps: 1, tokens: 100, costUsd: 0.25 }
    const body: Body = async (context) => {
      for (const name of ['a', 'b'])
        await context.step(name, 'read', {}, async () => name, { reservation, isPaid: true })
      return 'done'
    }
    const stopped = await current()
      .start(body, { limits })
      .catch((error: ScholiumError) => error)
    expect(stopped).toMatchObject({
      code: 'limit_reached',
      hint: `To continue with a higher limit: scholium resume run ${option}`,
    })
  })
})
