import { stat } from 'node:fs/promises'
import type { Clock } from '../kernel/run/clock.ts'
import type { ReadOutcome } from './document.ts'
import type { ListedFile } from './list-files.ts'

/** Maximum length of all cached texts, and of one, in UTF-16 code units. */
const maxLength = 16_000_000
const maxLengthOfOne = 1_000_000

/**
 * A file changed right before it was read may change again unnoticed, because file times are only as precise as the file
 * system's clock, two seconds on FAT.
 */
const settledAfterMs = 3_000

/** Identifies a file's state: its content can only have changed if this has. */
export type FileStamp = string & { readonly __brand: 'FileStamp' }

interface KnownFile {
  readonly stamp: FileStamp
  readonly outcome: ReadOutcome
  readonly length: number
}

/**
 * Caches the documents of files that stay unchanged: same size, same location on disk, no later change of content, name
 * or permissions. The least recently used are dropped.
 */
export class KnownFiles {
  private readonly clock: Clock
  private readonly kept = new Map<string, KnownFile>()
  private keptLength = 0

  /** @param clock the system's clock, which file times refer to */
  constructor(clock: Clock) {
    this.clock = clock
  }

  /** The stamp of a file; `undefined` if it cannot be cached or was changed just now. The folder bound is part of the stamp. */
  async readStamp({ path, within = '' }: ListedFile): Promise<FileStamp | undefined> {
    const status = await stat(path, { bigint: true }).catch(() => undefined)
    if (status?.isFile() !== true) return undefined
    const { dev, ino, size, mtimeNs, ctimeNs, mtimeMs, ctimeMs } = status
    const changedAtMs = Math.max(Number(mtimeMs), Number(ctimeMs))
    if (changedAtMs > this.clock.now() - settledAfterMs) return undefined
    return [dev, ino, size, mtimeNs, ctimeNs, within].join(' ') as FileStamp
  }

  /** The cached outcome for a file with this stamp. */
  find(path: string, stamp: FileStamp | undefined): ReadOutcome | undefined {
    const kept = this.kept.get(path)
    if (kept === undefined || kept.stamp !== stamp) return undefined
    this.kept.delete(path)
    this.kept.set(path, kept)
    return kept.outcome
  }

  /** Caches a file's document; `stamp` was taken before reading. */
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
