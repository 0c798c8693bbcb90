import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { storing } from './store-failure.ts'

/**
 * Puts a file in its place as a whole: whoever looks sees the old one or the new one, also after a crash.
 * @throws `store_failed`
 */
export function writeWhole(path: string, text: string): void {
  storing(path, () => replace(path, text))
}

function replace(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`
  try {
    rmSync(temporary, { force: true })
    const file = openSync(temporary, 'wx', 0o600)
    try {
      writeFileSync(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}
