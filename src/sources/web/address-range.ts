import ipaddr from 'ipaddr.js'

/** Public addresses that answer only inside a provider's network. */
const metadataAddresses: readonly string[] = ['168.63.129.16']

/**
 * The only allocated range of IPv6, and its reserved parts.
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry
 */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
const notGlobal = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'].map(
  (range) => ipaddr.IPv6.parseCIDR(range),
)
/**
 * Deprecated; the library takes it for the mapped form.
 * @see https://www.rfc-editor.org/rfc/rfc4291#section-2.5.5.1
 */
const ipv4Compatible = /^::\d+\./
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

const rangeNames: Readonly<Record<string, string>> = {
  unspecified: 'this machine',
  loopback: 'this machine',
  private: 'a private network',
  uniqueLocal: 'a private network',
  deprecatedSiteLocal: 'a private network',
  carrierGradeNat: "a provider's inner network",
  linkLocal: 'the local link',
  multicast: 'a multicast or broadcast address',
  broadcast: 'a multicast or broadcast address',
}

/**
 * The kind of a non-public IP address ("a private network"); `undefined` if it is public. IPv6 is public only if
 * allocated to the public; IPv4 inside it (mapped, NAT64) is judged as IPv4.
 */
export function findBlockedRange(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return 'no address'
  if (ipv4Compatible.test(address)) return rangeName('reserved')
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return findBlockedIPv4(parsed)
  if (parsed.match(nat64)) return findBlockedIPv4(new ipaddr.IPv4(parsed.toByteArray().slice(12)))
  const isGlobal =
    parsed.match(globalUnicast) &&
    parsed.range() === 'unicast' &&
    !notGlobal.some((range) => parsed.match(range))
  return isGlobal ? undefined : rangeName(parsed.range())
}

function findBlockedIPv4(address: ipaddr.IPv4): string | undefined {
  if (metadataAddresses.includes(address.toString())) return "a provider's inner network"
  const range = address.range()
  return range === 'unicast' ? undefined : rangeName(range)
}

function rangeName(range: string): string {
  return rangeNames[range] ?? 'a reserved range'
}

/**
 * Top-level names outside the public DNS.
 * @see https://www.iana.org/assignments/special-use-domain-names
 */
const localEndings =
  /(?:^|\.)(?:localhost|localdomain|local|internal|home\.arpa|lan|corp|home|intranet|private|invalid|test|onion|alt)$/
/** Public names under which providers serve their own machines. */
const metadataNames: readonly string[] = ['metadata.tencentyun.com', 'metadata.packet.net']

/** The kind of a non-public host name; `undefined` if only its addresses can tell. */
export function findBlockedName(host: string): string | undefined {
  if (metadataNames.includes(host)) return "a provider's inner network"
  if (localEndings.test(host)) return 'a local network'
  return host.includes('.') ? undefined : 'a local network'
}
