import { type IncomingMessage, type RequestOptions, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import type { LookupFunction, TcpSocketConnectOpts } from 'node:net'
import type { HostAddress, Target } from './check-target.ts'
import { BadAnswer, TimedOut } from './transport-failure.ts'

/** One request. */
export interface WebRequest {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | undefined
}

type Families = Pick<TcpSocketConnectOpts, 'autoSelectFamily' | 'autoSelectFamilyAttemptTimeout'>

/** How long one of several addresses of a host is tried before the next. */
const nextAddressAfterMs = 1_000

/**
 * Asks the target on a connection of its own, which goes to one of the target's addresses and nowhere else: the name is
 * not looked up again, and neither pooled connections nor proxies of the environment are used. Resolves with the answer's
 * head; the body is still to be read or destroyed. Redirects are answers.
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
    // Listened to until the end: a connection may also fail while or after the body is read.
    request.on('error', reject)
    request.on('close', () => {
      clearTimeout(timer)
      reject(Object.assign(new Error('closed without a response'), { code: 'ECONNRESET' }))
    })
    request.end(body)
  })
}

/** A look-up that knows one answer. */
function pinAddresses(addresses: readonly HostAddress[]): LookupFunction {
  return (_host, { all }, answer) => {
    const [first] = addresses
    if (all === true) answer(null, [...addresses])
    else answer(null, first?.address ?? '', first?.family)
  }
}
