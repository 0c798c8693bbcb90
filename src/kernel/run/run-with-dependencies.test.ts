import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runWithDependencies } from './run-with-dependencies.ts'

/** What each item needs: earlier ones, any of them. */
const anyNeeds = fc
  .array(fc.array(fc.nat(9), { maxLength: 3 }), { maxLength: 10 })
  .map((lists) => lists.map((list, index) => list.filter((needed) => needed < index)))

describe('settleByNeeds', () => {
  it('gives all results in order, begins nothing before what it needs, and no more at once than it may', async () => {
    const pauses = fc.array(fc.nat(3), { minLength: 10, maxLength: 10 })
    await fc.assert(
      fc.asyncProperty(
        anyNeeds,
        fc.integer({ min: 1, max: 4 }),
        pauses,
        async (needs, limit, ms) => {
          const ended = new Set<number>()
          let [working, most] = [0, 0]
          const settled = await runWithDependencies(needs, limit, async (index) => {
            expect(needs[index]?.filter((needed) => !ended.has(needed))).toEqual([])
            most = Math.max(most, ++working)
            await pause(ms[index])
            working--
            ended.add(index)
            return index
          })
          expect(settled).toEqual(needs.map((_, value) => ({ status: 'fulfilled', value })))
          expect(most).toBeLessThanOrEqual(limit)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('begins a place that became free at once, and continues after a failure', async () => {
    const begun: number[] = []
    const settled = await runWithDependencies([[], [], [], [1]], 2, async (index) => {
      begun.push(index)
      await pause(index === 0 ? 40 : 5)
      if (index === 1) throw new Error('no')
      return index
    })
    expect(begun).toEqual([0, 1, 2, 3])
    expect(settled.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ])
  })
})
