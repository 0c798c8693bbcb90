import { ScholiumError } from '../../kernel/errors.ts'

const shownLength = 120

/** The error for invalid syntax; `details.offset` counts UTF-16 units from the start of the source. */
export function syntaxError(message: string, offset: number, hint?: string): ScholiumError {
  return new ScholiumError('invalid_agent_file', message, {
    details: { offset },
    ...(hint === undefined ? {} : { hint }),
  })
}

/** The error for a valid template that fails on its values; it names types, never values, which may be secret. */
export function valueError(message: string, hint?: string): ScholiumError {
  return new ScholiumError('template_failed', message, hint === undefined ? {} : { hint })
}

/** An error thrown while `source` was evaluated, with that source named. */
export function locateInSource(thrown: unknown, source: string): unknown {
  if (thrown instanceof RangeError) {
    return valueError(
      `${formatExcerpt(source)}: values or expression are nested too deeply`,
      'Split it into steps.',
    )
  }
  if (!(thrown instanceof ScholiumError)) return thrown
  const { code, message, hint, details, retryable } = thrown
  return new ScholiumError(code, `${formatExcerpt(source)}: ${message}`, {
    details,
    retryable,
    ...(hint === undefined ? {} : { hint }),
  })
}

function formatExcerpt(source: string): string {
  const line = source.trim()
  return line.length <= shownLength ? `\`${line}\`` : `\`${line.slice(0, shownLength)}…\``
}
