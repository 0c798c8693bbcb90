import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../../src/kernel/json.ts'

/**
 * The paths of `count` PDFs in a folder of their own, made of real ones: each is read as the one that it is a copy of, but its bytes
 * are its own, so that nothing takes two copies for one file.
 * @param first the number of the first copy; other numbers give other bytes
 */
export function copyPdfs(
  paths: readonly string[],
  folder: string,
  count: number,
  first = 0,
): readonly string[] {
  mkdirSync(folder, { recursive: true })
  return Array.from({ length: count }, (_, index) => {
    const number = first + index
    const bytes = readFileSync(paths[number % paths.length] as string)
    // A name that tells nothing: papers of files that have not been read are told apart by it.
    const path = join(folder, `${sha256(String(number)).slice(0, 12)}.pdf`)
    writeFileSync(path, Buffer.concat([bytes, Buffer.from(`\n% ${number}\n`)]))
    return path
  })
}
