import { basename, extname } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { ScholiumError } from '../../kernel/errors.ts'
import { sha256 } from '../../kernel/json.ts'
import type { ReadOutcome } from '../document.ts'
import { runInWorker, startPdfWorker } from './pdf-job.ts'
import { MAX_WORKERS } from './pdf-limits.ts'
import type { PdfAnswer, PdfRequest } from './pdf-messages.ts'

/** Reads PDFs in worker threads, which start on first use, are used again, and do not keep the process alive. */
export interface PdfReader {
  /**
   * What the bytes of a PDF hold. A file that hangs, crashes or swells ends its worker and comes back as a value.
   *
   * @throws the signal's reason when it is aborted, {@link ScholiumError} `cancelled` when the reader was closed.
   */
  read(
    bytes: Uint8Array,
    path: string,
    options: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  ): Promise<ReadOutcome>
  /** Ends the workers; reads that still run fail. */
  close(): Promise<void>
}

/** A PDF reader with up to two workers. */
export function createPdfReader(): PdfReader {
  const slots: Slot[] = Array.from({ length: MAX_WORKERS }, () => ({ worker: undefined }))
  const idle = [...slots]
  const waiting: ((slot: Slot) => void)[] = []
  const closing = new AbortController()

  const take = async (): Promise<Slot> =>
    idle.pop() ?? new Promise((resolve) => waiting.push(resolve))
  const giveBack = (slot: Slot): void => {
    const next = waiting.shift()
    if (next === undefined) idle.push(slot)
    else next(slot)
  }

  return {
    async read(bytes, path, { timeoutMs, signal }) {
      const contentHash = sha256(bytes)
      const stop = signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal])
      const slot = await take()
      try {
        stop.throwIfAborted()
        const fallbackTitle = basename(path, extname(path))
        const reply = await readIn(slot, { bytes, contentHash, fallbackTitle, timeoutMs }, stop)
        if (reply.type === 'unreadable') return { ok: false, path, unreadable: reply.unreadable }
        const { content, notes } = reply
        const sizeBytes = bytes.length
        return { ok: true, document: { contentHash, kind: 'pdf', sizeBytes, ...content, notes } }
      } finally {
        giveBack(slot)
      }
    },
    async close() {
      closing.abort(new ScholiumError('cancelled', 'The PDF reader was closed.'))
      await Promise.all(slots.map((slot) => slot.worker?.terminate()))
    },
  }
}

/** A place for a worker: empty until the first file and after a worker was lost. */
interface Slot {
  worker: Worker | undefined
}

async function readIn(slot: Slot, request: PdfRequest, stop: AbortSignal): Promise<PdfAnswer> {
  const worker = slot.worker ?? startIn(slot)
  try {
    const { reply, isWorkerLost } = await runInWorker(worker, request, stop)
    if (isWorkerLost) slot.worker = undefined
    return reply
  } catch (error) {
    slot.worker = undefined
    throw error
  }
}

function startIn(slot: Slot): Worker {
  const worker = startPdfWorker()
  slot.worker = worker
  return worker.once('exit', () => {
    if (slot.worker === worker) slot.worker = undefined
  })
}
