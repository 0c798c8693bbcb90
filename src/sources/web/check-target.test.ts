import { networkInterfaces } from 'node:os'
import { describe, expect, it } from 'vitest'
import { isOwnNetwork } from './check-target.ts'

const info = (address: string, prefix: number) => {
  const family = address.includes(':') ? ('IPv6' as const) : ('IPv4' as const)
  const cidr = `${address}/${prefix}`
  return { address, family, cidr, netmask: '', mac: '', internal: false, scopeid: 0 }
}
const interfaces = {
  eth0: [info('93.184.215.14', 24), info('2a00:1450:4001:800::14', 64)],
  tun0: [info('2606:4700::1', 8)],
  gone: undefined,
}

describe('your own network', () => {
  it.each([
    ['93.184.215.14', true],
    ['::ffff:93.184.215.14', true],
    ['93.184.215.15', false],
    ['2a00:1450:4001:800::14', true],
    ['2a00:1450:4001:800:1:2:3:4', true],
    ['2a00:1450:4001:801::14', false],
    ['2606:4700::1', true],
    ['2606:4700::2', false],
    ['nonsense', false],
  ])('%s: %s', (address, expected) => {
    expect(isOwnNetwork(address, interfaces)).toBe(expected)
  })

  it('is that of this machine', () => {
    const own = Object.values(networkInterfaces()).flatMap((infos) => infos ?? [])
    expect(own.map(({ address }) => isOwnNetwork(address))).toEqual(own.map(() => true))
    expect(isOwnNetwork('1.1.1.1')).toBe(false)
  })
})
