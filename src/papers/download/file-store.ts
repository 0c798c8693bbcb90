import { createHash } from 'node:crypto'
import { closeSync, createReadStream, existsSync, openSync } from 'node:fs'
import {
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isRecord } from '../../bibliography/csl-item.ts'
import { insideOf, withFolder } from '../../files/opened.ts'
import { type Hash, sha256 } from '../../kernel/json.ts'

/** A file that is kept. */
export interface StoredFile {
  readonly contentHash: Hash
  readonly sizeBytes: number
  /** Where it came from. */
  readonly from: string
}

/** Whoever begins again after a month hardly waits for the same download, and a server may have another file by then. */
const maxPartialAgeMs = 30 * 24 * 60 * 60 * 1_000

/** What a kept file is: a PDF, or the text of one as a server made it. */
export type StoredKind = 'pdf' | 'md'

/**
 * Files under the hash of their bytes, each once, and by which keys they are known. Every change is one renaming, so that
 * a process may end at any time and several may work in one folder.
 */
export class FileStore {
  private readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /** Makes the folders. @throws {@link FileRefused} where one of them is a link that leads out of theirs */
  async prepare(): Promise<void> {
    for (const name of ['files', 'index', 'partial', 'locks']) {
      const path = join(this.folder, name)
      await mkdir(path, { recursive: true, mode: 0o700 })
      await withFolder(path, insideOf(await realpath(this.folder)), async () => {})
    }
  }

  /** Removes what was begun and has lain untouched for too long to go on from it. */
  async prune(nowMs: number): Promise<void> {
    const folder = join(this.folder, 'partial')
    for (const name of await readdir(folder)) {
      const path = join(folder, name)
      // Another process may have ended it, or taken it away, in the meantime.
      const found = await stat(path).catch(() => undefined)
      if (found !== undefined && nowMs - found.mtimeMs > maxPartialAgeMs)
        await rm(path, { force: true })
    }
  }

  /** Where what is known by a key is gathered until it is whole, without an ending. */
  partialPath(key: string): string {
    return join(this.folder, 'partial', toFileName(key))
  }

  /** Of 256 locks the one for a key: two keys that share one wait for each other, and the folder does not fill with locks. */
  lockPath(key: string): string {
    return join(this.folder, 'locks', `${toFileName(key).slice(0, 2)}.lock`)
  }

  /** Where a kept file is. */
  pathOf(contentHash: Hash): string {
    const text = join(this.folder, 'files', `${contentHash}.md`)
    return existsSync(text) ? text : join(this.folder, 'files', `${contentHash}.pdf`)
  }

  /** The file that one of the keys stands for, if it is there. */
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

  /** Keeps a whole file, which is moved, under all of the keys. */
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
    // The index comes first: an entry without its file is none, but a file without its entry would be fetched again.
    for (const key of keys) await writeWhole(this.indexPath(key), JSON.stringify({ key, ...kept }))
    await rename(path, target)
    return kept
  }

  private indexPath(key: string): string {
    return join(this.folder, 'index', `${toFileName(key)}.json`)
  }
}

/** Writes a small file for this user alone, so that it is there whole or not at all. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.${process.pid}.${createHash('sha256').update(text).digest('hex').slice(0, 8)}.tmp`
  await writeFile(draft, text, { mode: 0o600 })
  await rename(draft, path)
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

/** The JSON in a file, `undefined` where there is none. */
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

/** What has a name has to be there after a power cut too. */
async function flush(path: string): Promise<void> {
  const file = await open(path, 'r+')
  await file.sync()
  await file.close()
}

const pollMs = 50

/**
 * Does the work while no other process, and nobody else in this one, holds the lock of this file; waits for it. The operating
 * system gives the lock back when a process ends, however it ends, since it is a lock of SQLite on an empty database. The file stays.
 *
 * @throws the signal's reason when it is aborted before that
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
