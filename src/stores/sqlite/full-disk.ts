import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'

/** SQLite's code for a disk that fails to read or write. @see https://sqlite.org/rescode.html */
const ioError = 10
/** SQLite's code for a disk that is full. */
export const diskFull = 13
/** What SQLite asks for at once where it begins a log beside a database. */
const leastBytes = 64 * 1024

/** A primary code of SQLite's, `full` where it speaks of a failing disk and there is no room left on it. */
export function trueCode(errcode: number, path: string): number {
  // The low byte of an extended code is its primary code.
  const code = errcode & 0xff
  return code === ioError && freeBytes(path) < leastBytes ? diskFull : code
}

function freeBytes(path: string): number {
  try {
    const { bavail, bsize } = statfsSync(dirname(path))
    return bavail * bsize
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
