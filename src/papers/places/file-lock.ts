import { closeSync, openSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

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
    while (!isTaken(lock)) {
      await wait(pollMs)
      signal.throwIfAborted()
    }
    return await work()
  } finally {
    lock.close()
  }
}

function isTaken(lock: { exec(sql: string): void }): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    if (!/locked|busy/i.test(String(error))) throw error
    return false
  }
}
