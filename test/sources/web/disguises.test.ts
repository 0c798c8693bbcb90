import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { guardedFetch } from '../../../src/sources/web/guarded-fetch.ts'
import { countingSockets, startServer, tableResolver } from './raw-server.ts'

/** This machine and the metadata service, as they have been written to slip past checks; the lists are in payload-lists.test.ts. */
const disguises = [
  ...[
    '127.0.1',
    '0x7f.1',
    '0177.1',
    '017700000001',
    '0x7f000001',
    '0x7F.0x0.0x0.0x1',
    '00000177.0.0.01',
  ],
  ...['0', '0.0.0.0', '0x0', '00.0', '127.127.127.127', '4294967295', '0xffffffff'],
  ...['127.0.0.1%2e', '127%2e0%2e0%2e1', '%31%32%37.0.0.1', '127.0.0.1%00', '127.0.0.1 '],
  ...[
    '１２７.０.０.１',
    '127。0。0。1',
    '127．0．0．1',
    '127｡0｡0｡1',
    '127.0.0\u00ad.1',
    '127.0.\u200b0.1',
    '𝟭𝟮𝟳.𝟬.𝟬.𝟭',
    '١٢٧.٠.٠.١',
  ],
  ...[
    '127.0\t.0.1',
    '127.0\n.0.1',
    'loc\u00adalhost',
    'local\u200bhost',
    'ＬＯＣＡＬＨＯＳＴ',
    'localhost.',
    'a.b.localhost',
  ],
  ...[
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[0000::0001]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:7f00:0001]',
    '[::FFFF:127.0.0.1]',
  ],
  ...[
    '[64:ff9b::7f00:1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:0001::]',
    '[2002:a9fe:a9fe::]',
    '[::7f00:1]',
    '[fe80::5efe:7f00:1]',
  ],
  ...[
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '[::ffff:a9fe:a9fe]',
    '[fd00:ec2::254]',
    '169.254.43518',
    '169.16689662',
  ],
]

/** The forms in which a host can be meant to be taken for another. */
const around = (host: string) => [
  `http://${host}/`,
  `https://${host}/`,
  `http://${host}:80/`,
  `http://${host}.:8080/`,
  `http://example.com@${host}/`,
  `http://example.com:80@${host}:80/`,
  `http://${host}#@example.com/`,
  `http://${host}?@example.com/`,
  `http://${host}\\@example.com/`,
  `http:\\\\${host}/`,
  `http:///${host}/`,
  `http:/${host}/`,
]

describe('an address in disguise', () => {
  it('is refused without a look-up or a socket, in every form', async () => {
    const { resolve, names } = tableResolver({})
    const { value: reached, sockets } = await countingSockets(async () => {
      const found: string[] = []
      for (const address of disguises.flatMap(around)) {
        const outcome = await guardedFetch(address, { resolve })
        const reason = outcome.ok ? 'fetched' : outcome.failure.reason
        if (reason !== 'blocked_address' && reason !== 'bad_url') found.push(`${reason} ${address}`)
      }
      return found
    }, 'closed')
    expect(reached).toEqual([])
    expect(names).toEqual([])
    expect(sockets).toBe(0)
  })
})

describe('a name whose answer changes', () => {
  it('is looked up and judged anew where a redirect leads back to it', async () => {
    const inside = await startServer((_request, response) => response.end('inside'))
    const server = await startServer((_request, response) =>
      response.writeHead(302, { location: `http://a.example.com:${inside.port}/` }).end(),
    )
    const origin = `http://a.example.com:${server.port}`
    const { resolve, names } = tableResolver({ 'a.example.com': [['127.0.0.1'], ['127.0.0.1']] })
    const outcome = await guardedFetch(origin, { resolve, allowedOrigins: [origin] })
    expect(outcome).toMatchObject({ ok: false, failure: { reason: 'blocked_address' } })
    expect(names).toEqual(['a.example.com', 'a.example.com'])
    expect(inside.asked).toEqual([])
  })
})

describe('a proxy of the environment', () => {
  it('is not used: it would look names up itself', async () => {
    const page = await startServer((_request, response) => response.end('the page'))
    const proxy = await startServer((_request, response) => response.end('the proxy'))
    const fetchUrl = new URL('../../../src/sources/web/guarded-fetch.ts', import.meta.url)
    const program = `
      const { guardedFetch } = await import(${JSON.stringify(fetchUrl.href)})
      const outcome = await guardedFetch(${JSON.stringify(page.origin)}, { allowedOrigins: [${JSON.stringify(page.origin)}] })
      console.log(outcome.ok ? Buffer.from(outcome.bytes).toString() : JSON.stringify(outcome.failure))`
    const proxies = {
      HTTP_PROXY: proxy.origin,
      http_proxy: proxy.origin,
      NO_PROXY: '',
      no_proxy: '',
    }
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', program],
      { env: { ...process.env, ...proxies, NODE_USE_ENV_PROXY: '1' } },
    )
    expect(stdout.trim()).toBe('the page')
    expect(proxy.asked).toEqual([])
  })
})
