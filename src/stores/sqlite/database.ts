import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** How long a statement waits for another process's write before it fails as busy. */
const busyTimeoutMs = 5_000

/**
 * The database file at `path`, made when it is not there, its folder for this user alone. In WAL mode, so that readers and
 * one writer do not wait for each other.
 */
export function openDatabase(path: string): DatabaseSync {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const db = new DatabaseSync(path, { timeout: busyTimeoutMs })
  try {
    db.exec('PRAGMA journal_mode = WAL')
  } catch (error) {
    db.close()
    throw error
  }
  return db
}
