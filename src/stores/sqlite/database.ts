import { accessSync, closeSync, constants, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { makeUserFolder } from '../../files/user-folder.ts'
import { diskFull, primaryCode } from './full-disk.ts'

/** How long a statement waits for another process's write before it fails as busy, in milliseconds. */
export const busyTimeoutMs = 5_000

/**
 * Opens the database file at `path`, and creates it with its folder, readable by this user alone, if it does not exist. In WAL
 * mode, readers and one writer do not wait for each other. In a folder that is not writable the file is opened read-only. On a
 * full disk, with no room for the shared-memory file, it is opened exclusively.
 */
export function openDatabase(path: string): DatabaseSync {
  makeUserFolder(dirname(path))
  createFile(path)
  try {
    return openInWalMode(path)
  } catch (error) {
    if (isReadOnly(path)) return openReadOnly(path)
    const { errcode } = error as { readonly errcode?: number }
    if (errcode === undefined || primaryCode(errcode, path) !== diskFull) throw error
    return openInWalMode(path, 'PRAGMA locking_mode = EXCLUSIVE')
  }
}

/** @see https://sqlite.org/wal.html#use_of_wal_without_shared_memory */
function openInWalMode(path: string, first = ''): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: busyTimeoutMs })
  try {
    db.exec(`${first}; PRAGMA journal_mode = WAL; PRAGMA user_version`)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Creates a database file for this user alone if it does not exist. SQLite gives its WAL files the same mode. */
export function createFile(path: string): void {
  if (path === ':memory:') return
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch {
    // It exists, or opening it reports why it cannot be created.
  }
}

/** Whether a readable database exists in a folder that is not writable. */
function isReadOnly(path: string): boolean {
  return isAccessible(path, constants.R_OK) && !isAccessible(dirname(path), constants.W_OK)
}

function isAccessible(path: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}

/**
 * To read in WAL mode, SQLite creates a shared-memory file next to the database, unless it is told that the database is
 * immutable; it would then ignore an existing WAL. So such a database is only read if its WAL files exist already.
 * @see https://sqlite.org/wal.html#read_only_databases
 */
function openReadOnly(path: string): DatabaseSync {
  const address = pathToFileURL(path)
  address.searchParams.set('mode', 'ro')
  if (countFileBytes(`${path}-wal`) === 0) address.searchParams.set('immutable', '1')
  const db = new DatabaseSync(address, { readOnly: true, timeout: busyTimeoutMs })
  try {
    db.prepare('PRAGMA user_version').get()
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function countFileBytes(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
