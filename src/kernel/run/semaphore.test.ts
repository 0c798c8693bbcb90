import { describe, expect, it } from 'vitest'
import { createSemaphore } from './semaphore.ts'

describe('turns', () => {
  it('let so many run at once, the others in their order, also after a failure', async () => {
    const turns = createSemaphore(2)
    const begun: number[] = []
    let open = 0
    let most = 0
    const settled = await Promise.allSettled(
      [1, 2, 3, 4, 5].map((number) =>
        turns(async () => {
          begun.push(number)
          most = Math.max(most, ++open)
          await new Promise((resolve) => setImmediate(resolve))
          open--
          if (number === 2) throw new Error('two')
          return number
        }),
      ),
    )
    expect(settled.map(({ status }) => status === 'fulfilled')).toEqual([
      true,
      false,
      true,
      true,
      true,
    ])
    expect(begun).toEqual([1, 2, 3, 4, 5])
    expect([most, open]).toEqual([2, 0])
  })

  it('are left by who is stopped before its turn, which others get', async () => {
    const turns = createSemaphore(1)
    const stop = new AbortController()
    const busy = Promise.withResolvers<void>()
    const first = turns(() => busy.promise)
    const stopped = turns(async () => 'done', stop.signal)
    const last = turns(async () => 'done')
    stop.abort(new Error('stopped'))
    await expect(stopped).rejects.toThrow('stopped')
    busy.resolve()
    await first
    expect(await last).toBe('done')
    await expect(turns(async () => 'done', stop.signal)).rejects.toThrow('stopped')
    expect(await turns(async () => 'done')).toBe('done')
  })
  it('are not begun by who is stopped as soon as it has one', async () => {
    const turns = createSemaphore(1)
    const stop = new AbortController()
    let isBegun = false
    const stopped = turns(async () => {
      isBegun = true
    }, stop.signal)
    stop.abort(new Error('stopped'))
    await expect(stopped).rejects.toThrow('stopped')
    expect(isBegun).toBe(false)
    expect(await turns(async () => 'done')).toBe('done')
  })
})
