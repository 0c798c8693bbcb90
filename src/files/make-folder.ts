import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder and its missing parents for this user alone. One by one, because `recursive` never ends where a file system
 * refuses (below /proc).
 * @throws the file system's error
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have created it in between.
    if (!existsSync(path)) throw error
  }
}
