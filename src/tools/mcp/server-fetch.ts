import type { FetchLike, JSONRPCMessage } from '@modelcontextprotocol/client'
import { ScholiumError } from '../../kernel/errors.ts'
import { maxMessageBytes, tooLargeError } from './line-reader.ts'
import type { HttpServerConfig } from './mcp-config.ts'
import { cleanLine } from './untrusted-text.ts'

/** A `fetch` for one server, and its last refusal. */
export interface ServerFetch {
  readonly fetch: FetchLike
  /** Why the server denied access last time; `undefined` after a success. */
  refusal(): ScholiumError | undefined
  /** Aborts pending requests: an endless stream would keep the process alive. */
  close(): void
}

/**
 * Creates a `fetch` for one server: only to its own origin, without following redirects, which could leak headers; a
 * refusal is remembered; a message that is too large ends its stream and is answered with an error.
 */
export function createServerFetch(
  config: HttpServerConfig,
  answerFor: (message: JSONRPCMessage) => void,
): ServerFetch {
  const { origin } = new URL(config.url)
  const closing = new AbortController()
  let refusal: ScholiumError | undefined
  const refuse = (error: ScholiumError): never => {
    refusal = error
    throw error
  }
  return {
    refusal: () => refusal,
    close: () => closing.abort(new Error('The connection was closed.')),
    async fetch(url, init) {
      if (new URL(url).origin !== origin) {
        return refuse(refused(config, `asks for an address elsewhere, ${new URL(url).origin}`))
      }
      const asked = init?.signal ?? closing.signal
      const signal = AbortSignal.any([asked, closing.signal])
      const response = await fetch(url, { ...init, signal, redirect: 'manual' })
      const { status, headers } = response
      if (status >= 300 && status < 400) {
        await response.body?.cancel()
        return refuse(followRedirects(config, headers.get('location')))
      }
      if (status === 401 || status === 403) {
        await response.body?.cancel()
        return refuse(describeUnauthorized(config, status))
      }
      refusal = undefined
      const id = findRequestId(init?.body)
      return limitBody(response, () => {
        if (id !== undefined) answerFor(tooLargeError(id, maxMessageBytes))
      })
    },
  }
}

function refused({ name }: HttpServerConfig, what: string, hint?: string): ScholiumError {
  const options = hint === undefined ? {} : { hint }
  return new ScholiumError('tool_failed', `MCP server "${name}" ${what}.`, options)
}

function followRedirects(config: HttpServerConfig, location: string | null): ScholiumError {
  const target = URL.parse(location ?? '', config.url)
  return refused(
    config,
    `answered with a redirect to ${target === null ? 'nowhere' : cleanLine(target.origin + target.pathname, 200)}, which is not followed, so that its headers are not sent elsewhere`,
    'If the target is right, set that address in the configuration.',
  )
}

function describeUnauthorized(config: HttpServerConfig, status: number): ScholiumError {
  const headers = Object.keys(config.headers)
  const [what, hint] =
    headers.length === 0
      ? ['its configuration gives no headers', 'Add "headers": {"Authorization": "Bearer …"}.']
      : [
          `it did not accept ${headers.map((name) => describeFailure(config, name)).join(', ')}`,
          'Check that it is correct and has not expired.',
        ]
  return refused(config, `denies access (HTTP ${status}): ${what}`, hint)
}

function describeFailure({ headerVariables }: HttpServerConfig, header: string): string {
  const variables = headerVariables[header] ?? []
  const from = variables.length === 0 ? '' : ` (from ${variables.join(', ')})`
  return `the header ${header}${from}`
}

function findRequestId(body: RequestInit['body']): string | number | undefined {
  if (typeof body !== 'string') return undefined
  const { id } = JSON.parse(body) as { id?: unknown }
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}

/** The response with a body that fails when one message (a line) is too large. */
function limitBody(response: Response, onTooLarge: () => void): Response {
  if (response.body === null) return response
  let lineBytes = 0
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const newline = chunk.lastIndexOf(10)
      lineBytes = newline === -1 ? lineBytes + chunk.length : chunk.length - newline - 1
      if (lineBytes <= maxMessageBytes) return controller.enqueue(chunk)
      onTooLarge()
      controller.error(new Error('A message of the server is too large.'))
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(counter), { status, statusText, headers })
}
