import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Refusal } from '../../src/bibliography/bibtex-scan.ts'
import { parseBibtex } from '../../src/bibliography/parse-bibtex.ts'
import { timeMs } from '../timing.ts'

/** The outcome of one `.bib` file. */
export interface BibFile {
  readonly path: string
  readonly items: number
  readonly refused: readonly Refusal[]
  readonly ms: number
  /** Finding its words by a pattern. */
  readonly plainMs: number
  /** Set if the whole file could not be read. */
  readonly error?: string
}

/** Reads every `.bib` file below some folders. */
export async function readBibFiles(
  root: string,
  folders: readonly string[],
): Promise<readonly BibFile[]> {
  const files: BibFile[] = []
  for (const folder of folders) {
    for (const name of readdirSync(join(root, folder), {
      recursive: true,
      encoding: 'utf8',
    }).sort()) {
      if (!name.endsWith('.bib')) continue
      const path = join(root, folder, name)
      const text = readFileSync(path, 'utf8')
      const plainMs = await timeMs(() => text.match(/[\p{L}\p{N}]+/gu))
      const start = performance.now()
      const outcome = await parseBibtex(text).catch((error: unknown) => ({
        items: [],
        refused: [],
        error: String(error),
      }))
      const ms = performance.now() - start
      files.push({
        ...outcome,
        path: relative(root, path),
        items: outcome.items.length,
        ms,
        plainMs,
      })
    }
  }
  return files
}
