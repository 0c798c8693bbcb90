import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PermissionAnswer, PermissionRequest } from '../../src/app.ts'
import { isKnownAddress } from '../../src/code/known-address.ts'
import { call, SessionWorld } from '../code/session-world.ts'

describe('an address', () => {
  const address = 'https://docs.example/a/b?c=d'
  const research = {
    sources: [{ n: 1, url: 'https://cited.example/x' }],
    answer: 'See https://other.example/',
  }
  const message = (role: 'assistant' | 'tool', part: object) =>
    ({ id: '1', role, parts: [part], createdAt: 0 }) as never
  const conversation = [
    message('tool', {
      type: 'tool-result',
      toolCallId: 'r',
      toolName: 'research',
      output: research,
    }),
    message('assistant', {
      type: 'tool-call',
      toolCallId: 'f',
      toolName: 'fetch',
      input: { url: 'https://read.example/' },
    }),
    message('tool', {
      type: 'tool-result',
      toolCallId: 'f',
      toolName: 'fetch',
      output: 'https://linked.example/',
    }),
    message('assistant', {
      type: 'tool-call',
      toolCallId: 'g',
      toolName: 'fetch',
      input: { url: 'https://refused.example/' },
    }),
    message('tool', {
      type: 'tool-result',
      toolCallId: 'g',
      toolName: 'fetch',
      output: {},
      isError: true,
    }),
  ]

  it.each([
    [`Read ${address}.`, address, true],
    [`(${address})`, address, true],
    [`"${address}"`, address, true],
    ['Read docs.example/a/b?c=d please', address, true],
    ['Read https://docs.example', 'https://docs.example/', true],
    ['Read HTTPS://DOCS.EXAMPLE/', 'https://docs.example/', false],
    [`Read ${address}`, `${address}&secret=1`, false],
    [`Read ${address}&more=1`, address, false],
    [`Read ${address}`, 'https://docs.example/', false],
    [`Read ${address}`, 'https://docs.example/a', false],
    ['Read docs.example', 'https://evil.docs.example/', false],
    ['Read evil.docs.example', 'https://docs.example/', false],
    ['Write to me@docs.example', 'https://docs.example/', false],
    ['', 'https://cited.example/x', true],
    ['', 'https://cited.example/x?secret', false],
    ['', 'https://other.example/', false],
    ['', 'https://read.example/', true],
    ['', 'https://linked.example/', false],
    ['', 'https://refused.example/', false],
  ])('in %j: %s is known: %s', (text, wanted, expected) => {
    expect(isKnownAddress(wanted, { requests: ['before', text], conversation })).toBe(expected)
  })
})

describe('fetch', () => {
  let world: SessionWorld
  let server: Server
  let origin: string
  const heard: string[] = []
  beforeEach(async () => {
    heard.length = 0
    server = createServer((request, response) => {
      heard.push(String(request.url))
      response.setHeader('content-type', 'text/html')
      response.end('<title>Page</title><p>Some words. <a href="/next">next</a>')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    world = new SessionWorld()
  })
  afterEach(async () => {
    await world.close()
    server.close()
  })

  /** What of these fetches reaches the server, after a request. */
  async function fetched(
    text: string,
    paths: readonly string[],
    settings: object = {},
    answer?: PermissionAnswer,
  ) {
    const replies = paths.map((path) => call('fetch', { url: `${origin}${path}` }))
    world.say([...replies, { text: 'done' }])
    const app = await world.app({ webServers: { allowedOrigins: [origin] } })
    const asked: PermissionRequest[] = []
    const onPermission = async (request: PermissionRequest) => {
      asked.push(request)
      return answer as PermissionAnswer
    }
    const session = await app.code({ web: true, settings }, answer && { onPermission })
    const prompt = { kind: 'prompt', text, isUnattended: answer === undefined } as const
    const { refused = [] } = await session.send(prompt)
    await session.finish()
    expect(await app.replay(session.runId)).toMatchObject({ isIdentical: true, unclaimed: [] })
    return { asked, refused }
  }

  it('goes unasked only where the person said', async () => {
    const { refused } = await fetched(`Read ${origin}/docs.`, ['/docs', '/docs', '/docs?secret=1'])
    expect(heard.filter((path) => path !== '/robots.txt')).toEqual(['/docs', '/docs'])
    expect(refused).toMatchObject([{ toolName: 'fetch', rules: [`fetch:${origin}/`] }])
  })

  it.each([
    ['the tool', 'fetch', true],
    ['a place', 'fetch:ORIGIN/docs/', true],
    ['another place', 'fetch:ORIGIN/other/', false],
    ['another host that begins so', 'fetch:http://127.0.0.1', false],
  ])('follows a rule for %s: %s', async (_what, rule, expected) => {
    await fetched('Look it up.', ['/docs/a'], { allow: [rule.replace('ORIGIN', origin)] })
    expect(heard.includes('/docs/a')).toBe(expected)
  })

  it('asks the person with the whole address, and once for a whole site', async () => {
    const long = `/docs?${'x'.repeat(1_000)}`
    const { asked } = await fetched('Look it up.', [long, '/other'], {}, { decision: 'always' })
    expect(asked).toHaveLength(1)
    expect(asked[0]?.preview.title).toContain(long)
    expect(heard).toContain('/other')
  })

  it.each([
    ['named by the person', true],
    ['named by nobody', false],
  ])(
    'refuses an address of the own machine before anybody is asked, %s, and that taints nothing',
    async (_who, isNamed) => {
      const inside = 'http://127.0.0.1:9/'
      world.say([
        call('fetch', { url: inside }),
        call('write', { path: 'a.txt', text: 'mine' }),
        { text: 'done' },
      ])
      const asked: PermissionRequest[] = []
      const onPermission = async (request: PermissionRequest) => {
        asked.push(request)
        return { decision: 'no' } as const
      }
      const app = await world.app()
      const request = { web: true, settings: { isYolo: true } }
      const session = await app.code(request, { onPermission, onEvent: world.hear })
      await session.send(isNamed ? `Read ${inside} and write.` : 'Write.')
      await session.finish()
      expect(asked).toEqual([])
      expect(world.text('a.txt')).toBe('mine')
      const [refused] = world.heard('tool.done')
      expect(refused?.output).toMatchObject({
        error: expect.stringMatching(/^fetch was not called: 127\.0\.0\.1 leads to /),
      })
      expect(await app.replay(session.runId)).toMatchObject({ isIdentical: true, unclaimed: [] })
    },
  )

  it('does not go where a rule forbids it, whoever named it', async () => {
    const { refused } = await fetched(`Read ${origin}/docs`, ['/docs'], {
      deny: [`fetch:${origin}/`],
    })
    expect([refused.length, heard]).toEqual([1, []])
  })
})
