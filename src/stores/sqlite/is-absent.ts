import { statSync } from 'node:fs'

/** Whether nothing is at a path. What may not be looked at is not absent: opening it tells what is wrong. */
export function isAbsent(path: string): boolean {
  try {
    statSync(path)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}
