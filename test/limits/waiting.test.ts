import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json, RunContext, ScholiumError, StepAttempt } from '../../src/kernel/index.ts'
import { withLimits } from '../../src/kernel/limits/with-limits.ts'
import { type Body, createGate, useRuns } from '../kernel/runs.ts'

const current = useRuns()
const nothing = { inputTokens: 0, outputTokens: 0, costUsd: 0 }
const tokens = (count: number) => ({ steps: 0, tokens: count, costUsd: 0 })
const codeOf = (work: Promise<Json>) => work.catch((error: ScholiumError) => error.code)

/** A step that holds tokens while it does something, and uses none of them. */
function hold(
  context: RunContext,
  name: string,
  count: number,
  work: (attempt: StepAttempt) => Promise<Json>,
): Promise<Json> {
  const unused = (attempt: StepAttempt) => {
    attempt.use(nothing)
    return work(attempt)
  }
  return context.step(name, 'read', {}, unused, { reservation: tokens(count) })
}

describe('a branch that cannot reserve', () => {
  it('waits for a sibling that can give back, and is then let through', async () => {
    const gate = createGate()
    const order: string[] = []
    const body: Body = async (context) => {
      const [a, b] = [context.branch('a'), context.branch('b')]
      const first = hold(a, 'x', 60, async (attempt) => {
        const grant = await attempt.reserve(tokens(60))
        await gate.opened
        order.push('first ends')
        grant.settle(nothing)
        return 'first'
      })
      const second = hold(b, 'x', 60, async () => {
        order.push('second begins')
        return 'second'
      })
      await new Promise((resolve) => setTimeout(resolve, 20))
      gate.open()
      return Promise.all([first, second])
    }
    expect(await current().start(body, { limits: { maxTokens: 100 } })).toEqual(['first', 'second'])
    expect(order).toEqual(['first ends', 'second begins'])
  })

  it.each<[string, Body, Json]>([
    [
      'within the step that holds what it needs',
      (context) =>
        hold(context, 'outer', 60, async () => codeOf(hold(context, 'inner', 60, async () => 1))),
      'limit_reached',
    ],
    [
      'deeper within it, in a part with limits of its own',
      (context) =>
        hold(context, 'outer', 60, async () => {
          const part = await withLimits(context, 'part', { maxTokens: 90 })
          return codeOf(hold(part, 'a', 30, () => codeOf(hold(part, 'b', 30, async () => 1))))
        }),
      'limit_reached',
    ],
    [
      'for its own second call before the first is settled',
      (context) =>
        codeOf(
          hold(context, 'twice', 60, async (attempt) => {
            await attempt.reserve(tokens(60))
            await attempt.reserve(tokens(60))
            return 1
          }),
        ),
      'limit_reached',
    ],
    [
      'beside another that waits for it in turn: one is refused, the other goes on',
      async (context) => {
        const both = ['a', 'b'].map((name) => {
          const branch = context.branch(name)
          return hold(branch, 'outer', 40, () =>
            codeOf(hold(branch, 'inner', 40, async () => 'granted')),
          )
        })
        return (await Promise.all(both)).sort()
      },
      ['granted', 'limit_reached'],
    ],
    [
      'within a step, while a sibling within the same step can still give back',
      (context) =>
        hold(context, 'outer', 20, async () => {
          const pause = () => new Promise((resolve) => setTimeout(resolve, 10))
          return Promise.all(
            ['a', 'b'].map((name) =>
              hold(context.branch(name), 'x', 60, async () => {
                await pause()
                return name
              }),
            ),
          )
        }),
      ['a', 'b'],
    ],
  ])('%s does not wait for ever', async (_what, body, expected) => {
    expect(await current().start(body, { limits: { maxTokens: 100 } })).toEqual(expected)
    expect((await current().replay(body)).result.value).toEqual(expected)
  })

  it('is not let through when its time is up by then', async () => {
    const { clock } = current()
    let isMade = false
    const body: Body = async (context) => {
      const [a, b] = [context.branch('a'), context.branch('b')]
      const first = hold(a, 'x', 60, async () => {
        await new Promise((resolve) => setTimeout(resolve, 20))
        clock.advance(60_000)
        return 'first'
      })
      const second = hold(b, 'x', 60, async () => {
        isMade = true
        return 'second'
      })
      return [await first, await codeOf(second)]
    }
    const limits = { maxTokens: 100, maxWallMs: 30_000 }
    expect(await current().start(body, { limits })).toEqual(['first', 'limit_reached'])
    expect(isMade).toBe(false)
  })
})

describe('any steps that hold reservations while others within them and next to them need some', () => {
  interface Holding {
    readonly tokens: number
    readonly children: readonly Holding[]
  }
  const holdings = fc.letrec<{ node: Holding }>((tie) => ({
    node: fc.record({
      tokens: fc.integer({ min: 0, max: 40 }),
      children: fc.oneof({ maxDepth: 3 }, fc.constant([]), fc.array(tie('node'), { maxLength: 3 })),
    }),
  })).node

  it('come to an end, each done or refused', async () => {
    const drive = (context: RunContext, { tokens: count, children }: Holding): Promise<Json> =>
      codeOf(
        hold(context, 'x', count, async () => {
          await Promise.resolve()
          const branches = children.map((_, index) => context.branch(`${index}`))
          return Promise.all(children.map((child, i) => drive(branches[i] as RunContext, child)))
        }),
      )
    await fc.assert(
      fc.asyncProperty(holdings, fc.integer({ min: 1, max: 100 }), async (tree, maxTokens) => {
        await current().close()
        await current().open()
        const run = current().start((context) => drive(context, tree), { limits: { maxTokens } })
        const tooLong = new Promise((resolve) => setTimeout(resolve, 5_000, 'hangs').unref())
        expect(await Promise.race([run.then(() => 'ends'), tooLong])).toBe('ends')
      }),
      { numRuns: 60 },
    )
  })
})
