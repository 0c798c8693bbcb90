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

/** The code of a system error, also of one that caused another. */
export function findSystemCode(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = (at as NodeJS.ErrnoException).code
    if (typeof code === 'string' && Object.hasOwn(causes, code)) return code
  }
  return undefined
}

/** What a thrown value says, cleaned, bounded and without the server's secrets. */
export function describeReason(error: unknown, { secrets }: McpServerConfig): string {
  const code = findSystemCode(error)
  if (code !== undefined) return `${causes[code]} (${code})`
  const text = error instanceof Error ? error.message : String(error)
  // The words of `fetch`, in which the cause is lost.
  if (/\bfetch failed$/.test(text)) return 'it cannot be connected to'
  return cleanText(redactSecrets(text, secrets), maxReasonChars)
}

/** What a server is called in messages. */
export function serverTitle({ name }: McpServerConfig): string {
  return `MCP server "${name}"`
}

/** The sentence that shows the end of what a process wrote to its standard error; empty when it wrote nothing. */
export function stderrSentence(stderr: string): string {
  return stderr === '' ? '' : ` Its last output: ${stderr}`
}

/** A failure of a server's connection. */
export function connectionError(message: string, cause?: unknown, hint?: string): ScholiumError {
  return new ScholiumError('tool_failed', message, {
    retryable: true,
    ...(cause === undefined ? {} : { cause }),
    ...(hint === undefined ? {} : { hint }),
  })
}

/** The code of an error of the SDK: a text for its own, a number for one that the server sent. */
export function errorCode(error: unknown): unknown {
  return (error as { code?: unknown } | undefined)?.code
}

/** Whether time ran out. */
export function isTimeout(error: unknown): boolean {
  return (
    errorCode(error) === 'REQUEST_TIMEOUT' || (error as Error | undefined)?.name === 'TimeoutError'
  )
}

/**
 * Whether the server refused the request because it does not know our session any more: it was not done then.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
 */
export function isLostSession(
  error: unknown,
  connection: { readonly hasSession: boolean },
): boolean {
  if (!connection.hasSession || !(error instanceof Error)) return false
  const { status } = error as { status?: unknown }
  // The official server says 400 to a session that it does not know.
  return status === 404 || (status === 400 && /session/i.test(error.message))
}

/** Whether an error shows that the server answered, if only with an error or with what makes no sense. */
export function isServerAnswer(error: unknown): boolean {
  const { status } = (error ?? {}) as { status?: unknown }
  if (typeof status === 'number') return status < 500
  return typeof errorCode(error) === 'number' || errorCode(error) === 'INVALID_RESULT'
}

/** What is asked of a server, for messages. */
export interface Request {
  /** `the tool "x"`, `the list of its tools`. */
  readonly what: string
  /** Whether it may change something. */
  readonly isWrite: boolean
}

/** A failed request and what is known of it. */
interface FailedRequest {
  readonly config: McpServerConfig
  readonly connection: {
    readonly refusal: ScholiumError | undefined
    readonly lossReason: string | undefined
    readonly lastWords: string
  }
  readonly request: Request
  readonly error: unknown
}

/** Codes of the SDK after which nobody knows whether the server did what it was asked for. */
const lostCodes = ['CONNECTION_CLOSED', 'REQUEST_TIMEOUT', 'SEND_FAILED']

/** A thrown value's meaning for who asked: `outcome_unknown` for a write whose answer was lost, else `tool_failed`. */
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
  // Those of `fetch`; one that was refused never left.
  const isFetch = error instanceof TypeError && /^(fetch failed|terminated)/.test(error.message)
  return isFetch && findSystemCode(error) !== 'ECONNREFUSED'
}

function describeLoss(error: unknown, config: McpServerConfig): string {
  if (isTimeout(error)) return 'did not answer in time'
  return `failed (${describeReason(error, config)})`
}
