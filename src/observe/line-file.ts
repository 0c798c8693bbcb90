import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { ScholiumError } from '../kernel/errors.ts'
import type { LiveEvent } from '../kernel/run/event.ts'
import { describeWriteFailure } from '../kernel/text/file-failure.ts'
import { jsonLine } from './printable-text.ts'

/** A file to which lines are appended, each written whole at once: a killed process loses at most its last line. */
export interface LineFile {
  /** Appends a line, which must not contain a line break. After a failure nothing more is written. */
  write(line: string): void
  /** Why nothing more is written, or `undefined`. */
  readonly failure: Error | undefined
  close(): void
}

/**
 * Opens a file for appending lines and creates it if needed, readable only by its owner: it contains what agents read and write.
 * A truncated last line is kept apart from the first new one.
 * @param what purpose of the file, for the error message
 * @throws `invalid_input` if it cannot be opened for writing
 */
export function openLineFile(path: string, what: string): LineFile {
  let file: number
  try {
    file = openSync(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, 0o600)
  } catch (cause) {
    throw notWritable(path, what, cause)
  }
  try {
    if (isCutOff(file)) writeAll(file, '\n')
  } catch (cause) {
    closeSync(file)
    throw notWritable(path, what, cause)
  }
  return new OpenLineFile(file)
}

class OpenLineFile implements LineFile {
  private file: number | undefined
  failure: Error | undefined

  constructor(file: number) {
    this.file = file
  }

  write(line: string): void {
    if (this.file === undefined || this.failure !== undefined) return
    try {
      writeAll(this.file, `${line}\n`)
    } catch (error) {
      this.failure = error as Error
    }
  }

  close(): void {
    if (this.file !== undefined) closeSync(this.file)
    this.file = undefined
  }
}

/** A nearly full disk may accept only part of a line. */
function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let written = 0; written < bytes.length; )
    written += writeSync(file, bytes, written, bytes.length - written)
}

/** Whether the last line of a file is incomplete. */
function isCutOff(file: number): boolean {
  const facts = fstatSync(file)
  if (!facts.isFile() || facts.size === 0) return false
  const last = Buffer.alloc(1)
  readSync(file, last, 0, 1, facts.size - 1)
  return last[0] !== 0x0a
}

function notWritable(path: string, what: string, cause: unknown): ScholiumError {
  const text = `The ${what} ${path} cannot be written: ${describeWriteFailure(cause)}.`
  return new ScholiumError('invalid_input', text, {
    hint: 'Choose a file in an existing folder that you can write to.',
    cause,
  })
}

/** A file to which a run's events are written as they happen. */
export interface TraceFile {
  /** Writes an event's line. */
  hear(event: LiveEvent): void
  /** Writes the rest and closes the file. */
  close(): void
}

/**
 * Opens a trace file, which receives the events of the log as `runs show --events` prints them: one JSON object per line, written
 * as it happens, after any existing content. If writing fails, `warn` is called once.
 * @throws `invalid_input` if the file cannot be opened
 */
export function openTraceFile(path: string, warn: (text: string) => void): TraceFile {
  const file = openLineFile(path, 'trace file')
  let isTold = false
  return {
    hear(event) {
      if ('transient' in event || isTold) return
      file.write(jsonLine(event))
      if (file.failure === undefined) return
      isTold = true
      warn(`The trace file ends here, it could not be written: ${file.failure.message}`)
    },
    close: () => file.close(),
  }
}
