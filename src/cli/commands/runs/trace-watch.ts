import type { ExecutionOptions } from '../../../app.ts'
import { ScholiumError } from '../../../kernel/errors.ts'
import type { LiveEvent } from '../../../kernel/run/event.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import { oneLine } from '../../render/text.ts'

/** What records a run in addition to its log. */
export interface Watch {
  /** The labels under which the run is traced. */
  readonly labels: Pick<ExecutionOptions, 'session' | 'user'>
  hear(event: LiveEvent): void
  close(): void
}

/**
 * Opens the trace file and the log that an invocation asks for, before the run does anything.
 * @throws `invalid_input` for a file that cannot be written or an unknown level
 */
export async function openWatch({ options, terminal }: Invocation): Promise<Watch> {
  const session = options.filled('session')
  const user = options.filled('user')
  const labels = {
    ...(session === undefined ? {} : { session }),
    ...(user === undefined ? {} : { user }),
  }
  const traceFile = options.filled('trace-file')
  const logFile = options.filled('log-file')
  const level = options.text('log-level')
  if (traceFile === undefined && logFile === undefined && level === undefined)
    return { labels, hear: () => {}, close: () => {} }
  const observe = await import('../../../observe/index.ts')
  const warn = (text: string) => terminal.tell(oneLine(text))
  const known = observe.logLevels.find((one) => one === (level ?? 'info'))
  if (known === undefined) {
    throw new ScholiumError('invalid_input', `Invalid value for --log-level: "${level}".`, {
      hint: `Give one of: ${observe.logLevels.join(', ')}.`,
    })
  }
  const log = { level: known, now: Date.now, warn }
  const trace = traceFile === undefined ? undefined : observe.openTraceFile(traceFile, warn)
  const file = logFile === undefined ? undefined : observe.openLogFile(logFile, log)
  const toStderr = level !== undefined && logFile === undefined
  const lines = toStderr
    ? observe.createLog({ ...log, write: (line) => terminal.tell(line) })
    : undefined
  return {
    labels,
    hear(event) {
      trace?.hear(event)
      file?.hear(event)
      lines?.(event)
    },
    close() {
      trace?.close()
      file?.close()
    },
  }
}
