import { ScholiumError } from '../../kernel/errors.ts'
import { redactSecrets } from '../../kernel/run/secrets.ts'
import type { McpServerConfig } from './mcp-config.ts'
import { cleanText } from './untrusted-text.ts'

const maxReasonChars = 2_000
const causes: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such program or folder',
  EACCES: 'it is not executable',
  ENOEXEC: 'it is not a program',
  ECONNREFUSED: 'nothing listens at its address',
  ENOTFOUND: 'its address is unknown',
  EAI_AGAIN: 'its address cannot be resolved at the moment',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
}

/** The code of a system error or of its cause. */
export function findSystemCode(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = (at as NodeJS.ErrnoException).code
    if (typeof code === 'string' && Object.hasOwn(causes, code)) return code
  }
  return undefined
}

/** The message of an error, cleaned, bounded and without the server's secrets. */
export function describeReason(error: unknown, { secrets }: McpServerConfig): string {
  const code = findSystemCode(error)
  if (code !== undefined) return `${causes[code]} (${code})`
  const text = error instanceof Error ? error.message : String(error)
  // `fetch` hides the cause behind these words.
  if (/\bfetch failed$/.test(text)) return 'it cannot be connected to'
  return cleanText(redactSecrets(text, secrets), maxReasonChars)
}

/** A server's name in messages. */
export function serverTitle({ name }: McpServerConfig): string {
  return `MCP server "${name}"`
}

/** A sentence with the end of a process's standard error; empty if it wrote nothing. */
export function stderrSentence(stderr: string): string {
  return stderr === '' ? '' : ` Its last output: ${stderr}`
}

/** A connection failure. */
export function connectionError(message: string, cause?: unknown, hint?: string): ScholiumError {
  return new ScholiumError('tool_failed', message, {
    retryable: true,
    ...(cause === undefined ? {} : { cause }),
    ...(hint === undefined ? {} : { hint }),
  })
}

/** The code of an SDK error: a text for the SDK's own, a number for the server's. */
export function errorCode(error: unknown): unknown {
  return (error as { code?: unknown } | undefined)?.code
}

/** Whether a time limit was reached. */
export function isTimeout(error: unknown): boolean {
  return (
    errorCode(error) === 'REQUEST_TIMEOUT' || (error as Error | undefined)?.name === 'TimeoutError'
  )
}

/**
 * Whether the server refused the request because it no longer knows the session; the request was not executed then.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
 */
export function isLostSession(
  error: unknown,
  connection: { readonly hasSession: boolean },
): boolean {
  if (!connection.hasSession || !(error instanceof Error)) return false
  const { status } = error as { status?: unknown }
  // The official server responds with 400 to an unknown session.
  return status === 404 || (status === 400 && /session/i.test(error.message))
}

/** Whether an error shows that the server responded, even with an error or nonsense. */
export function isServerAnswer(error: unknown): boolean {
  const { status } = (error ?? {}) as { status?: unknown }
  if (typeof status === 'number') return status < 500
  return typeof errorCode(error) === 'number' || errorCode(error) === 'INVALID_RESULT'
}

/** A request to a server, for messages. */
export interface ServerRequest {
  /** `the tool "x"`, `the list of its tools`. */
  readonly what: string
  /** Whether it may change something. */
  readonly isWrite: boolean
}

/** A failed request and what is known about it. */
interface FailedRequest {
  readonly config: McpServerConfig
  readonly connection: {
    readonly refusal: ScholiumError | undefined
    readonly lossReason: string | undefined
    readonly lastWords: string
  }
  readonly request: ServerRequest
  readonly error: unknown
}

/** SDK error codes after which it is unknown whether the server executed the request. */
const lostCodes = ['CONNECTION_CLOSED', 'REQUEST_TIMEOUT', 'SEND_FAILED']

/** The error for the caller: `outcome_unknown` for a write whose response was lost, else `tool_failed`. */
export function toCallFailure({
  config,
  connection,
  request,
  error,
}: FailedRequest): ScholiumError {
  if (connection.refusal !== undefined) return connection.refusal
  const title = serverTitle(config)
  const { lossReason } = connection
  if (lossReason === undefined && !isLost(error)) {
    const message = `${title}: ${request.what}: ${describeReason(error, config)}`
    return new ScholiumError('tool_failed', message, { cause: error })
  }
  const reason = lossReason ?? describeLoss(error, config)
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
  if (lostCodes.includes(errorCode(error) as string)) return true
  const { status } = error as { status?: unknown }
  if (typeof status === 'number') return status >= 500
  // Errors of `fetch`; a refused connection means that the request was never sent.
  const isFetch = error instanceof TypeError && /^(fetch failed|terminated)/.test(error.message)
  return isFetch && findSystemCode(error) !== 'ECONNREFUSED'
}

function describeLoss(error: unknown, config: McpServerConfig): string {
  if (isTimeout(error)) return 'did not answer in time'
  return `failed (${describeReason(error, config)})`
}
