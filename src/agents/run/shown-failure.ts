import type { Failure } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'

/** A failure as a state holds it. */
export function shownFailure({ code, message, retryable, hint, details }: Failure): JsonObject {
  return {
    code,
    message,
    retryable,
    ...(hint === undefined ? {} : { hint }),
    ...(details === undefined ? {} : { details }),
  }
}
