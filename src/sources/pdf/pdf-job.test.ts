import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../../kernel/json.ts'
import { runInWorker, startPdfWorker } from './pdf-job.ts'

const bytes = new Uint8Array()
const request = { bytes, contentHash: sha256(bytes), fallbackTitle: 'a', timeoutMs: 20_000 }
const never = new AbortController().signal

async function refusalBy(script: string, timeoutMs = 20_000) {
  const resourceLimits = { maxOldGenerationSizeMb: 32 }
  const worker = new Worker(script, { eval: true, resourceLimits, stderr: true })
  const { reply, isWorkerLost } = await runInWorker(worker, { ...request, timeoutMs }, never)
  return { isWorkerLost, ...(reply.type === 'unreadable' ? reply.unreadable : {}) }
}

describe('one file in a worker', () => {
  it('is broken when it throws where nothing catches', async () => {
    expect(await refusalBy('throw new Error("a bad table.")')).toMatchObject({
      reason: 'broken',
      detail: 'Its reader failed: a bad table.',
      isWorkerLost: true,
    })
  })

  it('is broken when the worker just ends', async () => {
    expect(await refusalBy('process.exit(3)')).toMatchObject({
      reason: 'broken',
      isWorkerLost: true,
    })
  })

  it('is too large when it fills the heap', async () => {
    const script = 'const kept = []; for (;;) kept.push(new Array(10_000).fill(kept.length + 0.5))'
    expect(await refusalBy(script)).toMatchObject({ reason: 'too_large', isWorkerLost: true })
  })

  it('is too large when it fills memory outside the heap', async () => {
    const script = 'const kept = []; setInterval(() => kept.push(Buffer.alloc(64_000_000)), 5)'
    expect(await refusalBy(script)).toMatchObject({ reason: 'too_large', isWorkerLost: true })
  })

  it('is timed out when it never answers', async () => {
    expect(await refusalBy('for (;;);', 300)).toMatchObject({
      reason: 'timed_out',
      isWorkerLost: true,
    })
  })

  it('gets more time when it has very many pages', async () => {
    const answer = "{ type: 'unreadable', unreadable: { reason: 'no_text', detail: '', hint: '' } }"
    const script = `const { parentPort } = require('node:worker_threads')
      parentPort.postMessage({ type: 'opened', pageCount: 1_000 })
      setTimeout(() => parentPort.postMessage(${answer}), 900)`
    expect(await refusalBy(script, 500)).toMatchObject({ reason: 'no_text', isWorkerLost: false })
  })

  it('fails with the reason of the signal', async () => {
    const reason = new Error('stopped')
    const stop = new AbortController()
    const running = runInWorker(new Worker('for (;;);', { eval: true }), request, stop.signal)
    stop.abort(reason)
    await expect(running).rejects.toBe(reason)
  })

  it('is answered by the true worker', async () => {
    const worker = startPdfWorker()
    const { reply, isWorkerLost } = await runInWorker(worker, request, never)
    expect(reply).toMatchObject({ type: 'unreadable', unreadable: { reason: 'broken' } })
    expect(isWorkerLost).toBe(false)
    await worker.terminate()
  })
})
