import type { LiveEvent, RunEvent } from '../kernel/run/event.ts'
import { openLineFile } from './line-file.ts'
import { findFailedNode, formatLogLine, type LogLevel, logLevels, toLogLine } from './log-line.ts'

/** Where a run's log lines go, and which. */
export interface LogOptions {
  /** The lowest level shown. */
  readonly level: LogLevel
  /** Receives a line of text. */
  readonly write: (line: string) => void
  /** Milliseconds since 1970, for events that are only live and have no recorded time. */
  readonly now: () => number
}

/**
 * Creates a listener that writes a line for each event that has one. A node that fails has a line for its failure and none for
 * its end.
 */
export function createLog({ level, write, now }: LogOptions): (event: LiveEvent) => void {
  const least = logLevels.indexOf(level)
  const started = new Map<string, RunEvent>()
  const failedNodes = new Set<string>()
  let runId = ''
  let tsOfThisTurn: number | undefined
  /** Live-only events have no time: they take that of the event before them in the same turn, or the current time. */
  const timeOf = (event: LiveEvent) => {
    if ('transient' in event) return tsOfThisTurn ?? now()
    tsOfThisTurn = event.ts
    queueMicrotask(() => {
      tsOfThisTurn = undefined
    })
    return event.ts
  }
  return (event) => {
    const timeMs = timeOf(event)
    if (!('transient' in event)) runId = event.runId
    const line = toLogLine(event, started.get(event.key))
    if (event.type === 'step.started') started.set(event.key, event)
    else if (event.type.startsWith('step.') && event.type !== 'step.running')
      started.delete(event.key)
    const failedNode = findFailedNode(event)
    if (failedNode !== undefined) failedNodes.add(failedNode)
    if (event.type === 'node.done' && failedNodes.delete(event.key)) return
    if (line === undefined || logLevels.indexOf(line.level) < least) return
    write(formatLogLine(line, runId, timeMs))
  }
}

/** A log file. */
export interface LogFile {
  /** Writes an event's line. */
  readonly hear: (event: LiveEvent) => void
  /** Closes the file. */
  readonly close: () => void
}

/**
 * Creates a listener that appends lines to a file. If writing fails, `warn` is called once.
 * @throws `invalid_input` if the file cannot be opened
 */
export function openLogFile(
  path: string,
  options: Omit<LogOptions, 'write'> & { readonly warn: (text: string) => void },
): LogFile {
  const file = openLineFile(path, 'log file')
  let isTold = false
  const write = (line: string) => {
    file.write(line)
    if (file.failure === undefined || isTold) return
    isTold = true
    options.warn(`The log file ends here, it could not be written: ${file.failure.message}`)
  }
  return { hear: createLog({ ...options, write }), close: () => file.close() }
}
