import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createDocumentReader } from './document-reader.ts'
import { maxProcesses } from './worker-limits.ts'

const reader = createDocumentReader()
let started: ChildProcess[] = []
const count = (message: unknown) => {
  started.push((message as { process: ChildProcess }).process)
}
subscribe('child_process', count)
beforeEach(() => {
  started = []
})
afterAll(async () => {
  unsubscribe('child_process', count)
  await reader.close()
})

const bytes = Buffer.from('name,height\noak,12\nlime,9\n')
const read = () => reader.read(bytes, '/trees.csv', 'csv', { timeoutMs: 20_000 })

describe('processes that read documents', () => {
  it('are used again, end when there is nothing to read for a while, and start again', async () => {
    const first = await read()
    expect(first.ok).toBe(true)
    expect(await read()).toEqual(first)
    expect(started).toHaveLength(1)
    await once(started[0] as ChildProcess, 'exit')
    expect(await read()).toEqual(first)
    expect(started).toHaveLength(2)
  })

  it('are started ahead', async () => {
    const other = createDocumentReader()
    other.prepare('csv')
    expect(started).toHaveLength(1)
    expect((await other.read(bytes, '/trees.csv', 'csv', { timeoutMs: 20_000 })).ok).toBe(true)
    await other.close()
    expect(started).toHaveLength(1)
  })

  it('are replaced without a word when they end between files', async () => {
    const other = createDocumentReader()
    const readAgain = () => other.read(bytes, '/trees.csv', 'csv', { timeoutMs: 20_000 })
    await readAgain()
    started[0]?.kill('SIGKILL')
    expect((await readAgain()).ok).toBe(true)
    expect((await readAgain()).ok).toBe(true)
    await other.close()
    expect(started).toHaveLength(2)
  })
  it('are not waited for by who is stopped meanwhile', async () => {
    const other = createDocumentReader()
    const readWith = (signal?: AbortSignal) =>
      other.read(bytes, '/trees.csv', 'csv', { timeoutMs: 20_000, signal })
    const busy = Array.from({ length: maxProcesses }, () => readWith())
    const stop = new AbortController()
    const waiting = readWith(stop.signal).catch(() => 'stopped')
    stop.abort()
    expect(await Promise.race([waiting, ...busy])).toBe('stopped')
    await Promise.all(busy)
    await other.close()
  })
})
