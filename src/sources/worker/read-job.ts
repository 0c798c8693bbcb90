import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Reading, Unreadable } from '../document.ts'
import { crashed, timedOut, tooMuchMemory } from './job-refusals.ts'
import type { WorkReply, WorkRequest } from './read-messages.ts'
import {
  MAX_START_MS,
  MEMORY_CHECK_INTERVAL_MS,
  WORKER_MEMORY_MB,
  WORKER_YOUNG_MB,
} from './worker-limits.ts'

/** What came of one file. When the worker is lost it was ended, and another must take its place. */
export interface JobResult {
  readonly reading: Reading
  readonly isWorkerLost: boolean
}

const BYTES_PER_MB = 1024 * 1024

/** A worker that reads files, with its memory bounded and what it prints held back. */
export function startReadWorker(): Worker {
  const file = new URL(`./read-worker${extname(import.meta.url)}`, import.meta.url)
  const resourceLimits = {
    maxOldGenerationSizeMb: WORKER_MEMORY_MB,
    maxYoungGenerationSizeMb: WORKER_YOUNG_MB,
  }
  const silent = { stdout: true, stderr: true }
  const worker = new Worker(file, { env: {}, execArgv: [], resourceLimits, ...silent })
  worker.on('error', () => {}) // Between files nobody else listens, and an error without a listener ends the process.
  worker.unref()
  return worker
}

/**
 * Has a worker read one file; the worker is ended when the file takes too long, takes too much memory or crashes it. The
 * file's time is counted from when its reader is loaded.
 *
 * @throws the signal's reason when it is aborted.
 */
export function runInWorker(
  worker: Worker,
  request: WorkRequest,
  stop: AbortSignal,
): Promise<JobResult> {
  return new Promise((resolve, reject) => {
    let begunAt = performance.now()
    let limitMs = request.timeoutMs
    const end = () => {
      clearTimeout(timer)
      clearInterval(memoryCheck)
      stop.removeEventListener('abort', onAbort)
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      worker.unref()
    }
    const lose = (unreadable: Unreadable) => {
      end()
      void worker.terminate()
      resolve({ reading: { ok: false, unreadable }, isWorkerLost: true })
    }
    const onTimeUp = () => lose(timedOut(request.kind, limitMs))
    const onMessage = (reply: WorkReply) => {
      if (reply.type === 'done') {
        end()
        return resolve({ reading: reply.reading, isWorkerLost: false })
      }
      if (reply.type === 'begun') begunAt = performance.now()
      else limitMs = reply.limitMs
      clearTimeout(timer)
      timer = setTimeout(onTimeUp, limitMs - (performance.now() - begunAt))
    }
    const onError = (error: Error & { code?: string }) =>
      lose(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? tooMuchMemory(request.kind)
          : crashed(request.kind, error.message),
      )
    const onExit = (code: number) => lose(crashed(request.kind, `it ended with code ${code}`))
    const onAbort = () => {
      end()
      void worker.terminate()
      reject(stop.reason)
    }
    let timer = setTimeout(onTimeUp, MAX_START_MS)
    const memoryCheck = watchBuffers(worker, () => lose(tooMuchMemory(request.kind)))
    stop.addEventListener('abort', onAbort)
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
    worker.ref()
    worker.postMessage(request)
  })
}

/** Buffers lie outside the heap that `resourceLimits` bounds, so unpacked streams are watched from here. */
function watchBuffers(worker: Worker, onTooLarge: () => void): NodeJS.Timeout {
  return setInterval(() => {
    worker.getHeapStatistics().then(
      ({ external_memory: bytes }) => {
        if (bytes > WORKER_MEMORY_MB * BYTES_PER_MB) onTooLarge()
      },
      () => {}, // The worker has just ended, which its own events tell.
    )
  }, MEMORY_CHECK_INTERVAL_MS)
}
