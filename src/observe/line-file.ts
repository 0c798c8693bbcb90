import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { ScholiumError } from '../kernel/errors.ts'
import type { LiveEvent } from '../kernel/run/event.ts'
import { describeWriteFailure } from '../kernel/text/file-failure.ts'
import { jsonLine } from './printable-text.ts'

/** A file to which whole lines are appended, each of them at once: a process that is killed loses at most its last. */
export interface LineFile {
  /** Appends a line, which must hold no line end. After a failure nothing more is written. */
  write(line: string): void
  /** Why nothing more is written, or `undefined`. */
  readonly failure: Error | undefined
  close(): void
}

/**
 * Opens a file for lines, made when it is not there, readable by its owner alone: what agents read and write is in it. A last
 * line that was cut off stays apart from the first new one.
 *
 * @param what what the file is for, for the error
 * @throws `invalid_input` when it cannot be opened for writing
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

/** A disk that is nearly full takes part of a line. */
function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let written = 0; written < bytes.length; )
    written += writeSync(file, bytes, written, bytes.length - written)
}

/** Whether a file's last line has no end. */
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

/** A file into which a run's events go as they happen. */
export interface TraceFile {
  /** Writes an event's line. */
  hear(event: LiveEvent): void
  /** Writes what is left and closes the file. */
  close(): void
}

/**
 * A trace file: the events of the log as `runs show --events` prints them, one JSON object a line, each written when it
 * happens. What is appended stands behind what is there. When it can no longer be written, `warn` is told once.
 *
 * @throws `invalid_input` when the file cannot be opened
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
