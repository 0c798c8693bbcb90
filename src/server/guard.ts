import { createHash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import { RequestError } from './request-error.ts'
import { operator, type Principal, type TokenFile } from './tokens.ts'

/** Who may reach the server, and by which names. */
export interface Access {
  /** The operator's. */
  readonly token: string
  /** Those that the operator gave out. */
  readonly tokens: Pick<TokenFile, 'find' | 'isKnown'>
  /** Host names of the server, in addition to `localhost` and IP addresses. */
  readonly hosts: readonly string[]
  /** The origin at which a proxy offers the server. */
  readonly publicOrigin?: string
}

/** Refuses requests by a name that only looks like this server's. @throws `forbidden` */
export function checkHost(request: Request, access: Access): void {
  if (isOwnHost(hostOf(request), access)) return
  throw new RequestError(
    'forbidden',
    'The request names a host that is not this server.',
    'The operator can allow it with --public-url.',
  )
}

/** Refuses requests that a page of another site has made. @throws `forbidden` */
export function checkOrigin(request: Request, access: Access): void {
  const host = hostOf(request)
  const origin = request.headers.get('origin')
  const isOwnOrigin =
    origin === null || origin === access.publicOrigin || URL.parse(origin)?.host === host
  const site = request.headers.get('sec-fetch-site') ?? 'none'
  if (!isOwnOrigin || (site !== 'none' && site !== 'same-origin'))
    throw new RequestError('forbidden', 'Pages of other sites may not use this server.')
}

function hostOf(request: Request): string {
  return request.headers.get('host') ?? new URL(request.url).host
}

function isOwnHost(host: string, { hosts, publicOrigin }: Access): boolean {
  const { hostname = '' } = URL.parse(`http://${host}`) ?? {}
  const isAddress = isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0
  const isPublic = publicOrigin !== undefined && new URL(publicOrigin).host === host
  // A name could be pointed at this machine by anybody; an address cannot.
  return isAddress || isPublic || hostname === 'localhost' || hosts.includes(hostname)
}

/** Whether a request posts a bundle to be verified, which is not JSON. @param path without a proxy's prefix */
export function carriesBundle({ method, headers }: Request, path: string): boolean {
  const type = headers.get('content-type') ?? ''
  return method === 'POST' && path === verifyPath && /^application\/zip\s*(?:;|$)/i.test(type)
}

/** Refuses bodies in a form that browsers send to other sites without asking. @throws `unsupported_media_type` */
export function checkMediaType({ method, headers }: Request): void {
  const type = headers.get('content-type')
  const isEmpty =
    (headers.get('content-length') ?? '0') === '0' && !headers.has('transfer-encoding')
  if (method === 'GET' || method === 'HEAD' || (type === null && isEmpty)) return
  if (/^application\/json\s*(?:;|$)/i.test(type ?? '')) return
  throw new RequestError(
    'unsupported_media_type',
    'Only JSON is accepted.',
    'Send the header Content-Type: application/json.',
  )
}

/** Where bundles and texts are verified. */
export const verifyPath = '/api/verify'

/** Paths to which those may post who may only look: nothing is changed or recorded there. */
export const changesNothing: ReadonlySet<string> = new Set([verifyPath, '/api/agents/validate'])

/** @throws `forbidden` for somebody who may only look */
export function checkMayChange({ role }: Principal): void {
  if (role !== 'read') return
  throw new RequestError(
    'forbidden',
    'This token only allows to look at runs.',
    'The operator can create another: scholium tokens add NAME --role run',
  )
}

/** Who makes a request. @throws `unauthorized` without a token that is known */
export function authenticate(request: Request, { token, tokens }: Access): Principal {
  const [, given = ''] = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  if (timingSafeEqual(digest(given), digest(token))) return operator
  const principal = given === '' ? undefined : tokens.find(given)
  if (principal !== undefined) return principal
  throw new RequestError(
    'unauthorized',
    given === '' ? 'A token is needed.' : 'This token is not known.',
    'Send the header Authorization: Bearer TOKEN. "scholium serve" prints the token when it starts.',
  )
}

function digest(text: string): Uint8Array {
  return createHash('sha256').update(text).digest()
}

/** Whether the token of somebody was not revoked. */
export function isStillKnown(principal: Principal, { tokens }: Access): boolean {
  try {
    return principal === operator || tokens.isKnown(principal)
  } catch {
    // As long as the file of tokens is damaged, it lets nobody in.
    return false
  }
}
