import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { type ErrorCode, type Failure, toFailure } from '../kernel/errors.ts'

/** What can be wrong with a request itself. */
const requestErrors = {
  malformed: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  too_many_requests: 429,
} as const satisfies Readonly<Record<string, ContentfulStatusCode>>

/** A request that is refused before anything is done. */
export class RequestError extends Error {
  readonly code: keyof typeof requestErrors
  readonly hint: string | undefined

  /** @param hint what the caller can do, one sentence */
  constructor(code: keyof typeof requestErrors, message: string, hint?: string) {
    super(message)
    this.code = code
    this.hint = hint
  }
}

const failureStatuses: Readonly<Record<ErrorCode, ContentfulStatusCode>> = {
  invalid_input: 400,
  invalid_configuration: 422,
  invalid_graph: 422,
  invalid_agent_file: 422,
  template_failed: 422,
  tool_failed: 502,
  model_failed: 502,
  model_unavailable: 503,
  model_output_malformed: 502,
  limit_reached: 409,
  step_changed: 409,
  step_repeated: 409,
  step_missing: 409,
  step_failed: 502,
  outcome_unknown: 409,
  run_not_found: 404,
  run_busy: 409,
  run_incompatible: 409,
  fenced: 409,
  store_failed: 503,
  cancelled: 409,
  waiting: 409,
  internal: 500,
}

/** The body of every answer that reports an error. */
export type ErrorBody = {
  readonly schema: 'scholium.error/1'
  readonly error: Omit<Failure, 'code'> & { readonly code: string }
}

/** The status and body for anything that was thrown while a request was answered. */
export function toErrorAnswer(thrown: unknown): {
  readonly status: ContentfulStatusCode
  readonly body: ErrorBody
} {
  if (thrown instanceof HTTPException && thrown.status === 400)
    return toErrorAnswer(new RequestError('malformed', 'The body is not JSON.'))
  if (thrown instanceof RequestError) {
    const { code, message, hint } = thrown
    const error = { code, message, retryable: code === 'too_many_requests', ...(hint && { hint }) }
    return { status: requestErrors[code], body: { schema: 'scholium.error/1', error } }
  }
  const { details: _, ...failure } = toFailure(thrown)
  const error =
    failure.code === 'internal'
      ? {
          ...failure,
          message: 'The server failed.',
          hint: 'Its operator finds the reason in its output.',
        }
      : failure
  return { status: failureStatuses[failure.code], body: { schema: 'scholium.error/1', error } }
}
