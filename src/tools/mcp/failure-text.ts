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
export function systemCodeOf(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = (at as NodeJS.ErrnoException).code
    if (typeof code === 'string' && Object.hasOwn(causes, code)) return code
  }
  return undefined
}

/** What a thrown value says, cleaned, bounded and without the server's secrets. */
export function reasonOf(error: unknown, { secrets }: McpServerConfig): string {
  const code = systemCodeOf(error)
  if (code !== undefined) return `${causes[code]} (${code})`
  const text = error instanceof Error ? error.message : String(error)
  // The words of `fetch`, in which the cause is lost.
  if (/\bfetch failed$/.test(text)) return 'it cannot be connected to'
  return cleanText(redactSecrets(text, secrets), maxReasonChars)
}

/** What a server is called in messages. */
export function titleOf({ name }: McpServerConfig): string {
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
