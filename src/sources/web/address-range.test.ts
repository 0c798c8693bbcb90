import { describe, expect, it } from 'vitest'
import { findBlockedName, findBlockedRange } from './address-range.ts'

describe('an address of no public network', () => {
  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.1',
    '100.64.0.1',
    '100.100.100.200',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.254',
    '168.63.129.16',
    '169.254.169.254',
    '169.254.170.2',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.255.255',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::127.0.0.1',
    '::8.8.8.8',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:a9fe:a9fe',
    '::ffff:0:127.0.0.1',
    '64:ff9b::10.0.0.1',
    '64:ff9b::169.254.169.254',
    '64:ff9b:1::8.8.8.8',
    '100::1',
    '2001::7f00:1',
    '2001:0:4136:e378:8000:63bf:f5ff:fffe',
    '2001:2::1',
    '2001:10::1',
    '2001:20::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2002:a00:1::1',
    '2002:808:808::1',
    '2620:4f:8000::1',
    '3fff::1',
    '4000::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fd20:ce::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    'nonsense',
    '',
  ])('%s', (address) => {
    expect(findBlockedRange(address)).toMatch(/\w/)
  })
})

describe('an address of the public web', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.255.255',
    '172.32.0.1',
    '192.167.1.1',
    '198.17.255.255',
    '198.20.0.1',
    '223.255.255.254',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
    '2001:4860:4860::8888',
    '2606:4700:4700::1111',
    '2a00:1450:4001:800::2004',
  ])('%s', (address) => {
    expect(findBlockedRange(address)).toBeUndefined()
  })
})

describe('a name', () => {
  it.each([
    'localhost',
    'a.localhost',
    'localhost.localdomain',
    'ip6-localhost',
    'metadata',
    'metadata.google.internal',
    'instance-data',
    'rancher-metadata',
    'printer.local',
    'nas.lan',
    'router.home.arpa',
    'wiki.corp',
    'abc.onion',
    'metadata.tencentyun.com',
    'metadata.packet.net',
  ])('%s is of no public network', (name) => {
    expect(findBlockedName(name)).toMatch(/network/)
  })

  it.each([
    'example.com',
    'localhost.example.com',
    'internal.example.org',
    'mylocal',
    'xlocalhost.net',
  ])('%s is judged by its addresses unless it has no dot', (name) => {
    expect(findBlockedName(name) === undefined).toBe(name.includes('.'))
  })
})
