import { describe, expect, it } from 'vitest'
import { withinTime } from './within-time.ts'

describe('withinTime', () => {
  it('gives what the work gives, and throws what it throws', () => {
    const value = { a: 1 }
    const done = withinTime(1_000, () => value)
    expect(done.ok && done.value).toBe(value)
    expect(() => withinTime(1_000, () => JSON.parse('{'))).toThrow(SyntaxError)
  })

  it('ends a loop, and a pattern that tries for ever', () => {
    const startedAt = performance.now()
    const endless = () => {
      for (;;);
    }
    expect(withinTime(50, endless)).toEqual({ ok: false })
    expect(withinTime(50, () => /^(a+)+$/.test(`${'a'.repeat(50)}b`))).toEqual({ ok: false })
    expect(performance.now() - startedAt).toBeLessThan(30_000)
  })
})
