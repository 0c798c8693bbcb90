import { describe, expect, it } from 'vitest'
import { createTurnstile } from './turnstile.ts'

describe('createTurnstile', () => {
  it('lets so many go on at once, the others in their order, also after a failure', async () => {
    const turnstile = createTurnstile(2)
    const begun: number[] = []
    let open = 0
    let most = 0
    const settled = await Promise.allSettled(
      [1, 2, 3, 4, 5].map((number) =>
        turnstile(async () => {
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
})
