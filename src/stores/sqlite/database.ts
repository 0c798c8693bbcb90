import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** How long a statement waits for another process's write before it fails as busy. */
const busyTimeoutMs = 5_000

/**
 * The database file at `path`, made when it is not there, its folder for this user alone. In WAL mode, so that readers and
 * one writer do not wait for each other.
 */
export function openDatabase(path: string): DatabaseSync {
  makeFolder(dirname(path))
  const db = new DatabaseSync(path, { timeout: busyTimeoutMs })
  try {
    db.exec('PRAGMA journal_mode = WAL')
  } catch (error) {
    db.close()
    throw error
  }
  return db
}

/** Makes a folder and those above it. One by one: where a file system refuses (below /proc), `recursive` tries for ever. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  if (dirname(folder) !== folder) makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process may have made it in between.
    if (!existsSync(folder)) throw error
  }
}
