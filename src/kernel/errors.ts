import type { JsonObject } from './json.ts'

/** Every way this library fails, by name. Surfaces map a code to an exit code or a status in one table each. */
export type ErrorCode =
  | 'invalid_input'
  | 'invalid_configuration'
  | 'invalid_graph'
  | 'invalid_agent_file'
  | 'template_failed'
  | 'tool_failed'
  | 'model_failed'
  | 'model_unavailable'
  | 'model_output_malformed'
  | 'limit_reached'
  | 'step_changed'
  | 'step_repeated'
  | 'step_missing'
  | 'step_failed'
  | 'outcome_unknown'
  | 'run_not_found'
  | 'run_busy'
  | 'run_incompatible'
  | 'fenced'
  | 'store_failed'
  | 'cancelled'
  | 'waiting'
  | 'internal'

/** What every error of this library carries in addition to its message. */
export interface ErrorOptions {
  /** Whether the same call may succeed later, by itself or after somebody has fixed the cause. Default `false`. */
  readonly retryable?: boolean
  /** What the person can do about it, one sentence. */
  readonly hint?: string
  readonly cause?: unknown
  /** Facts for programs: JSON only. */
  readonly details?: JsonObject
}

/** The one error class: `code` says what happened, `retryable` whether trying again can help, `hint` what to do. */
export class ScholiumError extends Error {
  override readonly name = 'ScholiumError'
  readonly code: ErrorCode
  readonly retryable: boolean
  readonly hint: string | undefined
  readonly details: JsonObject

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.retryable = options.retryable ?? false
    this.hint = options.hint
    this.details = options.details ?? {}
  }
}

/** An error as data: what a log holds and what a tool gives back to a model. */
export type Failure = {
  readonly code: ErrorCode
  readonly message: string
  readonly retryable: boolean
  readonly hint?: string
  readonly details?: JsonObject
}

const endingCodes: ReadonlySet<ErrorCode> = new Set([
  'cancelled',
  'fenced',
  'store_failed',
  'limit_reached',
  'step_changed',
  'step_missing',
  'step_repeated',
  'waiting',
])

/** Whether a failure ends the whole run. A tool, branch or agent in which it occurs must rethrow it. */
export function endsRun(code: ErrorCode): boolean {
  return endingCodes.has(code)
}

/**
 * Like {@link endsRun}, for code at a path: the limit of a part ends everything inside that part and is an ordinary failure
 * outside of it.
 */
export function endsAt(thrown: unknown, path: string): boolean {
  const { code, details } = toFailure(thrown)
  const part = details?.part
  if (code !== 'limit_reached' || typeof part !== 'string') return endsRun(code)
  return path === part || path.startsWith(`${part}/`)
}

/** Any thrown value as a {@link Failure}; what is not a {@link ScholiumError} becomes `internal`, or `cancelled` for an abort. */
export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof ScholiumError) {
    const { code, message, retryable, hint, details } = thrown
    return {
      code,
      message,
      retryable,
      ...(hint === undefined ? {} : { hint }),
      ...(Object.keys(details).length === 0 ? {} : { details }),
    }
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  const isAbort = thrown instanceof Error && thrown.name === 'AbortError'
  return { code: isAbort ? 'cancelled' : 'internal', message, retryable: false }
}

/** The error for a {@link Failure}; `cause` is the value originally thrown, if it is still available. */
export function fromFailure(failure: Failure, cause?: unknown): ScholiumError {
  const { code, message, retryable, hint, details } = failure
  return new ScholiumError(code, message, {
    retryable,
    ...(cause === undefined ? {} : { cause }),
    ...(hint === undefined ? {} : { hint }),
    ...(details === undefined ? {} : { details }),
  })
}
