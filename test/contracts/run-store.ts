import { describe, expect, it } from 'vitest'
import type { NewEvent } from '../../src/kernel/run/event.ts'
import type { Lease, RunStore } from '../../src/kernel/run/run-store.ts'
import { describeCrashes } from './run-store-crashes.ts'
import { describeFamilies } from './run-store-families.ts'
import {
  deadOwner,
  newRun,
  type OpenRunStore,
  read,
  type Stores,
  self,
  stepDone,
  steps,
  useStores,
} from './run-store-fixture.ts'
import { describeLeases } from './run-store-leases.ts'
import { describeLog } from './run-store-log.ts'

/**
 * What every implementation of `RunStore` keeps to.
 *
 * @param module the URL of a module that exports `openStore` as `openRunStore`, for processes that are killed
 */
export function describeRunStore(name: string, openStore: OpenRunStore, module: string): void {
  describe(name, () => {
    const stores = useStores(openStore)
    describeRuns(stores)
    describeLists(stores)
    describeStatus(stores)
    describeRefusals(stores)
    describeLog(stores)
    describeLeases(stores)
    describeFamilies(stores)
    describeCrashes(stores, module)
  })
}

function describeRuns(stores: Stores): void {
  describe('runs', () => {
    it('start at epoch 1, running, with no events', async () => {
      const store = await stores.open()
      expect(await store.create(newRun('a'), self)).toEqual({ runId: 'a', epoch: 1 })
      expect(await store.get('a')).toEqual({
        ...newRun('a'),
        status: 'running',
        updatedAt: 1_000,
        epoch: 1,
        lastSeq: 0,
      })
      expect(await read(store, 'a')).toEqual([])
    })

    it('show their last event and when it was', async () => {
      const store = await stores.open()
      const lease = await store.create(newRun('a'), self)
      await store.append(lease, [...steps(1, 3), { ...stepDone('late'), ts: 9_000 }], [], 'normal')
      expect(await store.get('a')).toMatchObject({ lastSeq: 4, createdAt: 1_000, updatedAt: 9_000 })
    })

    it('keep a title of any characters, null bytes and half a surrogate pair replaced', async () => {
      const store = await stores.open()
      const title = 'é 漢 😀 \u0000 \' " ; DROP TABLE runs'
      await store.create(newRun('a', { title }), self)
      await store.create(newRun('b', { title: 'half \ud83d' }), self)
      expect((await store.get('a')).title).toBe(title.replace('\u0000', '\ufffd'))
      expect((await store.get('b')).title).toBe('half \ufffd')
    })

    it('are all there when the store is opened again', async () => {
      const store = await stores.open()
      const lease = await store.create(newRun('a'), self)
      await store.append(lease, steps(1, 3), [], 'normal')
      await store.release(lease, 'answered')
      const [before, events] = [await store.get('a'), await read(store, 'a')]
      await store.close()
      const again = await stores.open()
      expect(await again.get('a')).toEqual(before)
      expect(await read(again, 'a')).toEqual(events)
    })
  })
}

function describeLists(stores: Stores): void {
  describe('runs in a list', () => {
    it('stand newest first, of two made at the same time the later one first', async () => {
      const store = await stores.open()
      for (const [runId, createdAt] of [
        ['b', 20],
        ['c', 30],
        ['a', 10],
        ['d', 20],
      ] as const) {
        await store.create(newRun(runId, { createdAt }), self)
      }
      expect((await store.list()).map(({ runId }) => runId)).toEqual(['c', 'd', 'b', 'a'])
      expect((await store.list({ limit: 2 })).map(({ runId }) => runId)).toEqual(['c', 'd'])
    })

    it('come page by page, each after the last run of the page before, even if it is gone', async () => {
      const store = await stores.open()
      const times = { a: 10, b: 20, d: 20, c: 30 }
      for (const [runId, createdAt] of Object.entries(times)) {
        const lease = await store.create(newRun(runId, { createdAt }), self)
        await store.release(lease, 'answered')
      }
      const listedAfter = async (runId: keyof typeof times, limit?: number) => {
        const page = { after: { runId, createdAt: times[runId] }, ...(limit && { limit }) }
        return (await store.list(page)).map((run) => run.runId)
      }
      expect(await listedAfter('c', 2)).toEqual(['d', 'b'])
      expect(await listedAfter('d')).toEqual(['b', 'a'])
      expect(await listedAfter('a')).toEqual([])
      await store.remove('c')
      expect(await listedAfter('c')).toEqual(['d', 'b', 'a'])
    })
  })
}

function describeStatus(stores: Stores): void {
  describe('the status of a run', () => {
    it('is interrupted when it was running and its process has ended', async () => {
      const store = await stores.open()
      await store.create(newRun('a'), deadOwner)
      expect((await store.get('a')).status).toBe('interrupted')
      expect((await store.list()).map(({ status }) => status)).toEqual(['interrupted'])
    })

    it('is what it was released with', async () => {
      const store = await stores.open()
      await store.release(await store.create(newRun('a'), self), 'partial')
      expect((await store.get('a')).status).toBe('partial')
    })

    it('follows from its events when its process ended before it let go', async () => {
      const store = await stores.open()
      const lease = await store.create(newRun('a'), deadOwner)
      const add = (type: 'run.waiting' | 'run.resumed' | 'run.finished', data = {}) =>
        store.append(
          lease,
          [{ key: '', type, data, ts: 2_000 } as NewEvent, ...steps(1, 1)],
          [],
          'normal',
        )
      await add('run.waiting')
      expect((await store.get('a')).status).toBe('waiting')
      await add('run.resumed')
      expect((await store.get('a')).status).toBe('interrupted')
      await add('run.finished', { status: 'answered' })
      expect((await store.get('a')).status).toBe('answered')
    })

    it('is running again once an interrupted run was taken over; an ended one stays ended', async () => {
      const store = await stores.open()
      for (const status of ['interrupted', 'answered'] as const) {
        await store.release(await store.create(newRun(status), self), status)
        await store.acquire(status, self)
      }
      expect((await store.get('interrupted')).status).toBe('running')
      expect((await store.get('answered')).status).toBe('answered')
    })
  })
}

/** Every method that names a run. */
function callsOn(store: RunStore, runId: string): readonly (() => Promise<unknown>)[] {
  const lease: Lease = { runId, epoch: 1 }
  return [
    () => store.acquire(runId, self),
    () => store.append(lease, steps(1, 1), [], 'normal'),
    () => store.check(lease),
    () => store.release(lease, 'answered'),
    () => store.get(runId),
    () => read(store, runId),
    () => store.output(runId, 1),
    () => store.blob(runId, 'hash' as never),
    () => store.remove(runId),
  ]
}

function describeRefusals(stores: Stores): void {
  describe('every method', () => {
    it('says that a run is not there', async () => {
      const store = await stores.open()
      for (const call of callsOn(store, 'nowhere'))
        await expect(call()).rejects.toMatchObject({ code: 'run_not_found' })
    })

    it.each(['', '../a', 'a b', '-a', 'a\u0000', 'é', 'x'.repeat(129)])(
      'refuses the run id %j',
      async (runId) => {
        const store = await stores.open()
        const calls = [...callsOn(store, runId), () => store.create(newRun(runId), self)]
        for (const call of calls)
          await expect(call()).rejects.toMatchObject({ code: 'invalid_input' })
      },
    )

    it('fails once the store was closed, and closing twice is harmless', async () => {
      const store = await stores.open()
      await store.create(newRun('a'), self)
      await store.close()
      await store.close()
      for (const call of callsOn(store, 'a'))
        await expect(call()).rejects.toMatchObject({ code: 'store_failed' })
    })

    it('refuses to start a run under an id that is taken', async () => {
      const store = await stores.open()
      const lease = await store.create(newRun('a'), self)
      await expect(store.create(newRun('a'), self)).rejects.toMatchObject({ code: 'invalid_input' })
      await store.check(lease)
    })
  })
}
