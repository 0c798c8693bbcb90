import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Limits } from '../../src/kernel/index.ts'
import { FaultStore } from '../../src/testing/index.ts'
import { useHttpModel } from '../kernel/http-model.ts'
import { useRuns } from '../kernel/runs.ts'
import { type CallNode, CallTree, callTrees, costUsdOf, price } from './call-tree.ts'

const timeoutMs = 120_000
const current = useRuns()
const model = useHttpModel()

/** A tree with a service of its own, over an empty log. */
async function plant(tree: CallNode, maxOutputTokens = 50): Promise<CallTree> {
  await current().close()
  await current().open()
  const settings = { maxOutputTokens, isStreamed: false }
  const prices = { 'openai-compatible:scripted': price }
  const planted = new CallTree(tree, model.binding({ ...settings, prices }))
  model.script = planted.script
  return planted
}

/** By how much the service billed more than the run, or a part of it, was allowed; 0 for not at all. */
function overshoot({ billed, parts }: CallTree, limits: Limits): number {
  const all: [string, Limits][] = [['test', limits], ...parts]
  const overs = all.map(([path, { maxCostUsd = Infinity, maxTokens = Infinity }]) => {
    const inside = billed.filter((bill) => `${bill.path}/`.startsWith(`${path}/`))
    const costUsd = inside.reduce((sum, bill) => sum + bill.costUsd, 0)
    const tokens = inside.reduce((sum, bill) => sum + bill.tokens, 0)
    return Math.max(0, costUsd - maxCostUsd, tokens - maxTokens)
  })
  return Math.max(...overs)
}

/** A tree with limits that are tight for it where its answers are so many times as long. */
const limitedTreesOf = (times: number) =>
  fc
    .tuple(
      callTrees,
      fc.integer({ min: 5, max: 150 }),
      fc.constantFrom('cost', 'tokens', 'steps', 'all'),
    )
    .map(([tree, percent, kind]) => {
      const maxCostUsd = Math.floor((costUsdOf(tree) * times * percent) / 100)
      const all = {
        maxCostUsd,
        maxTokens: Math.floor(maxCostUsd / 1.5),
        maxSteps: Math.ceil(percent / 5),
      }
      const limits: Limits = {
        ...(kind === 'cost' || kind === 'all' ? { maxCostUsd: all.maxCostUsd } : {}),
        ...(kind === 'tokens' || kind === 'all' ? { maxTokens: all.maxTokens } : {}),
        ...(kind === 'steps' || kind === 'all' ? { maxSteps: all.maxSteps } : {}),
      }
      return { tree, limits }
    })
const limitedTrees = limitedTreesOf(1)

describe('any tree of paid calls, at once and within each other', () => {
  it.each([
    ['short', 50, 1],
    ['longer than is left, so that they are cut to it', 20_000, 100],
  ])(
    'never uses more than it and its parts may, comes to its end, and replays to the same: answers %s',
    async (_length, maxOutputTokens, times) => {
      let [calls, stopped] = [0, 0]
      await fc.assert(
        fc.asyncProperty(limitedTreesOf(times), async ({ tree, limits }) => {
          const planted = await plant(tree, maxOutputTokens)
          const result = await current().start(planted.body, { limits })
          expect(overshoot(planted, limits)).toBe(0)
          calls += planted.billed.length
          stopped += JSON.stringify(result).split('stopped by').length - 1
          expect((await current().replay(planted.body)).result.value).toEqual(result)
        }),
        { numRuns: 200 },
      )
      expect(calls).toBeGreaterThan(100)
      expect(stopped).toBeGreaterThan(100)
    },
    timeoutMs,
  )

  it(
    'does so also when its process dies at any event, twice over',
    async () => {
      const death = fc.record({
        event: fc.integer({ min: 2, max: 25 }),
        when: fc.constantFrom('before' as const, 'after' as const),
      })
      let deaths = 0
      await fc.assert(
        fc.asyncProperty(limitedTrees, death, death, async ({ tree, limits }, ...points) => {
          const planted = await plant(tree)
          for (const point of [...points, undefined]) {
            const store = new FaultStore(current().store, point)
            const isNew = (await current().store.list()).length === 0
            const drive = isNew
              ? current().start(planted.body, { store, limits })
              : current().resume(planted.body, { store })
            await drive.catch((error: unknown) => {
              if (!store.isDead) throw error
            })
            if (store.isDead) deaths++
          }
          expect(overshoot(planted, limits)).toBe(0)
        }),
        { numRuns: 200 },
      )
      expect(deaths).toBeGreaterThan(50)
    },
    timeoutMs,
  )
})

describe('a call whose answer was lost, and then its process', () => {
  it('counts all that may have been paid for it', async () => {
    const call = { promptBytes: 1, used: [1, 1], manners: ['loses it', 'loses it'] } as const
    const tree: CallNode = { calls: [call], children: [], isParallel: false, limits: null }
    const whole = await plant(tree)
    await current().start(whole.body)
    const each = whole.billed[0]?.costUsd ?? 0
    expect(whole.billed.map(({ costUsd }) => costUsd)).toEqual([each, each, each])

    const again = await plant(tree)
    const limits = { maxCostUsd: 3 * each }
    // The third answer comes, and is lost with the process.
    const store = new FaultStore(current().store, { event: 5, when: 'before' })
    await expect(current().start(again.body, { store, limits })).rejects.toThrow()
    expect(again.billed).toHaveLength(3)
    expect(await current().resume(again.body)).toMatchObject({
      outcomes: ['stopped by maxCostUsd of run'],
    })
    expect(overshoot(again, limits)).toBe(0)
  })
})
