import { describe, expect, it } from 'vitest'
import { systemClock } from '../index.ts'

const never = new AbortController().signal

describe('systemClock', () => {
  it('tells the time and waits', async () => {
    const before = systemClock.now()
    expect(Math.abs(before - Date.now())).toBeLessThan(1_000)
    await systemClock.sleep(15, never)
    expect(systemClock.now() - before).toBeGreaterThanOrEqual(10)
  })

  it('stops waiting when it is told to', async () => {
    const stop = new AbortController()
    const waiting = systemClock.sleep(60_000, stop.signal)
    stop.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    await expect(systemClock.sleep(60_000, stop.signal)).rejects.toThrow('enough')
  })
})
