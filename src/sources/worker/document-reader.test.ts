import type { Worker } from 'node:worker_threads'
import { afterAll, describe, expect, it } from 'vitest'
import { createDocumentReader } from './document-reader.ts'

const reader = createDocumentReader()
const started: Worker[] = []
const count = (worker: Worker) => started.push(worker)
process.on('worker', count)
afterAll(async () => {
  process.off('worker', count)
  await reader.close()
})

const bytes = Buffer.from('name,height\noak,12\nlime,9\n')
const read = () => reader.read(bytes, '/trees.csv', 'csv', { timeoutMs: 20_000 })

describe('workers that read documents', () => {
  it('are used again, end when there is nothing to read for a while, and start again', async () => {
    const first = await read()
    expect(first.ok).toBe(true)
    expect(await read()).toEqual(first)
    expect(started).toHaveLength(1)
    await new Promise((resolve) => started[0]?.once('exit', resolve))
    expect(await read()).toEqual(first)
    expect(started).toHaveLength(2)
  })
})
