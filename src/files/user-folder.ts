import { existsSync, mkdirSync, type Stats } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder for this user alone, and its parents one by one: where a file system refuses (below /proc), `recursive` never ends.
 * @throws the file system's error
 */
export function makeUserFolder(path: string): void {
  if (existsSync(path)) return
  makeUserFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have created it in between.
    if (!existsSync(path)) throw error
  }
}

/** Whether something is this user's and nobody else can write to it. On Windows, which has no such bits, always. */
export function isWritableByUserAlone({ uid, mode }: Pick<Stats, 'uid' | 'mode'>): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
}
