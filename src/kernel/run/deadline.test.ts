import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { withDeadline } from './deadline.ts'

const hanging = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason))
  })

describe('withDeadline', () => {
  it('gives what the work gives, and leaves nothing behind', async () => {
    const { signal } = new AbortController()
    const timers = () =>
      process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
    const before = timers()
    expect(await withDeadline(signal, 60_000, async () => timers())).toBe(before + 1)
    expect(getEventListeners(signal, 'abort')).toEqual([])
    expect(timers()).toBe(before)
  })

  it('stops the work when its time is up, or when it is told to', async () => {
    const control = new AbortController()
    const late = withDeadline(control.signal, 5, hanging)
    await expect(late).rejects.toMatchObject({ name: 'TimeoutError' })
    const reason = new Error('stop')
    const stopped = withDeadline(control.signal, 60_000, hanging)
    control.abort(reason)
    await expect(stopped).rejects.toBe(reason)
    await expect(withDeadline(control.signal, 60_000, hanging)).rejects.toBe(reason)
  })

  it('waits for a time longer than a timer can', async () => {
    const { signal } = new AbortController()
    const work = (inner: AbortSignal) =>
      new Promise((resolve) => setTimeout(() => resolve(inner.aborted), 10))
    expect(await withDeadline(signal, 2 ** 40, work)).toBe(false)
  })
})
