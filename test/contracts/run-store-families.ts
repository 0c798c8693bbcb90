import { describe, expect, it } from 'vitest'
import type { RunStore } from '../../src/kernel/run/run-store.ts'
import { deadOwner, newRun, read, type Stores, self, stepDone, steps } from './run-store-fixture.ts'

/** Runs that share a prefix, and what that means for removing them. */
export function describeFamilies(stores: Stores): void {
  describeForks(stores)
  describeForkEdges(stores)
  describeRemoval(stores)
}

/** Starts a run that shares `parent`'s events up to `seq` and appends `count` of its own. */
async function fork(
  store: RunStore,
  runId: string,
  parent: string,
  seq: number,
  count: number,
): Promise<void> {
  const lease = await store.create(newRun(runId, { parent: { runId: parent, seq } }), self)
  const own = steps(seq + 1, seq + count).map((event) => ({
    ...event,
    key: `${runId}/${event.key}`,
  }))
  await store.append(lease, own, [], 'normal')
}

async function keys(store: RunStore, runId: string, afterSeq = 0): Promise<readonly string[]> {
  return (await read(store, runId, { afterSeq })).map(({ seq, key }) => `${seq} ${key}`)
}

function describeForks(stores: Stores): void {
  describe('a fork', () => {
    it("has its parent's events up to the fork and its own after them", async () => {
      const store = await stores.open()
      await store.append(await store.create(newRun('a'), self), steps(1, 5), [], 'normal')
      await fork(store, 'b', 'a', 3, 2)
      expect(await keys(store, 'b')).toEqual([
        '1 step/1',
        '2 step/2',
        '3 step/3',
        '4 b/step/4',
        '5 b/step/5',
      ])
      expect(await keys(store, 'b', 2)).toEqual(['3 step/3', '4 b/step/4', '5 b/step/5'])
      expect(await keys(store, 'a')).toHaveLength(5)
      expect(await store.get('b')).toMatchObject({ parent: { runId: 'a', seq: 3 }, lastSeq: 5 })
    })

    it('can be forked itself, before and after the place where it left its parent', async () => {
      const store = await stores.open()
      await store.append(await store.create(newRun('a'), self), steps(1, 5), [], 'normal')
      await fork(store, 'b', 'a', 3, 2)
      await fork(store, 'c', 'b', 4, 1)
      await fork(store, 'd', 'b', 2, 1)
      expect(await keys(store, 'c')).toEqual([
        '1 step/1',
        '2 step/2',
        '3 step/3',
        '4 b/step/4',
        '5 c/step/5',
      ])
      expect(await keys(store, 'd')).toEqual(['1 step/1', '2 step/2', '3 d/step/3'])
      expect(await store.output('d', 2)).toBe(2)
      expect(await store.output('c', 4)).toBe(4)
      expect(await store.output('d', 4)).toBeUndefined()
    })
  })
}

function describeForkEdges(stores: Stores): void {
  describe('a fork', () => {
    it('reads the large outputs and the blobs of its parent', async () => {
      const store = await stores.open()
      const lease = await store.create(newRun('a'), self)
      const blob = { hash: 'of the text' as never, text: 'kept' }
      await store.append(lease, [stepDone('large', 'x'.repeat(20_000))], [blob], 'normal')
      await fork(store, 'b', 'a', 1, 0)
      expect(await store.output('b', 1)).toBe('x'.repeat(20_000))
      expect((await read(store, 'b'))[0]?.output).toBe('x'.repeat(20_000))
      expect(await store.blob('b', blob.hash)).toBe('kept')
      expect(await store.get('b')).toMatchObject({ lastSeq: 1 })
    })

    it("is refused beyond its parent's end and without a parent", async () => {
      const store = await stores.open()
      await store.append(await store.create(newRun('a'), self), steps(1, 2), [], 'normal')
      for (const seq of [3, -1, 1.5]) {
        await expect(fork(store, 'b', 'a', seq, 0)).rejects.toMatchObject({ code: 'invalid_input' })
      }
      await expect(fork(store, 'b', 'nowhere', 1, 0)).rejects.toMatchObject({
        code: 'run_not_found',
      })
    })
  })
}

function describeRemoval(stores: Stores): void {
  describe('removing a run', () => {
    it('takes its events and blobs with it and leaves other runs alone', async () => {
      const store = await stores.open()
      for (const runId of ['a', 'b']) {
        const lease = await store.create(newRun(runId), deadOwner)
        await store.append(
          lease,
          [stepDone('large', 'x'.repeat(20_000))],
          [{ hash: 'h' as never, text: 't' }],
          'normal',
        )
      }
      await store.remove('a')
      await expect(store.get('a')).rejects.toMatchObject({ code: 'run_not_found' })
      expect((await store.list()).map(({ runId }) => runId)).toEqual(['b'])
      expect(await store.output('b', 1)).toBe('x'.repeat(20_000))
      await store.create(newRun('a'), self)
      expect(await read(store, 'a')).toEqual([])
      expect(await store.blob('a', 'h' as never)).toBeUndefined()
    })

    it('is refused while a live process drives it', async () => {
      const store = await stores.open()
      const lease = await store.create(newRun('a'), self)
      await expect(store.remove('a')).rejects.toMatchObject({ code: 'run_busy' })
      await store.release(lease, 'answered')
      await store.remove('a')
    })

    it('is refused while a fork needs it', async () => {
      const store = await stores.open()
      await store.release(await store.create(newRun('a'), self), 'answered')
      const fork = await store.create(newRun('b', { parent: { runId: 'a', seq: 0 } }), self)
      await store.release(fork, 'answered')
      await expect(store.remove('a')).rejects.toMatchObject({
        code: 'run_busy',
        message: expect.stringContaining('b'),
      })
      await store.remove('b')
      await store.remove('a')
    })
  })
}
