import { describe, expect, it } from 'vitest'
import { createQuickClock } from '../../testing/index.ts'
import { createPacer } from './pace.ts'

const never = new AbortController().signal
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Work that ends when it is told to. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { work: () => promise, end: resolve }
}

describe('a pacer', () => {
  it('lets so many through at once to one source, and the rest in their order', async () => {
    const pacer = createPacer(createQuickClock(), () => ({ atOnce: 2, gapMs: 0 }))
    const begun: number[] = []
    const all = [0, 1, 2, 3].map((number) => ({ number, ...held() }))
    const done = all.map(({ number, work }) =>
      pacer.inTurn('a', never, () => {
        begun.push(number)
        return work()
      }),
    )
    await turn()
    expect(begun).toEqual([0, 1])
    await pacer.inTurn('b', never, async () => begun.push(9))
    all[1]?.end()
    await turn()
    expect(begun).toEqual([0, 1, 9, 2])
    for (const { end } of all) end()
    await Promise.all(done)
    expect(begun).toEqual([0, 1, 9, 2, 3])
  })

  it('keeps the gap from start to start', async () => {
    const clock = createQuickClock()
    const pacer = createPacer(clock, () => ({ atOnce: 1, gapMs: 200 }))
    for (let count = 0; count < 3; count++) await pacer.inTurn('a', never, async () => {})
    expect(clock.waitsMs).toHaveLength(2)
    for (const waitMs of clock.waitsMs) expect(waitMs).toBeGreaterThan(180)
  })

  it('gives a place back when the work fails', async () => {
    const pacer = createPacer(createQuickClock(), () => ({ atOnce: 1, gapMs: 0 }))
    await expect(pacer.inTurn('a', never, () => Promise.reject(new Error('no')))).rejects.toThrow(
      'no',
    )
    expect(await pacer.inTurn('a', never, async () => 'done')).toBe('done')
  })

  it('leaves out who gives up in line', async () => {
    const pacer = createPacer(createQuickClock(), () => ({ atOnce: 1, gapMs: 0 }))
    const first = held()
    const running = pacer.inTurn('a', never, first.work)
    const stop = new AbortController()
    const second = pacer.inTurn('a', stop.signal, async () => 'second')
    const third = pacer.inTurn('a', never, async () => 'third')
    stop.abort(new Error('enough'))
    await expect(second).rejects.toThrow('enough')
    first.end()
    await running
    expect(await third).toBe('third')
    await expect(pacer.inTurn('a', stop.signal, async () => 'late')).rejects.toThrow('enough')
  })
})
