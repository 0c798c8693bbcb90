import { statSync } from 'node:fs'

/** Whether nothing is at a path, or an empty file. What may not be looked at is not absent: opening it tells what is wrong. */
export function isAbsent(path: string): boolean {
  try {
    const found = statSync(path)
    return found.isFile() && found.size === 0
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}
