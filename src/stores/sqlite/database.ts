import { accessSync, closeSync, constants, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { makeUserFolder } from '../../files/user-folder.ts'
import { diskFull, trueCode } from './full-disk.ts'

/** How long a statement waits for another process's write before it fails as busy. */
export const busyTimeoutMs = 5_000

/**
 * The database file at `path`, made when it is not there, it and its folder for this user alone. In WAL mode, so that readers
 * and one writer do not wait for each other. One in a folder that may not be written is opened to be read, and one on a full
 * disk without the file beside it for which there is no room: no other process can use it meanwhile.
 */
export function openDatabase(path: string): DatabaseSync {
  makeUserFolder(dirname(path))
  makeFile(path)
  try {
    return inWalMode(path)
  } catch (error) {
    if (isReadOnly(path)) return openToRead(path)
    const { errcode } = error as { readonly errcode?: number }
    if (errcode === undefined || trueCode(errcode, path) !== diskFull) throw error
    return inWalMode(path, 'PRAGMA locking_mode = EXCLUSIVE')
  }
}

/** @see https://sqlite.org/wal.html#use_of_wal_without_shared_memory */
function inWalMode(path: string, first = ''): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: busyTimeoutMs })
  try {
    db.exec(`${first}; PRAGMA journal_mode = WAL; PRAGMA user_version`)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Makes a database's file for this user alone, where it is not there. SQLite gives the files beside it the same mode. */
export function makeFile(path: string): void {
  if (path === ':memory:') return
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch {
    // It is there, or opening it tells why it cannot be.
  }
}

/** Whether a database is there that may be read, in a folder that may not be written. */
function isReadOnly(path: string): boolean {
  return may(path, constants.R_OK) && !may(dirname(path), constants.W_OK)
}

function may(path: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return true
  } catch {
    return false
  }
}

/**
 * To read in WAL mode SQLite makes a file beside the database, unless it is told that nothing changes it. What stands in a
 * log beside it would then not be seen: such a database is only read where its other files are there already.
 * @see https://sqlite.org/wal.html#read_only_databases
 */
function openToRead(path: string): DatabaseSync {
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
