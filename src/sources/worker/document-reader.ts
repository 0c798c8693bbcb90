import { basename, extname } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { ScholiumError } from '../../kernel/errors.ts'
import { sha256 } from '../../kernel/json.ts'
import type { Reading, ReadOutcome } from '../document.ts'
import { runInWorker, startReadWorker } from './read-job.ts'
import type { WorkRequest } from './read-messages.ts'
import type { WorkerKind } from './readers.ts'
import { IDLE_WORKER_MS, MAX_WORKERS } from './worker-limits.ts'

/**
 * Reads files in worker threads, which start on first use, are used again, end when there is nothing to read for a while, and do
 * not keep the process alive.
 */
export interface DocumentReader {
  /**
   * What the bytes of a file hold. One that hangs, crashes or swells ends its worker and comes back as a value.
   *
   * @throws the signal's reason when it is aborted, {@link ScholiumError} `cancelled` when the reader was closed.
   */
  read(
    bytes: Uint8Array,
    path: string,
    kind: WorkerKind,
    options: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  ): Promise<ReadOutcome>
  /** Ends the workers; reads that still run fail. */
  close(): Promise<void>
}

/** A reader with up to two workers. */
export function createDocumentReader(): DocumentReader {
  const slots: Slot[] = Array.from({ length: MAX_WORKERS }, () => ({
    worker: undefined,
    idleTimer: undefined,
  }))
  const idle = [...slots]
  const waiting: ((slot: Slot) => void)[] = []
  const closing = new AbortController()

  const take = async (): Promise<Slot> =>
    idle.pop() ?? new Promise((resolve) => waiting.push(resolve))
  const giveBack = (slot: Slot): void => {
    const next = waiting.shift()
    if (next !== undefined) {
      next(slot)
      return
    }
    idle.push(slot)
    slot.idleTimer = setTimeout(() => void endWorker(slot), IDLE_WORKER_MS).unref()
  }

  return {
    async read(bytes, path, kind, { timeoutMs, signal }) {
      const contentHash = sha256(bytes)
      const stop = signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal])
      const slot = await take()
      clearTimeout(slot.idleTimer)
      try {
        stop.throwIfAborted()
        const fallbackTitle = basename(path, extname(path))
        const request = { bytes, kind, contentHash, path, fallbackTitle, timeoutMs }
        const reading = await readIn(slot, request, stop)
        if (!reading.ok) return { ...reading, path }
        const sizeBytes = bytes.length
        return {
          ok: true,
          path,
          document: { contentHash, kind, sizeBytes, ...reading.content },
        }
      } finally {
        giveBack(slot)
      }
    },
    async close() {
      closing.abort(new ScholiumError('cancelled', 'The reader was closed.'))
      await Promise.all(slots.map(endWorker))
    },
  }
}

/** A place for a worker: empty until the first file, after a worker was lost and when it was idle for a while. */
interface Slot {
  worker: Worker | undefined
  idleTimer: NodeJS.Timeout | undefined
}

async function endWorker(slot: Slot): Promise<void> {
  clearTimeout(slot.idleTimer)
  const { worker } = slot
  slot.worker = undefined
  await worker?.terminate()
}

async function readIn(slot: Slot, request: WorkRequest, stop: AbortSignal): Promise<Reading> {
  const worker = slot.worker ?? startIn(slot)
  try {
    const { reading, isWorkerLost } = await runInWorker(worker, request, stop)
    if (isWorkerLost) slot.worker = undefined
    return reading
  } catch (error) {
    slot.worker = undefined
    throw error
  }
}

function startIn(slot: Slot): Worker {
  const worker = startReadWorker()
  slot.worker = worker
  return worker.once('exit', () => {
    if (slot.worker === worker) slot.worker = undefined
  })
}
