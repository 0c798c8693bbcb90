import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Unreadable } from '../document.ts'
import { MEMORY_CHECK_INTERVAL_MS, timeLimitMs, WORKER_MEMORY_MB } from './pdf-limits.ts'
import type { PdfAnswer, PdfReply, PdfRequest } from './pdf-messages.ts'
import { withoutStop } from './pdf-troubles.ts'

/** What came of one file. When the worker is lost it was ended, and another must take its place. */
export interface PdfJobResult {
  readonly reply: PdfAnswer
  readonly isWorkerLost: boolean
}

const BYTES_PER_MB = 1024 * 1024

/** A worker for PDFs, with its memory bounded and what it prints held back. */
export function startPdfWorker(): Worker {
  const file = new URL(`./pdf-worker${extname(import.meta.url)}`, import.meta.url)
  const resourceLimits = { maxOldGenerationSizeMb: WORKER_MEMORY_MB }
  const silent = { stdout: true, stderr: true }
  const worker = new Worker(file, { env: {}, execArgv: [], resourceLimits, ...silent })
  worker.on('error', () => {}) // Between files nobody else listens, and an error without a listener ends the process.
  worker.unref()
  return worker
}

/**
 * Has a worker read one file; the worker is ended when the file takes too long, takes too much memory or crashes it.
 *
 * @throws the signal's reason when it is aborted.
 */
export function runInWorker(
  worker: Worker,
  request: PdfRequest,
  stop: AbortSignal,
): Promise<PdfJobResult> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
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
      resolve({ reply: { type: 'unreadable', unreadable }, isWorkerLost: true })
    }
    const onTimeUp = () => lose(timedOut(limitMs))
    const onMessage = (reply: PdfReply) => {
      if (reply.type !== 'opened') {
        end()
        return resolve({ reply, isWorkerLost: false })
      }
      limitMs = timeLimitMs(request.timeoutMs, reply.pageCount)
      clearTimeout(timer)
      timer = setTimeout(onTimeUp, limitMs - (performance.now() - startedAt))
    }
    const onError = (error: Error & { code?: string }) =>
      lose(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : crashed(error.message))
    const onExit = (code: number) => lose(crashed(`it ended with code ${code}`))
    const onAbort = () => {
      end()
      void worker.terminate()
      reject(stop.reason)
    }
    let timer = setTimeout(onTimeUp, limitMs)
    const memoryCheck = watchBuffers(worker, () => lose(tooLarge()))
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

function timedOut(limitMs: number): Unreadable {
  const detail = `Reading it took longer than ${Math.round(limitMs / 100) / 10} s.`
  return {
    reason: 'timed_out',
    detail,
    hint: 'Print it to a new PDF, or split it, and add the result.',
  }
}

function tooLarge(): Unreadable {
  const detail = `Reading it takes more than ${WORKER_MEMORY_MB} MB of memory.`
  return { reason: 'too_large', detail, hint: 'Split it into smaller files and add those.' }
}

function crashed(reason: string): Unreadable {
  const hint = 'Open it in a PDF viewer; if that works, print it to a new PDF and add that.'
  return { reason: 'broken', detail: `Its reader failed: ${withoutStop(reason)}.`, hint }
}
