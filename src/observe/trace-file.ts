import type { LiveEvent } from '../kernel/run/event.ts'
import { openLineFile } from './line-file.ts'
import { jsonLine } from './printable-text.ts'

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
