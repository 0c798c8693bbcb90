import { randomInt } from 'node:crypto'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeUserFolder } from '../../files/user-folder.ts'
import { busyTimeoutMs, createFile } from './database.ts'
import { isAbsent } from './is-absent.ts'
import { storeFailure } from './run-store-failure.ts'
import { createTables, hasTables } from './run-store-schema.ts'

/**
 * SQLite's header begins with these bytes and has the application id at this offset. @see
 * https://sqlite.org/fileformat2.html#the_database_header
 */
const magic = 'SQLite format 3\0'
const idPlace = 68

/**
 * A log's random id, drawn when it was created; 0 for a file without one. It is read without SQLite and without following links,
 * since the file may come from anyone.
 */
export function readLogId(path: string): number {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  let file: number | undefined
  try {
    file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    const header = Buffer.alloc(idPlace + 4)
    readSync(file, header, 0, header.length, 0)
    return header.toString('latin1', 0, magic.length) === magic ? header.readUInt32BE(idPlace) : 0
  } catch {
    return 0
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/**
 * Creates an empty log with a new id if there is none, and its folder, for this user alone. Safe for several processes at once:
 * only one creates it.
 * @param register called with the id before the log has it
 * @throws `store_failed`
 */
export function createLogFile(path: string, register: (id: number) => void): void {
  if (!isAbsent(path)) return
  change(path, (db) => {
    // Another process may have created it while this one waited.
    if (hasTables(db)) return
    assignLogId(db, register)
    createTables(db)
  })
}

/**
 * Gives a log a new id.
 * @param register as for {@link createLogFile}
 * @throws `store_failed`
 */
export function renewLogId(path: string, register: (id: number) => void): void {
  change(path, (db) => assignLogId(db, register))
}

function assignLogId(db: DatabaseSync, register: (id: number) => void): void {
  const id = randomInt(1, 2 ** 31)
  register(id)
  db.exec(`PRAGMA application_id = ${id}`)
}

function change(path: string, work: (db: DatabaseSync) => void): void {
  let db: DatabaseSync | undefined
  try {
    makeUserFolder(dirname(path))
    createFile(path)
    db = new DatabaseSync(path, { timeout: busyTimeoutMs })
    db.exec('BEGIN IMMEDIATE')
    work(db)
    // The header is read from the file itself, not from its WAL.
    db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)')
  } catch (error) {
    throw storeFailure(error, path)
  } finally {
    db?.close()
  }
}
