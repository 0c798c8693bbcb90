import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { toErrorAnswer } from '../request-error.ts'

/** An error as programs that speak OpenAI's API expect it. */
export interface OpenAiError {
  readonly error: {
    readonly message: string
    readonly type: string
    readonly param: string | null
    readonly code: string
  }
}

/** A request to a model that does not exist, with something that Scholium cannot do, or whose run failed. */
export class OpenAiRequestError extends Error {
  readonly code: 'model_not_found' | 'unsupported_value' | 'run_failed'
  readonly param: string | null
  /** The code that the program is told: that of the failure, if a run failed. */
  readonly toldCode: string

  constructor(
    code: OpenAiRequestError['code'],
    param: string | null,
    message: string,
    toldCode: string = code,
  ) {
    super(message)
    this.code = code
    this.param = param
    this.toldCode = toldCode
  }
}

/** Whether a request is answered in OpenAI's forms. */
export function isOpenAiPath(path: string): boolean {
  return path === '/v1' || path.startsWith('/v1/')
}

/** The status and body for anything that was thrown. */
export function toOpenAiError(thrown: unknown): {
  readonly status: ContentfulStatusCode
  readonly body: OpenAiError
} {
  if (thrown instanceof OpenAiRequestError) {
    const { code, param, message, toldCode } = thrown
    const status = requestStatuses[code]
    return { status, body: { error: { message, type: typeOf(status), param, code: toldCode } } }
  }
  const { status, body } = toErrorAnswer(thrown)
  const { code, message, hint } = body.error
  const text = hint === undefined ? message : `${message} ${hint}`
  return { status, body: { error: { message: text, type: typeOf(status), param: null, code } } }
}

const requestStatuses = { model_not_found: 404, unsupported_value: 400, run_failed: 500 } as const

function typeOf(status: number): string {
  return types[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error')
}

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  429: 'rate_limit_error',
}
