import { describe, expect, it } from 'vitest'
import { type Json, sha256 } from '../../src/kernel/json.ts'
import { isKnownEvent, maxInlineBytes, type NewEvent } from '../../src/kernel/run/event.ts'
import { newRun, read, type Stores, self, stepDone, steps } from './run-store-fixture.ts'

/** What is appended to a log and read from it. */
export function describeLog(stores: Stores): void {
  describeAppending(stores)
  describeReading(stores)
  describeOutputs(stores)
  describeSize(stores)
}

function describeAppending(stores: Stores): void {
  describe('appending', () => {
    it('numbers events from 1 without gaps, in the order given, and resolves with them as stored', async () => {
      const store = await stores.open()
      const lease = await store.create(newRun('a'), self)
      const stored = [
        ...(await store.append(lease, steps(1, 3), [], 'normal')),
        ...(await store.append(lease, steps(4, 4), [], 'full')),
        ...(await store.append(lease, [], [], 'normal')),
        ...(await store.append(lease, steps(5, 9), [], 'normal')),
      ]
      expect(stored.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
      expect(stored[6]).toEqual({ v: 1, runId: 'a', seq: 7, epoch: 1, ...steps(7, 7)[0] })
      expect(await read(store, 'a')).toEqual(stored)
    })

    it('stores all of a batch or nothing', async () => {
      const store = await stores.open()
      const lease = await store.create(newRun('a'), self)
      const batch = [...steps(1, 3), stepDone('half a character \ud83d')]
      const blobs = [{ hash: sha256('kept'), text: 'kept' }]
      await expect(store.append(lease, batch, blobs, 'normal')).rejects.toMatchObject({
        code: 'invalid_input',
      })
      expect(await read(store, 'a')).toEqual([])
      expect(await store.blob('a', sha256('kept'))).toBeUndefined()
      const [event] = await store.append(lease, steps(1, 1), [], 'normal')
      expect(event?.seq).toBe(1)
    })

    it('takes appends of two stores at once, to one run and to several', async () => {
      const [first, second] = [await stores.open(), await stores.open()]
      const shared = await first.create(newRun('shared'), self)
      const own = await second.create(newRun('own'), self)
      const appends = Array.from({ length: 60 }, (_, index) => [
        first.append(shared, steps(index, index), [], 'normal'),
        second.append(shared, steps(index, index), [], index % 10 === 0 ? 'full' : 'normal'),
        second.append(own, steps(index, index), [], 'normal'),
      ])
      await Promise.all(appends.flat())
      const seqs = (await read(first, 'shared')).map(({ seq }) => seq)
      expect(seqs).toEqual(Array.from({ length: 120 }, (_, index) => index + 1))
      expect((await read(first, 'own')).map(({ output }) => output)).toEqual(
        Array.from({ length: 60 }, (_, i) => i),
      )
    })

    it('keeps text under its hash, the same text twice as one', async () => {
      const store = await stores.open()
      const lease = await store.create(newRun('a'), self)
      const text = JSON.stringify('é 😀 \u0000 '.repeat(5_000))
      const blob = { hash: sha256(text), text }
      await store.append(lease, steps(1, 1), [blob, blob], 'normal')
      await store.append(lease, steps(2, 2), [blob], 'normal')
      expect(await store.blob('a', blob.hash)).toBe(text)
      expect(await store.blob('a', sha256('another'))).toBeUndefined()
    })
  })
}

function describeReading(stores: Stores): void {
  describe('reading', () => {
    it('starts after a sequence number and keeps to the types asked for', async () => {
      const store = await stores.open()
      const lease = await store.create(newRun('a'), self)
      const slow = { level: 'info', component: 'n', text: 'slow' } as const
      const notice = { key: 'n', type: 'notice', data: slow, ts: 1 } as const
      await store.append(lease, [...steps(1, 2), notice, ...steps(4, 5), notice], [], 'normal')
      const seqs = async (filter: Parameters<typeof read>[2]) =>
        (await read(store, 'a', filter)).map(({ seq }) => seq)
      expect(await seqs({ afterSeq: 4 })).toEqual([5, 6])
      expect(await seqs({ types: ['notice'] })).toEqual([3, 6])
      expect(await seqs({ types: ['notice', 'step.done'], afterSeq: 2 })).toEqual([3, 4, 5, 6])
      expect(await seqs({ types: [] })).toEqual([])
      expect(await seqs({ afterSeq: 6 })).toEqual([])
    })

    it('passes on types that a newer version added, as they are', async () => {
      const store = await stores.open()
      const lease = await store.create(newRun('a'), self)
      const newer = { key: 'k', type: 'step.paused', data: { until: 'noon' }, ts: 1 }
      await store.append(lease, [newer as never, ...steps(1, 1)], [], 'normal')
      const events = await read(store, 'a')
      expect(events[0]).toMatchObject(newer)
      expect(events.map((event) => isKnownEvent(event))).toEqual([false, true])
    })

    it('gives every event of a long log once, also while it grows', async () => {
      const store = await stores.open()
      const lease = await store.create(newRun('a'), self)
      await store.append(lease, steps(1, 3_000), [], 'normal')
      const seen: number[] = []
      for await (const event of store.events('a')) {
        seen.push(event.seq)
        if (event.seq === 10) await store.append(lease, steps(3_001, 3_001), [], 'normal')
      }
      expect(seen).toEqual(Array.from({ length: seen.length }, (_, index) => index + 1))
      expect(seen.length).toBeGreaterThanOrEqual(3_000)
      expect(await read(store, 'a', { withOutput: false, types: ['step.done'] })).toHaveLength(
        3_001,
      )
    })

    it('leaves outputs out when asked to, but says where the large ones are', async () => {
      const store = await stores.open()
      const lease = await store.create(newRun('a'), self)
      await store.append(
        lease,
        [stepDone('small', 1), stepDone('large', 'x'.repeat(20_000))],
        [],
        'normal',
      )
      const [small, large] = await read(store, 'a', { withOutput: false })
      expect(small).toMatchObject({ key: 'small', data: { name: 'model' } })
      expect(small).not.toHaveProperty('output')
      expect(large).not.toHaveProperty('output')
      expect(large?.blob?.sizeBytes).toBe(20_002)
    })
  })
}

const values: readonly [string, Json][] = [
  ['null', null],
  ['false', false],
  ['zero', 0],
  ['empty text', ''],
  ['numbers', [1e21, -0.1, 5e-324, 2 ** 53]],
  ['nested', { a: [{ b: [[], {}] }], '': null, 'key 漢': 'é' }],
  ['emoji and other planes', '😀 𝒳 漢 é \u2028'],
  ['null bytes and controls', 'a\u0000b\u0001\u001f\u007f'],
  ['half surrogate pairs', ['\ud83d', 'x\udc00y', { '\ud800': 1 }]],
]

function describeOutputs(stores: Stores): void {
  describe('an output', () => {
    it.each(values)('of %s comes back equal, small and large', async (_name, value) => {
      const store = await stores.open()
      const lease = await store.create(newRun('a'), self)
      const large = { value, filler: 'x'.repeat(maxInlineBytes) }
      await store.append(lease, [stepDone('small', value), stepDone('large', large)], [], 'normal')
      expect(await store.output('a', 1)).toEqual(value)
      expect(await store.output('a', 2)).toEqual(large)
      const events = await read(store, 'a')
      expect(events.map(({ output }) => output)).toEqual([value, large])
    })

    it('stays in the event up to 16,384 characters of JSON and is a blob above', async () => {
      const store = await stores.open()
      const lease = await store.create(newRun('a'), self)
      const [inside, outside] = ['é'.repeat(maxInlineBytes - 2), 'é'.repeat(maxInlineBytes - 1)]
      const stored = await store.append(
        lease,
        [stepDone('1', inside), stepDone('2', outside)],
        [],
        'normal',
      )
      const events = await read(store, 'a')
      expect(events).toEqual(stored)
      expect(events[0]).not.toHaveProperty('blob')
      const json = JSON.stringify(outside)
      expect(events[1]?.blob).toEqual({
        hash: sha256(json),
        sizeBytes: 2 * maxInlineBytes,
        mediaType: 'application/json',
        preview: json.slice(0, 200),
      })
      expect(await store.blob('a', sha256(json))).toBe(json)
      expect(await store.output('a', 2)).toBe(outside)
    })

    it('is undefined for an event without one and for an event that is not there', async () => {
      const store = await stores.open()
      const lease = await store.create(newRun('a'), self)
      const [event] = await store.append(lease, [stepDone('none')], [], 'normal')
      expect(event).not.toHaveProperty('output')
      expect((await read(store, 'a'))[0]).not.toHaveProperty('output')
      for (const seq of [1, 2, 0, -1, 1.5]) expect(await store.output('a', seq)).toBeUndefined()
    })
  })
}

function describeSize(stores: Stores): void {
  describe('its size', () => {
    it('tells how much a run has of its own, also to a store that did not append it', async () => {
      const store = await stores.open()
      const lease = await store.create(newRun('a'), self)
      expect(await store.sizeBytes(lease)).toBe(0)
      const large = 'é'.repeat(maxInlineBytes)
      const blob = { hash: sha256('kept €'), text: 'kept €' }
      const [event] = steps(1, 1) as [NewEvent]
      await store.append(lease, [event, { ...event, output: large }], [blob, blob], 'normal')
      const each = event.key.length + JSON.stringify(event.data).length
      const once = 2 * maxInlineBytes + 2 + 8
      const first = 2 * each + JSON.stringify(event.output).length + once
      expect(await store.sizeBytes(lease)).toBe(first)
      await store.append(lease, [{ ...event, output: large }], [blob], 'normal')
      expect(await store.sizeBytes(lease)).toBe(first + each)
      await expect(store.append(lease, [stepDone('\ud83d')], [], 'normal')).rejects.toThrow()
      expect(await store.sizeBytes(lease)).toBe(first + each)
      await store.release(lease, 'answered')
      const again = await stores.open()
      expect(await again.sizeBytes(await again.acquire('a', self))).toBe(first + each)
      const fork = newRun('b', { parent: { runId: 'a', seq: 3 } })
      expect(await again.sizeBytes(await again.create(fork, self))).toBe(0)
    })
  })
}
