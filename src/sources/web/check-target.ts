import { isIP } from 'node:net'
import { orAborted } from '../../kernel/run/deadline.ts'
import { blockedName, blockedRange } from './address-range.ts'
import { hasBadPort } from './bad-ports.ts'
import { type FetchFailure, type FetchFailureReason, shownUrl } from './fetch-failure.ts'
import { isOwnNetwork } from './own-network.ts'
import type { HostAddress, ResolveHost } from './resolve-host.ts'

/** An address that may be asked, with the only places to which the connection may go. */
export interface Target {
  readonly url: URL
  readonly addresses: readonly HostAddress[]
}

/** What decides over an address. */
export interface Guard {
  /** Origins that the operator trusts wherever they are: a server of the house, one of a test. */
  readonly allowedOrigins: readonly string[]
  readonly resolve: ResolveHost
}

const MAX_URL_UNITS = 8_000

/** A web address as the URL standard reads it, or why it is none that is asked. No name is looked up. */
export function parseWebUrl(text: string, base?: URL): URL | FetchFailure {
  const refuse = (detail: string, hint = 'Check the address.') =>
    failure('bad_url', base ?? text, detail, hint)
  if (text.length > MAX_URL_UNITS) return refuse('The address is too long.')
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
 * Where an address may be fetched from: of its host's addresses all must be public, since which one is used is chance.
 * Rejects when the name cannot be looked up.
 */
export async function checkTarget(
  url: URL,
  guard: Guard,
  signal: AbortSignal,
): Promise<Target | FetchFailure> {
  signal.throwIfAborted()
  const early = blockedTarget(url, guard.allowedOrigins)
  if (early !== undefined) return early
  const host = hostOf(url)
  const isAllowed = guard.allowedOrigins.includes(url.origin)
  const family = isIP(host)
  if (family !== 0) return { url, addresses: [{ address: host, family: family === 6 ? 6 : 4 }] }
  const addresses = await orAborted(guard.resolve(host), signal)
  if (addresses.length === 0) {
    return failure('dns', url, `The host ${host} has no address.`, 'Check the spelling.')
  }
  const ranges = isAllowed ? [] : addresses.map(({ address }) => blockedAddress(address))
  const blocked = ranges.find((range) => range !== undefined)
  return blocked === undefined ? { url, addresses } : blockedBy(url, blocked)
}

/** Why an address may not be asked, as far as it tells that itself, before any name is looked up. */
export function blockedTarget(
  url: URL,
  allowedOrigins: Guard['allowedOrigins'] = [],
): FetchFailure | undefined {
  if (allowedOrigins.includes(url.origin)) return undefined
  const host = hostOf(url)
  const blocked = isIP(host) === 0 ? blockedName(host) : blockedAddress(host)
  if (blocked !== undefined) return blockedBy(url, blocked)
  if (!hasBadPort(url)) return undefined
  const detail = `Port ${url.port} is not a web port.`
  return failure('blocked_address', url, detail, 'Check the address.')
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '')
}

function blockedAddress(address: string): string | undefined {
  return blockedRange(address) ?? (isOwnNetwork(address) ? 'your own network' : undefined)
}

function blockedBy(url: URL, range: string): FetchFailure {
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
