/** The code of an error of the SDK: a text for its own, a number for one that the server sent. */
export function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | undefined)?.code
}

/** Whether time ran out. */
export function isTimeout(error: unknown): boolean {
  return (
    codeOf(error) === 'REQUEST_TIMEOUT' || (error as Error | undefined)?.name === 'TimeoutError'
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
export function isAnswer(error: unknown): boolean {
  const { status } = (error ?? {}) as { status?: unknown }
  if (typeof status === 'number') return status < 500
  return typeof codeOf(error) === 'number' || codeOf(error) === 'INVALID_RESULT'
}
