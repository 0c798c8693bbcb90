import { type Failure, ScholiumError, toFailure } from '../kernel/errors.ts'
import type { OutputFormat } from './arguments/invocation.ts'
import { exitCodes } from './exit-codes.ts'
import { printJson } from './render/print.ts'
import { printable } from './render/text.ts'
import type { Terminal } from './terminal.ts'

/** Where and how to report an error. */
export interface ErrorPlace {
  readonly terminal: Terminal
  readonly format: OutputFormat
  /** The run that the error stopped. */
  readonly runId?: string
}

/**
 * Reports an error to people on stderr (what happened and why, then what to do) and to programs on stdout; returns the
 * exit code. `SCHOLIUM_DEBUG=1` adds the stack.
 */
export function reportError(thrown: unknown, place: ErrorPlace): number {
  const { terminal, format, runId } = place
  const failure = toFailure(thrown)
  const { paint } = terminal.stderr
  terminal.tell(`${paint.red('Error:')} ${printable(failure.message)}`)
  const hint = formatHint(failure)
  if (hint !== undefined) terminal.tell(terminal.asTyped(printable(hint)))
  if (terminal.host.env.SCHOLIUM_DEBUG === '1') terminal.tell(formatStack(thrown))
  if (format !== 'text') {
    const error = { ...failure, ...(hint === undefined ? {} : { hint }) }
    const told = { ...(runId === undefined ? {} : { runId }), schema: 'scholium.error/1', error }
    printJson(terminal, format, 'error', told)
  }
  return exitCodes[failure.code]
}

/** Reports to people and to programs that the work was stopped, and how to continue; returns the exit code. */
export function reportInterrupted(hint: string, { terminal, format, runId }: ErrorPlace): number {
  terminal.tell(terminal.asTyped(`Interrupted. ${hint}`))
  if (format !== 'text') {
    const error = { code: 'cancelled', message: 'Interrupted.', retryable: true, hint }
    const told = { ...(runId === undefined ? {} : { runId }), schema: 'scholium.error/1', error }
    printJson(terminal, format, 'error', told)
  }
  return exitCodes.cancelled
}

function formatHint({ code, hint }: Failure): string | undefined {
  if (hint !== undefined || code !== 'internal') return hint
  return 'This is a bug in Scholium. Please report it; SCHOLIUM_DEBUG=1 shows where it happened.'
}

function formatStack(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  const details = thrown instanceof ScholiumError ? `\n${JSON.stringify(thrown.details)}` : ''
  const cause = thrown.cause === undefined ? '' : `\nCaused by: ${formatStack(thrown.cause)}`
  return `${thrown.stack}${details}${cause}`
}
