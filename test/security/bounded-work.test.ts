import { describe, expect, it } from 'vitest'
import { doBounded } from '../../src/tools/bounded/bounded-work.ts'
import { busy, fails, loop, matches } from './long-work.ts'

const never = new AbortController().signal
const bounds = { timeoutMs: 300, signal: never }
const workOf = <Args extends readonly unknown[], Result>(run: (...args: Args) => Result) => ({
  run,
  script: new URL('./long-work-thread.ts', import.meta.url),
  name: run.name,
})

describe('bounded work', () => {
  it('gives what short and long work gives, and throws what it throws', async () => {
    const long = { timeoutMs: 60_000, signal: never }
    expect(await doBounded(workOf(matches), ['^a+$', 'aaa'], long)).toEqual({
      ok: true,
      value: true,
    })
    expect(await doBounded(workOf(busy), [400], long)).toEqual({
      ok: true,
      value: { kept: [1, 'a'] },
    })
    await expect(doBounded(workOf(fails), [0], long)).rejects.toThrow(SyntaxError)
    await expect(doBounded(workOf(fails), [400], long)).rejects.toThrow('JSON')
  })

  it.each([
    ['a loop', workOf(loop), []],
    ['a pattern that tries for ever', workOf(matches), ['^(a+)+$', `${'a'.repeat(50)}b`]],
  ] as const)('ends %s', async (_what, work, args) => {
    expect(await doBounded(work as ReturnType<typeof workOf>, args, bounds)).toEqual({ ok: false })
  })

  it('ends with its signal, what waits for its turn too, and leaves the place to others', async () => {
    const stop = new AbortController()
    const endless = { timeoutMs: 1e9, signal: stop.signal }
    const all = Array.from({ length: 6 }, () => doBounded(workOf(loop), [], endless))
    setTimeout(() => stop.abort(new Error('stopped')), 500)
    const ended = await Promise.allSettled(all)
    expect(ended.map((one) => one.status === 'rejected' && one.reason.message)).toEqual(
      all.map(() => 'stopped'),
    )
    expect(await doBounded(workOf(matches), ['a', 'b'], bounds)).toEqual({ ok: true, value: false })
  })
})
