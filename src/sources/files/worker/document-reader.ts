import { basename, extname } from 'node:path'
import { ScholiumError } from '../../../kernel/errors.ts'
import { sha256 } from '../../../kernel/json.ts'
import { createSemaphore } from '../../../kernel/run/semaphore.ts'
import type { ReadOutcome, ReadResult } from '../../document.ts'
import { type ReadProcess, startReadProcess, type WorkRequest } from './read-process.ts'
import type { ProcessKind } from './readers.ts'
import { idleMs, keptResidentMb, maxBusyMs, maxProcesses } from './worker-limits.ts'

/**
 * Reads files in separate processes, which start on first use, are reused, end when idle, and do not keep this process
 * alive.
 */
export interface DocumentReader {
  /** Starts a process that preloads the reader for a kind. */
  prepare(kind: ProcessKind): void
  /**
   * Reads a file's bytes. If the file hangs, crashes or bloats its process, the process is ended and a refusal returned.
   * @throws the signal's reason if aborted, {@link ScholiumError} `cancelled` if the reader was closed
   */
  read(
    bytes: Uint8Array,
    path: string,
    kind: ProcessKind,
    options: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  ): Promise<ReadOutcome>
  /** Ends the processes; pending reads fail. */
  close(): Promise<void>
}

/** Creates a reader with up to {@link maxProcesses} processes. */
export function createDocumentReader(): DocumentReader {
  const slots = Array.from({ length: maxProcesses }, () => new Slot())
  const idle = [...slots]
  const turns = createSemaphore(slots.length)
  const closing = new AbortController()

  return {
    prepare(kind) {
      const slot = closing.signal.aborted ? undefined : idle.at(-1)
      slot?.process().load(kind)
      slot?.endLater()
    },
    async read(bytes, path, kind, { timeoutMs, signal }) {
      const contentHash = sha256(bytes)
      const stop = signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal])
      const fallbackTitle = basename(path, extname(path))
      const request = { bytes, kind, contentHash, path, fallbackTitle, timeoutMs }
      const reading = await turns(async () => {
        const slot = idle.pop() as Slot
        try {
          return await slot.read(request, stop)
        } finally {
          idle.push(slot)
          slot.endLater()
        }
      }, stop)
      if (!reading.ok) return { ...reading, path }
      const { content } = reading
      const csl = { ...content.csl, id: contentHash }
      const document = { contentHash, kind, sizeBytes: bytes.length, ...content, csl }
      return { ok: true, path, document }
    },
    async close() {
      closing.abort(new ScholiumError('cancelled', 'The reader was closed.'))
      await Promise.all(slots.map((slot) => slot.end()))
    },
  }
}

/** A slot for a process: empty before the first file, after a process was lost, and when idle for a while. */
class Slot {
  private held: ReadProcess | undefined
  private idleTimer: NodeJS.Timeout | undefined

  /** The process; a new one if the last was lost. */
  process(): ReadProcess {
    if (this.held?.isAlive !== true) this.held = startReadProcess()
    return this.held
  }

  async read(request: WorkRequest, stop: AbortSignal): Promise<ReadResult> {
    clearTimeout(this.idleTimer)
    const wasUsed = this.held !== undefined
    let { reading, hasBegun } = await this.process().read(request, stop)
    // A process lost while idle says nothing about the file.
    if (wasUsed && !hasBegun && !reading.ok)
      ({ reading } = await this.process().read(request, stop))
    const { busyMs = 0, residentMb = 0 } = this.held ?? {}
    if (busyMs > maxBusyMs || residentMb > keptResidentMb) void this.end()
    return reading
  }

  endLater(): void {
    clearTimeout(this.idleTimer)
    this.idleTimer = setTimeout(() => void this.end(), idleMs).unref()
  }

  async end(): Promise<void> {
    clearTimeout(this.idleTimer)
    const process = this.held
    this.held = undefined
    await process?.kill()
  }
}
