import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'

/** SQLite's code for a disk I/O error. @see https://sqlite.org/rescode.html */
const ioError = 10
/** SQLite's code for a full disk. */
export const diskFull = 13
/** Size of the first allocation when SQLite creates a WAL, in bytes. */
const minFreeBytes = 64 * 1024

/** SQLite's primary result code, with an I/O error on a disk without free space reported as a full disk. */
export function primaryCode(errcode: number, path: string): number {
  // The low byte of an extended code is its primary code.
  const code = errcode & 0xff
  return code === ioError && freeBytes(path) < minFreeBytes ? diskFull : code
}

function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(dirname(path))
    return bavail * bsize
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
