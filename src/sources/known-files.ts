import { stat } from 'node:fs/promises'
import type { Clock } from '../kernel/run/clock.ts'
import type { ReadOutcome } from './document.ts'
import type { ListedFile } from './list-files.ts'

/** How much text is kept in all, and of one file at most; in UTF-16 code units. */
const maxLength = 16_000_000
const maxLengthOfOne = 1_000_000

/**
 * A file that was changed a moment before it was read may be changed again without a sign: the times of a file are as
 * coarse as the clock of its file system, on FAT two seconds.
 */
const settledAfterMs = 3_000

/** A file at one time: what it holds can only have changed if this has. */
export type FileStamp = string & { readonly __brand: 'FileStamp' }

interface KnownFile {
  readonly stamp: FileStamp
  readonly outcome: ReadOutcome
  readonly length: number
}

/**
 * The documents of files that were read before, for as long as the files stay as they are: the same size, the same place on
 * the disk, and no later change of content, name or rights. The last used are kept.
 */
export class KnownFiles {
  private readonly clock: Clock
  private readonly kept = new Map<string, KnownFile>()
  private keptLength = 0

  /** @param clock the one of the system, by which files have their times */
  constructor(clock: Clock) {
    this.clock = clock
  }

  /** What is at a path now; `undefined` when it is nothing that can be kept, or was changed a moment ago. What was read under one bound is not known under another. */
  async readStamp({ path, within = '' }: ListedFile): Promise<FileStamp | undefined> {
    const status = await stat(path, { bigint: true }).catch(() => undefined)
    if (status?.isFile() !== true) return undefined
    const { dev, ino, size, mtimeNs, ctimeNs, mtimeMs, ctimeMs } = status
    const changedAtMs = Math.max(Number(mtimeMs), Number(ctimeMs))
    if (changedAtMs > this.clock.now() - settledAfterMs) return undefined
    return [dev, ino, size, mtimeNs, ctimeNs, within].join(' ') as FileStamp
  }

  /** What reading a file with this stamp gave, if that is known. */
  find(path: string, stamp: FileStamp | undefined): ReadOutcome | undefined {
    const kept = this.kept.get(path)
    if (kept === undefined || kept.stamp !== stamp) return undefined
    this.kept.delete(path)
    this.kept.set(path, kept)
    return kept.outcome
  }

  /** Keeps the document that reading a file gave; `stamp` is from before it was read. */
  keep(path: string, stamp: FileStamp | undefined, outcome: ReadOutcome & { ok: true }): void {
    this.forget(path)
    const { length } = outcome.document.text
    if (stamp === undefined || length > maxLengthOfOne) return
    this.kept.set(path, { stamp, outcome, length })
    this.keptLength += length
    for (const oldest of this.kept.keys()) {
      if (this.keptLength <= maxLength) break
      this.forget(oldest)
    }
  }

  private forget(path: string): void {
    this.keptLength -= this.kept.get(path)?.length ?? 0
    this.kept.delete(path)
  }
}
