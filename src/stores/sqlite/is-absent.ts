import { statSync } from 'node:fs'

/** Whether there is nothing at a path, or an empty file. An inaccessible path is not absent: opening it reports the reason. */
export function isAbsent(path: string): boolean {
  try {
    const found = statSync(path)
    return found.isFile() && found.size === 0
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}
