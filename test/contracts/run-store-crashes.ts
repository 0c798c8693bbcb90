import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { RunStore } from '../../src/kernel/run/run-store.ts'
import { newRun, read, type Stores, self, steps } from './run-store-fixture.ts'

/** What is left after a real process was killed while it appended. */
export function describeCrashes(stores: Stores, module: string): void {
  describe('a process that is killed while it appends', () => {
    it.each([1, 30, 200])(
      'leaves everything that it had acknowledged, after %i appends',
      async (count) => {
        const store = await stores.open()
        const beside = await store.create(newRun('beside'), self)
        const appender = startAppender(module, stores.place, 'killed')
        const acknowledged = await acknowledgedUntil(appender, count, async (done) => {
          if (done % 10 === 1) await store.append(beside, steps(done, done), [], 'normal')
        })
        expect(acknowledged).toBeGreaterThanOrEqual(count)
        await expectWhole(store, 'killed', acknowledged)
      },
    )

    it('is refused its run while it lives and loses it as soon as it is dead', async () => {
      const store = await stores.open()
      const appender = startAppender(module, stores.place, 'killed')
      let refusal: unknown
      await acknowledgedUntil(appender, 5, async (done) => {
        if (done === 1)
          refusal = await store.acquire('killed', self).catch((error: unknown) => error)
      })
      expect(refusal).toMatchObject({
        code: 'run_busy',
        hint: expect.stringContaining(String(appender.pid)),
      })
      expect((await store.get('killed')).status).toBe('interrupted')
      const lease = await store.acquire('killed', self)
      const { lastSeq } = await store.get('killed')
      const [event] = await store.append(lease, steps(1, 1), [], 'full')
      expect(event).toMatchObject({ epoch: 2, seq: lastSeq + 1 })
    })
  })
}

function startAppender(module: string, place: string, runId: string): ChildProcess {
  const script = fileURLToPath(new URL('./run-store-appender.ts', import.meta.url))
  return spawn(process.execPath, [script, module, place, runId], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

/** Kills the appender at its `count`th line; the highest sequence number that it had written out by then. */
async function acknowledgedUntil(
  appender: ChildProcess,
  count: number,
  onLine: (done: number) => Promise<void>,
): Promise<number> {
  let [acknowledged, done] = [0, 0]
  const closed = once(appender, 'close')
  for await (const line of createInterface({ input: appender.stdout as NodeJS.ReadableStream })) {
    acknowledged = Number(line)
    done++
    await onLine(done)
    if (done === count) appender.kill('SIGKILL')
  }
  await closed
  return acknowledged
}

async function expectWhole(store: RunStore, runId: string, acknowledged: number): Promise<void> {
  const events = await read(store, runId)
  expect(events.length).toBeGreaterThanOrEqual(acknowledged)
  // An append of the script is two events and a blob: all or nothing of it is there.
  expect(events.length % 2).toBe(0)
  for (const [index, { seq, key, output }] of events.entries()) {
    expect(seq).toBe(index + 1)
    expect(output).toBe(key.repeat(seq % 2 === 0 ? 4_000 : 10))
    if (seq % 2 === 0) expect(await store.blob(runId, key as never)).toBe(key)
  }
}
