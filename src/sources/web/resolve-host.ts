import { lookup } from 'node:dns/promises'

/** An IP address that a host has. */
export interface HostAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** All addresses of a host, in the order in which they are to be tried; rejects with the system's error when the name cannot be looked up. */
export type ResolveHost = (host: string) => Promise<readonly HostAddress[]>

/** Asks the system, as every program here does: its hosts file and its name servers. */
export const resolveBySystem: ResolveHost = async (host) => {
  const found = await lookup(host, { all: true, order: 'verbatim' })
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}
