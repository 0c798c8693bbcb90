import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { z } from 'zod'
import { ScholiumError } from '../kernel/errors.ts'
import { describeWriteFailure } from '../kernel/text/file-failure.ts'

/**
 * A file of JSON lines; each line is on disk when it has been added. An incomplete last line is removed when the file is
 * opened.
 */
export class DurableLines<Line> {
  /** The lines found when it was opened. */
  readonly found: readonly Line[]
  private readonly path: string
  private readonly file: number
  private isBroken = false

  /** @throws `invalid_input` for a complete line of another form */
  constructor(path: string, form: z.ZodType<Line>) {
    this.path = path
    this.file = mapStoreFailure(path, () => openSync(path, 'a+', 0o600))
    try {
      const bytes = readFileSync(this.file)
      const whole = bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1)
      if (whole.length < bytes.length)
        mapStoreFailure(path, () => ftruncateSync(this.file, whole.length))
      this.found = parseLines(whole.toString('utf8'), basename(path), form)
    } catch (error) {
      this.close()
      throw error
    }
  }

  /**
   * Adds a line; it is on disk when this returns.
   * @throws `store_failed` if it cannot be written, and for every later line: after an incomplete line they would be lost
   */
  add(line: Line): void {
    mapStoreFailure(this.path, () => {
      if (this.isBroken) throw new Error('an earlier line was truncated')
      this.isBroken = true
      writeFileSync(this.file, `${JSON.stringify(line)}\n`)
      fsyncSync(this.file)
      this.isBroken = false
    })
  }

  close(): void {
    closeSync(this.file)
  }
}

function parseLines<Line>(text: string, name: string, form: z.ZodType<Line>): readonly Line[] {
  const lines = text.split('\n').slice(0, -1)
  return lines.map((line, index) => {
    try {
      return form.parse(JSON.parse(line))
    } catch (cause) {
      throw new ScholiumError('invalid_input', `${name} is damaged on line ${index + 1}.`, {
        hint: 'Remove that line to ask its question again, or choose another folder with --out.',
        cause,
      })
    }
  })
}

/** Does what writes to a path. @throws `store_failed` where the medium does not take it */
export function mapStoreFailure<Result>(path: string, write: () => Result): Result {
  try {
    return write()
  } catch (cause) {
    if (cause instanceof ScholiumError) throw cause
    throw new ScholiumError(
      'store_failed',
      `${path} cannot be written: ${describeWriteFailure(cause)}.`,
      {
        retryable: true,
        hint: 'Make it writable, free some disk space, and run the same command again.',
        cause,
      },
    )
  }
}
