import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { orAborted } from '../../kernel/run/deadline.ts'
import { findBlockedName, findBlockedRange } from './address-range.ts'
import { type FetchFailure, type FetchFailureReason, shownUrl } from './fetch-failure.ts'

/** An address that may be requested, with the only IP addresses the connection may use. */
export interface Target {
  readonly url: URL
  readonly addresses: readonly HostAddress[]
}

/** What decides about an address. */
export interface Guard {
  /** Origins the operator trusts wherever they are: an internal server, a test server. */
  readonly allowedOrigins: readonly string[]
  readonly resolve: ResolveHost
}

const maxUrlUnits = 8_000

/** Parses a web address by the URL standard, or says why it is refused. No name is resolved. */
export function parseWebUrl(text: string, base?: URL): URL | FetchFailure {
  const refuse = (detail: string, hint = 'Check the address.') =>
    failure('bad_url', base ?? text, detail, hint)
  if (text.length > maxUrlUnits) return refuse('The address is too long.')
  if (!URL.canParse(text, base?.href)) return refuse('That is not a web address.')
  const url = new URL(text, base?.href)
  url.hash = ''
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return refuse(`Only http and https are fetched, not ${url.protocol}`)
  }
  if (url.username !== '' || url.password !== '') {
    return refuse('The address contains a user name or password.', 'Give the address without them.')
  }
  url.hostname = url.hostname.replace(/\.+$/, '')
  return url
}

/**
 * Checks where an address may be fetched from: all of its host's addresses must be public, since it is chance which one
 * is used. Rejects if the name cannot be resolved.
 */
export async function checkTarget(
  url: URL,
  guard: Guard,
  signal: AbortSignal,
): Promise<Target | FetchFailure> {
  signal.throwIfAborted()
  const early = findBlockedTarget(url, guard.allowedOrigins)
  if (early !== undefined) return early
  const host = bareHost(url)
  const isAllowed = guard.allowedOrigins.includes(url.origin)
  const family = isIP(host)
  if (family !== 0) return { url, addresses: [{ address: host, family: family === 6 ? 6 : 4 }] }
  const addresses = await orAborted(guard.resolve(host), signal)
  if (addresses.length === 0) {
    return failure('dns', url, `The host ${host} has no address.`, 'Check the spelling.')
  }
  const ranges = isAllowed ? [] : addresses.map(({ address }) => refuseAddress(address))
  const blocked = ranges.find((range) => range !== undefined)
  return blocked === undefined ? { url, addresses } : describeBlock(url, blocked)
}

/** Why an address is refused before any name is resolved. */
export function findBlockedTarget(
  url: URL,
  allowedOrigins: Guard['allowedOrigins'] = [],
): FetchFailure | undefined {
  if (allowedOrigins.includes(url.origin)) return undefined
  const host = bareHost(url)
  const blocked = isIP(host) === 0 ? findBlockedName(host) : refuseAddress(host)
  if (blocked !== undefined) return describeBlock(url, blocked)
  if (!hasBadPort(url)) return undefined
  const detail = `Port ${url.port} is not a web port.`
  return failure('blocked_address', url, detail, 'Check the address.')
}

function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

function refuseAddress(address: string): string | undefined {
  return findBlockedRange(address) ?? (isOwnNetwork(address) ? 'your own network' : undefined)
}

function describeBlock(url: URL, range: string): FetchFailure {
  const detail = `${url.hostname} leads to ${range}, not to the public web.`
  const hint = `If this is intended, the operator can allow ${url.origin}.`
  return failure('blocked_address', url, detail, hint)
}

function failure(
  reason: FetchFailureReason,
  url: URL | string,
  detail: string,
  hint: string,
): FetchFailure {
  return { reason, url: shownUrl(url), detail, hint }
}

/**
 * Ports of other services, which a request could be confused with.
 * @see https://fetch.spec.whatwg.org/#port-blocking
 */
const badPorts: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
])

/** Whether an address has a port that browsers refuse; never for the scheme's default port. */
function hasBadPort(url: URL): boolean {
  return url.port !== '' && badPorts.has(Number(url.port))
}

/** This machine's addresses by interface, in Node's format. */
type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>

/**
 * Whether a public address belongs to this machine or, for IPv6, to its network: neighbours such as a printer or disk
 * have public addresses there, protected only by the router.
 */
export function isOwnNetwork(
  address: string,
  interfaces: Interfaces = networkInterfaces(),
): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  const own = Object.values(interfaces).flatMap((infos) => infos ?? [])
  return own.some(({ address: ownAddress, cidr }) => {
    if (!ipaddr.isValid(ownAddress)) return false
    const mine = ipaddr.process(ownAddress)
    if (parsed instanceof ipaddr.IPv4 || mine instanceof ipaddr.IPv4) {
      return parsed.toString() === mine.toString()
    }
    return parsed.match(mine, prefixLength(cidr))
  })
}

function prefixLength(cidr: string | null): number {
  const prefix = Number(cidr?.split('/')[1] ?? 128)
  // A shorter prefix is a tunnel's or a mistake, and would block part of the web.
  return prefix >= 48 && prefix <= 128 ? prefix : 128
}

/** An IP address of a host. */
export interface HostAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** All addresses of a host in the order to try; rejects with the system's error if the name cannot be resolved. */
export type ResolveHost = (host: string) => Promise<readonly HostAddress[]>

/** Resolves through the system: its hosts file and name servers. */
export const resolveHost: ResolveHost = async (host) => {
  const found = await lookup(host, { all: true, order: 'verbatim' })
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}
