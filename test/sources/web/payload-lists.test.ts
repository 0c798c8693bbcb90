import { readdirSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { guardedFetch } from '../../../src/sources/web/guarded-fetch.ts'
import { countingSockets } from './raw-server.ts'

const data = process.env.SCHOLIUM_DATA
const lists = [
  'ssrf-cujanovic',
  'PayloadsAllTheThings/Server Side Request Forgery',
  'PayloadsAllTheThings/Open Redirect/Intruder',
]

/** All that somebody could take for an address, as it stands in the lists: words with a scheme, code, whole lines, hosts alone. */
function addressesIn(folder: string): readonly string[] {
  const names = readdirSync(folder).filter((name) => /\.(?:md|txt)$/.test(name))
  const texts = names.map((name) => readFileSync(join(folder, name), 'utf8'))
  const found = texts.flatMap((text) => [
    ...(text.match(/[a-z][\w+.-]*:[^\s`"'|<>]+/gi) ?? []),
    ...[...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code),
    ...text.split('\n').map((line) => line.trim()),
  ])
  const hosts = found.filter((word) => /^[\w.:[\]-]+$/.test(word)).map((word) => `http://${word}/`)
  return [...new Set([...found, ...hosts])].filter((address) => !isOutside(address))
}

/** Public addresses that stand in the lists as the harmless half of a trick: those would be fetched, and no test goes there. */
const outside = ['1.1.1.1', '1.2.3.4', '2.2.2.2', '3.3.3.3', '216.58.214.206', '[::ffff:d83a:d6ce]']

function isOutside(address: string): boolean {
  return URL.canParse(address) && outside.includes(new URL(address).hostname)
}

describe.skipIf(!data)('the lists of addresses that lead inside (needs SCHOLIUM_DATA)', () => {
  it.each(lists)('%s: each is refused before a socket is opened', async (list) => {
    const addresses = addressesIn(join(data ?? '', '07-adversarial', list))
    const lookedUp: string[] = []
    // As the name servers of an attacker do: public first, then the machine that is meant.
    const resolve = async (host: string) => {
      lookedUp.push(host)
      return [
        { address: '93.184.215.14', family: 4 },
        { address: '169.254.169.254', family: 4 },
      ] as const
    }
    const { value: reasons, sockets } = await countingSockets(async () => {
      const outcomes = []
      for (const address of addresses) outcomes.push(await guardedFetch(address, { resolve }))
      return outcomes.map((outcome) => (outcome.ok ? 'fetched' : outcome.failure.reason))
    }, 'closed')
    expect(new Set(reasons)).toEqual(new Set(['blocked_address', 'bad_url']))
    expect(sockets).toBe(0)
    expect(addresses.length).toBeGreaterThan(100)
    // What is written as an address of a machine, in whatever way, never gets as far as a name server.
    const inward = /(?:^|\.)(?:\d+|0x[\da-f]*|localhost|internal)$/i
    expect(lookedUp.filter((host) => isIP(host) !== 0 || inward.test(host))).toEqual([])
  })
})
