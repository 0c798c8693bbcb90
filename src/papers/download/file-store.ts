import { createHash } from 'node:crypto'
import { closeSync, createReadStream, existsSync, openSync } from 'node:fs'
import { mkdir, open, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isRecord } from '../../bibliography/csl-item.ts'
import { insideOf, withFolder } from '../../files/opened.ts'
import { writeWhole } from '../../files/write-whole.ts'
import { type Hash, sha256 } from '../../kernel/json.ts'

/** A stored file. */
export interface StoredFile {
  readonly contentHash: Hash
  readonly sizeBytes: number
  /** Its origin: an address, or the name of an MCP server. */
  readonly from: string
}

/** After a month the server may have another file, and hardly anyone still waits for the download. */
const maxPartialAgeMs = 30 * 24 * 60 * 60 * 1_000

/** A PDF, or its text as a server extracted it. */
export type StoredKind = 'pdf' | 'md'

/**
 * Files stored once each under the hash of their bytes, with an index by keys. Every change is a single rename, so that
 * a process may end at any time and several may share the folder.
 */
export class FileStore {
  private readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /**
   * Creates the folders.
   * @throws {@link FileRefused} if one of them is a link that leads outside
   */
  async prepare(): Promise<void> {
    for (const name of ['files', 'index', 'partial', 'locks']) {
      const path = join(this.folder, name)
      await mkdir(path, { recursive: true, mode: 0o700 })
      await withFolder(path, insideOf(await realpath(this.folder)), async () => {})
    }
  }

  /** Deletes partial downloads that are too old to resume. */
  async prune(nowMs: number): Promise<void> {
    const folder = join(this.folder, 'partial')
    for (const name of await readdir(folder)) {
      const path = join(folder, name)
      // Another process may have finished or deleted it.
      const found = await stat(path).catch(() => undefined)
      if (found !== undefined && nowMs - found.mtimeMs > maxPartialAgeMs)
        await rm(path, { force: true })
    }
  }

  /** The path without extension under which the file of a key is assembled. */
  partialPath(key: string): string {
    return join(this.folder, 'partial', toFileName(key))
  }

  /** One of 256 locks, chosen by key: keys that share a lock wait for each other, and the folder does not fill up. */
  lockPath(key: string): string {
    return join(this.folder, 'locks', `${toFileName(key).slice(0, 2)}.lock`)
  }

  /** The path of a stored file. */
  pathOf(contentHash: Hash): string {
    const text = join(this.folder, 'files', `${contentHash}.md`)
    return existsSync(text) ? text : join(this.folder, 'files', `${contentHash}.pdf`)
  }

  /** The file stored under one of the keys, if any. */
  async find(keys: readonly string[]): Promise<StoredFile | undefined> {
    for (const key of keys) {
      const entry = await readEntry(this.indexPath(key))
      if (entry === undefined || entry.key !== key) continue
      const found = await stat(this.pathOf(entry.contentHash)).catch(() => undefined)
      const { contentHash, sizeBytes, from } = entry
      if (found?.size === sizeBytes) return { contentHash, sizeBytes, from }
    }
    return undefined
  }

  /** Moves a complete file into the store, under all keys. */
  async keep(
    path: string,
    kind: StoredKind,
    keys: readonly string[],
    from: string,
  ): Promise<StoredFile> {
    const { contentHash, sizeBytes } = await hashFile(path)
    await flush(path)
    const target = join(this.folder, 'files', `${contentHash}.${kind}`)
    const kept = { contentHash, sizeBytes, from }
    // The index is written first: an entry without a file is ignored, but a file without an entry would be downloaded
    // again.
    for (const key of keys) writeWhole(this.indexPath(key), JSON.stringify({ key, ...kept }))
    await rename(path, target)
    return kept
  }

  private indexPath(key: string): string {
    return join(this.folder, 'index', `${toFileName(key)}.json`)
  }
}

function toFileName(key: string): string {
  return sha256(new TextEncoder().encode(key)).slice(0, 32)
}

async function readEntry(
  path: string,
): Promise<(StoredFile & { readonly key: unknown }) | undefined> {
  const value = await readJson(path)
  if (!isRecord(value)) return undefined
  const { key, contentHash, sizeBytes, from } = value
  const isEntry =
    typeof contentHash === 'string' &&
    /^[\da-f]{64}$/.test(contentHash) &&
    typeof sizeBytes === 'number'
  return isEntry
    ? { key, contentHash: contentHash as Hash, sizeBytes, from: String(from) }
    : undefined
}

/** The JSON in a file; `undefined` if there is none. */
export async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch {
    return undefined
  }
}

async function hashFile(path: string): Promise<Pick<StoredFile, 'contentHash' | 'sizeBytes'>> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const piece of createReadStream(path)) {
    hash.update(piece)
    sizeBytes += piece.length
  }
  return { contentHash: hash.digest('hex') as Hash, sizeBytes }
}

/** A named file must survive a power failure. */
async function flush(path: string): Promise<void> {
  const file = await open(path, 'r+')
  await file.sync()
  await file.close()
}

const pollMs = 50

/**
 * Runs `work` while holding a file's lock, which excludes other processes and other callers in this one; waits for it.
 * It is a SQLite lock on an empty database, so the operating system releases it however a process ends. The file stays.
 * @throws the signal's reason if aborted while waiting
 * @see https://www.sqlite.org/lockingv3.html
 */
export async function withFileLock<T>(
  path: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const { DatabaseSync } = await import('node:sqlite')
  closeSync(openSync(path, 'a', 0o600))
  const lock = new DatabaseSync(path)
  try {
    while (!tryLock(lock)) {
      await wait(pollMs)
      signal.throwIfAborted()
    }
    return await work()
  } finally {
    lock.close()
  }
}

function tryLock(lock: { exec(sql: string): void }): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    if (!/locked|busy/i.test(String(error))) throw error
    return false
  }
}
