import { ScholiumError } from '../../kernel/errors.ts'
import { reasonOf, systemCodeOf, titleOf } from './failure-text.ts'
import type { McpServerConfig } from './mcp-config.ts'
import type { McpConnection } from './mcp-connection.ts'
import { codeOf, isTimeout } from './sdk-errors.ts'

/** What is asked of a server, for messages. */
export interface Request {
  /** `the tool "x"`, `the list of its tools`. */
  readonly what: string
  /** Whether it may change something. */
  readonly isWrite: boolean
}

/** A failed request and what is known of it. */
export interface FailedRequest {
  readonly config: McpServerConfig
  readonly connection: McpConnection
  readonly request: Request
  readonly error: unknown
}

/** Codes of the SDK after which nobody knows whether the server did what it was asked for. */
const lostCodes = ['CONNECTION_CLOSED', 'REQUEST_TIMEOUT', 'SEND_FAILED']

/** A thrown value's meaning for who asked: `outcome_unknown` for a write whose answer was lost, else `tool_failed`. */
export function callFailure({ config, connection, request, error }: FailedRequest): ScholiumError {
  if (connection.refusal !== undefined) return connection.refusal
  const title = titleOf(config)
  const { lossReason } = connection
  if (lossReason === undefined && !isLost(error)) {
    const message = `${title}: ${request.what}: ${reasonOf(error, config)}`
    return new ScholiumError('tool_failed', message, { cause: error })
  }
  const reason = lossReason ?? lossText(error, config)
  const lastWords = lossReason === undefined ? '' : connection.lastWords
  if (!request.isWrite) {
    const message = `${title} ${reason} before the answer to ${request.what} came.${lastWords}`
    return new ScholiumError('tool_failed', message, { retryable: true, cause: error })
  }
  return new ScholiumError(
    'outcome_unknown',
    `${title} ${reason} before the answer to ${request.what} came; it is unknown whether it was done.${lastWords}`,
    { hint: 'Check whether it was done before requesting it again.', cause: error },
  )
}

function isLost(error: unknown): boolean {
  if (lostCodes.includes(codeOf(error) as string)) return true
  const { status } = error as { status?: unknown }
  if (typeof status === 'number') return status >= 500
  // Those of `fetch`; one that was refused never left.
  const isFetch = error instanceof TypeError && /^(fetch failed|terminated)/.test(error.message)
  return isFetch && systemCodeOf(error) !== 'ECONNREFUSED'
}

function lossText(error: unknown, config: McpServerConfig): string {
  if (isTimeout(error)) return 'did not answer in time'
  return `failed (${reasonOf(error, config)})`
}
