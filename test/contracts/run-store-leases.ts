import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  deadOwner,
  distantOwner,
  newRun,
  read,
  type Stores,
  self,
  steps,
} from './run-store-fixture.ts'

/** Who may write to a run, and who may take it over when. */
export function describeLeases(stores: Stores): void {
  describeTakeOver(stores)
  describeRelease(stores)
  describeTimeout(stores)
}

function describeTakeOver(stores: Stores): void {
  describe('taking a run over', () => {
    it('succeeds at once when its process has ended, under the next epoch', async () => {
      const store = await stores.open()
      await store.append(await store.create(newRun('a'), deadOwner), steps(1, 2), [], 'normal')
      const lease = await store.acquire('a', self)
      expect(lease).toEqual({ runId: 'a', epoch: 2 })
      const [event] = await store.append(lease, steps(3, 3), [], 'normal')
      expect(event).toMatchObject({ seq: 3, epoch: 2 })
      expect((await read(store, 'a')).map(({ epoch }) => epoch)).toEqual([1, 1, 2])
      expect(await store.get('a')).toMatchObject({ status: 'running', epoch: 2 })
    })

    it('succeeds when another process has the number of the one that is gone', async () => {
      const store = await stores.open()
      await store.create(newRun('a'), { ...self, processStart: '1' })
      expect((await store.acquire('a', self)).epoch).toBe(2)
    })

    it('fences the earlier owner: it can append nothing more, from any store', async () => {
      const [first, second] = [await stores.open(), await stores.open()]
      const lost = await first.create(newRun('a'), deadOwner)
      const lease = await second.acquire('a', self)
      for (const store of [first, second]) {
        await expect(store.append(lost, steps(1, 2), [], 'full')).rejects.toMatchObject({
          code: 'fenced',
        })
        await expect(store.check(lost)).rejects.toMatchObject({ code: 'fenced' })
      }
      expect(await read(first, 'a')).toEqual([])
      await second.check(lease)
      expect((await second.append(lease, steps(1, 1), [], 'normal'))[0]?.seq).toBe(1)
    })

    it('is refused while this very process drives it: two executions must not both', async () => {
      const [first, second] = [await stores.open(), await stores.open()]
      const lease = await first.create(newRun('a'), self)
      for (const store of [first, second]) {
        await expect(store.acquire('a', self)).rejects.toMatchObject({
          code: 'run_busy',
          retryable: true,
          hint: expect.stringContaining(String(self.pid)),
        })
      }
      await first.check(lease)
    })
  })
}

/** What giving a run up means. */
export function describeRelease(stores: Stores): void {
  describe('releasing a run', () => {
    it('lets anybody take it at once and ends the right to append', async () => {
      const store = await stores.open()
      const lease = await store.create(newRun('a'), self)
      await store.release(lease, 'waiting')
      await expect(store.append(lease, steps(1, 1), [], 'normal')).rejects.toMatchObject({
        code: 'fenced',
      })
      await expect(store.check(lease)).rejects.toMatchObject({ code: 'fenced' })
      expect((await store.acquire('a', self)).epoch).toBe(2)
      expect(await read(store, 'a')).toEqual([])
    })

    it('is harmless when the lease was lost or already released', async () => {
      const store = await stores.open()
      const lost = await store.create(newRun('a'), deadOwner)
      const lease = await store.acquire('a', self)
      await store.release(lost, 'failed')
      expect((await store.get('a')).status).toBe('running')
      await store.check(lease)
      await store.release(lease, 'waiting')
      await store.release(lease, 'interrupted')
      expect((await store.get('a')).status).toBe('waiting')
    })
  })
}

function describeTimeout(stores: Stores): void {
  describe('a run whose process cannot be seen from here', () => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
    })
    afterEach(() => {
      vi.useRealTimers()
    })

    it('is busy until its lease was not renewed for 30 seconds', async () => {
      const [first, second] = [await stores.open(), await stores.open()]
      await first.create(newRun('a'), distantOwner)
      await first.close()
      vi.advanceTimersByTime(29_000)
      await expect(second.acquire('a', self)).rejects.toMatchObject({
        code: 'run_busy',
        hint: expect.stringMatching(/process 7 .*1 s/),
      })
      await expect(second.remove('a')).rejects.toMatchObject({ code: 'run_busy' })
      expect((await second.get('a')).status).toBe('running')
      vi.advanceTimersByTime(1_001)
      expect((await second.get('a')).status).toBe('interrupted')
      expect((await second.acquire('a', self)).epoch).toBe(2)
    })

    it('is kept by its appends', async () => {
      const [first, second] = [await stores.open(), await stores.open()]
      const lease = await first.create(newRun('a'), distantOwner)
      await first.close()
      for (let turn = 1; turn <= 4; turn++) {
        vi.advanceTimersByTime(20_000)
        await second.append(lease, steps(turn, turn), [], 'normal')
      }
      await expect(second.acquire('a', self)).rejects.toMatchObject({ code: 'run_busy' })
    })

    it('is kept by its open store while it thinks, and no longer once that store is closed', async () => {
      const [first, second] = [await stores.open(), await stores.open()]
      await first.create(newRun('a'), distantOwner)
      vi.advanceTimersByTime(300_000)
      await expect(second.acquire('a', self)).rejects.toMatchObject({ code: 'run_busy' })
      await first.close()
      expect(vi.getTimerCount()).toBe(0)
      vi.advanceTimersByTime(31_000)
      expect((await second.acquire('a', self)).epoch).toBe(2)
    })
  })
}
