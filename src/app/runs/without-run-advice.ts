import { ScholiumError } from '../../kernel/errors.ts'

/** A failure of a model without its advice on the run that it would have stopped: there is none. */
export function withoutRunAdvice(error: unknown): unknown {
  if (!(error instanceof ScholiumError) || error.hint === undefined) return error
  const { code, message, retryable, cause, details } = error
  const hint = details.reason === 'timed_out' ? hungHint : stripAdvice(error.hint)
  return new ScholiumError(code, message, { retryable, hint, cause, details })
}

const hungHint = 'The service may be busy or hanging. Check its output, or restart it.'

function stripAdvice(hint: string): string {
  return hint
    .replace(/[;,.] then resume the run\.$/i, '.')
    .replace(/; resume the run later\.$/, '; try again later.')
}
