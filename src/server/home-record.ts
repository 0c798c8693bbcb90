import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonObject } from '../kernel/json.ts'

/**
 * Makes a change that is recorded in the home: a line of JSON at the end of a file there, on disk when it returns. Nothing is
 * changed if that file cannot be opened.
 * @param change returns the lines
 */
export async function withRecord(
  home: string,
  file: string,
  change: () => Promise<readonly JsonObject[]>,
): Promise<void> {
  const record = await open(join(home, file), 'a', 0o600)
  try {
    const lines = await change()
    if (lines.length === 0) return
    await record.appendFile(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    await record.sync()
  } finally {
    await record.close()
  }
}
