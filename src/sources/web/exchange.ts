import { type IncomingMessage, type RequestOptions, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import type { LookupFunction, TcpSocketConnectOpts } from 'node:net'
import type { HostAddress, Target } from './check-target.ts'
import { BadAnswer, TimedOut } from './transport-failure.ts'

/** A request. */
export interface WebRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | undefined
}

type Families = Pick<TcpSocketConnectOpts, 'autoSelectFamily' | 'autoSelectFamilyAttemptTimeout'>

/** How long one of a host's addresses is tried before the next. */
const nextAddressAfterMs = 1_000

/**
 * Sends a request on a connection of its own, only to one of the target's addresses: the name is not resolved again, and
 * neither pooled connections nor the environment's proxies are used. Resolves with the response's head; its body must be
 * read or destroyed. Redirects are responses.
 */
export function exchange(
  { url, addresses }: Target,
  { method, headers, body }: WebRequest,
  { signal, firstByteMs }: { readonly signal: AbortSignal; readonly firstByteMs: number },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options: RequestOptions & Families = {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-length': body.length }) },
      agent: false,
      lookup: pinAddresses(addresses),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: nextAddressAfterMs,
      signal,
    }
    const request =
      url.protocol === 'https:'
        ? requestSecure(url, { ...options, rejectUnauthorized: true })
        : requestPlain(url, options)
    const timer = setTimeout(() => request.destroy(new TimedOut(firstByteMs)), firstByteMs)
    request.on('response', (response) => {
      clearTimeout(timer)
      resolve(response)
    })
    request.on('upgrade', (_response, socket) => {
      socket.destroy()
      reject(new BadAnswer('it uses another protocol'))
    })
    // Kept until the end, because a connection may also fail during or after the body.
    request.on('error', reject)
    request.on('close', () => {
      clearTimeout(timer)
      reject(Object.assign(new Error('closed without a response'), { code: 'ECONNRESET' }))
    })
    request.end(body)
  })
}

/** A DNS look-up with a fixed answer. */
function pinAddresses(addresses: readonly HostAddress[]): LookupFunction {
  return (_host, { all }, answer) => {
    const [first] = addresses
    if (all === true) answer(null, [...addresses])
    else answer(null, first?.address ?? '', first?.family)
  }
}
