import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** The addresses that this machine has, by interface, as Node tells them. */
export type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>

/**
 * Whether a public address is this machine's own, or of IPv6 one of its own network's: there the neighbours, a printer or a
 * disk, have public addresses too, and only the router keeps others out.
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
    return parsed.match(mine, prefixOf(cidr))
  })
}

function prefixOf(cidr: string | null): number {
  const prefix = Number(cidr?.split('/')[1] ?? 128)
  // A shorter one is a tunnel's or a mistake, and would shut out a part of the web.
  return prefix >= 48 && prefix <= 128 ? prefix : 128
}
