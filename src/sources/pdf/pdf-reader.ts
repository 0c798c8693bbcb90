import { basename, extname } from 'node:path'
import { ScholiumError } from '../../kernel/errors.ts'
import { sha256 } from '../../kernel/json.ts'
import type { ReadOutcome } from '../document.ts'
import { runInWorker, startPdfWorker } from './pdf-job.ts'
import { MAX_WORKERS } from './pdf-limits.ts'

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
        slot.worker ??= startPdfWorker()
        const fallbackTitle = basename(path, extname(path))
        const request = { bytes, contentHash, fallbackTitle, timeoutMs }
        const { reply, isWorkerLost } = await runInWorker(slot.worker, request, stop)
        if (isWorkerLost) slot.worker = undefined
        if (reply.type === 'unreadable') return { ok: false, path, unreadable: reply.unreadable }
        const { content, notes } = reply
        return {
          ok: true,
          document: { contentHash, kind: 'pdf', sizeBytes: bytes.length, ...content, notes },
        }
      } catch (error) {
        slot.worker = undefined
        throw error
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
  worker: ReturnType<typeof startPdfWorker> | undefined
}
