import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readMcpConfig } from '../../src/tools/mcp/mcp-config.ts'
import { McpServers } from '../../src/tools/mcp/mcp-server.ts'
import { mcpTools } from '../../src/tools/mcp/mcp-tools.ts'
import { isAlive, oddServer, textOf, unending, until, useServers } from './connected.ts'

const connect = useServers()

describe('greeting a server', () => {
  it('speaks the protocol of 2026-07-28 with one that knows it', async () => {
    const { servers, call } = await connect({ odd: oddServer('modern') })
    const state = { state: 'connected', protocolVersion: '2026-07-28', title: 'odd 2.0.0' }
    expect(servers.get('odd').status()).toEqual(state)
    expect(textOf(await call('odd.echo', { a: 1 }))).toBe('{"a":1}')
  })

  it('starts one again that ends when it is greeted in the newer way, and greets it in the older', async () => {
    const { call, notices } = await connect({ odd: oddServer('ends-when-probed') })
    expect(textOf(await call('odd.echo', { a: 1 }))).toBe('{"a":1}')
    expect(notices).toEqual([])
  })

  it('waits for one that is slow to start', async () => {
    const { call } = await connect({ odd: oddServer('slow-start') })
    expect(textOf(await call('odd.echo'))).toBe('{}')
  })

  it('starts nothing before it is used', async () => {
    const { servers } = await connect({ odd: { ...oddServer('plain'), disabled: true } })
    expect(servers.servers).toEqual([])
  })

  it('says what one printed that ends at once, and continues with the others', async () => {
    const { gaps, tools, notices } = await connect({
      broken: oddServer('ends-at-once'),
      odd: oddServer('plain'),
    })
    expect(gaps).toEqual([
      {
        server: 'broken',
        reason:
          'MCP server "broken" ended (exit code 2) before it was ready. Its last output: No configuration found. It will not be used any more.',
      },
    ])
    expect(notices.filter((text) => text.includes('will be retried once'))).toHaveLength(1)
    expect(tools.map(({ name }) => name)).toContain('odd.echo')
  })

  it('says that there is no such program, and does not try it again', async () => {
    const { gaps, notices } = await connect({ none: { command: 'no-such-program-here' } })
    expect(gaps[0]?.reason).toContain('no-such-program-here: there is no such program')
    expect(notices).toHaveLength(1)
  })
})

describe('a list of tools', () => {
  it('is read page by page', async () => {
    const { tools } = await connect({ odd: oddServer('paged') })
    expect(tools.map(({ name }) => name)).toEqual(
      [0, 1, 2, 3, 4].flatMap((page) => [`odd.a${page}`, `odd.b${page}`]),
    )
  })

  it('that has no end is used as far as it was read', async () => {
    const { tools, notices } = await connect({ odd: oddServer('endless-pages') })
    expect(tools.map(({ name }) => name)).toEqual(['odd.t0', 'odd.tagain'])
    expect(notices).toEqual([expect.stringContaining('is endless; only the first are used')])
  })

  it('leaves out what cannot be given to a model, and says why', async () => {
    const { tools, notices } = await connect({ odd: oddServer('bad-tools') })
    expect(tools.map(({ name }) => name)).toEqual(['odd.good'])
    const expected = [
      '"no-schema" is left out: it has no schema',
      '"not-object" is left out: its arguments are not an object',
      '"bad-type" is left out: its schema is invalid: schema/properties/a/type',
      '"bad-required" is left out: its schema is invalid: schema/required',
      '"far-reference" is left out: its schema refers to another document, https://example.com/',
      '"deep" is left out: its schema is deeper',
      '"(without a name)" is left out',
      'offers "good" twice',
      '"as-task" is left out: it works only as a task',
    ]
    expect(notices).toEqual(expected.map((text) => expect.stringContaining(text)))
  })

  it('shows a description as the server’s words, bounded and without what cannot be seen', async () => {
    const { tools } = await connect({ odd: oddServer('bad-tools') })
    const { description } = tools[0] as { readonly description: string }
    expect(description).toMatch(
      /^\[From the MCP server "odd", in its own words\] Reads a file\. long /,
    )
    expect(description.length).toBeLessThan(2_100)
    expect(description).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  })

  it('that changes is reported over the protocol of 2026-07-28 too', async () => {
    const { call, notices } = await connect({ odd: oddServer('modern') })
    await call('odd.change')
    await call('odd.echo')
    expect(notices[0]).toContain('"echo" changed: its description.')
  })

  it('that changes during a run is reported, and a tool that is another now is not called', async () => {
    const { call, notices } = await connect({ odd: oddServer('plain', { trust: true }) })
    await call('odd.change')
    await call('odd.echo')
    expect(notices).toEqual([
      expect.stringContaining('"echo" changed: its description.'),
      expect.stringContaining('"pid" changed: whether it says that it only reads.'),
      expect.stringContaining('"extra" is new.'),
      ...['die', 'hang', 'never', 'huge', 'change', 'environment', 'child', 'fail'].map((name) =>
        expect.stringContaining(`"${name}" is gone.`),
      ),
    ])
    await expect(call('odd.pid')).rejects.toThrow('was marked as read-only before but is not now')
    await expect(call('odd.huge')).rejects.toThrow('is no longer offered')
  })
})

describe('a result', () => {
  it('is cut at 1 MB, and says so', async () => {
    const { call } = await connect({ odd: oddServer('plain') })
    const result = await call('odd.huge', { chars: 3_000_000 })
    expect(textOf(result)).toHaveLength(1024 * 1024)
    expect(result).toMatchObject({ cut: expect.stringContaining('1951424 characters of text') })
  })

  it('that is too large to be read is a failure of its call alone', async () => {
    const { call, notices } = await connect({ odd: oddServer('plain') })
    const huge = call('odd.huge', { chars: 30_000_000 })
    await expect(huge).rejects.toThrow('The response is too large: 29 MB or more')
    expect(textOf(await call('odd.echo'))).toBe('{}')
    expect(notices).toEqual([])
  })

  it('that says that the tool failed is a failure with its words, cleaned', async () => {
    const { call } = await connect({ odd: oddServer('plain') })
    await expect(call('odd.fail')).rejects.toMatchObject({
      code: 'tool_failed',
      message: 'MCP server "odd": the tool "fail" failed: The disk is full.',
    })
  })

  it('shows no secret of the configuration, and the server sees nothing else of the environment', async () => {
    process.env.ODD_PRIVATE = 'must not be passed on'
    const { call } = await connect({
      odd: oddServer('plain', { env: { ODD_TOKEN: 'sesame-9134' } }),
    })
    const seen = JSON.parse(textOf(await call('odd.environment'))) as Record<string, string>
    expect(Object.keys(seen).filter((name) => !/^(PATH|HOME|LANG)$/.test(name))).toEqual([
      'ODD_TOKEN',
    ])
    expect(seen.ODD_TOKEN).toBe('[secret]')
  })
})

describe('output that is no message', () => {
  it('is skipped and reported once', async () => {
    const { call, notices } = await connect({ odd: oddServer('garbage') })
    expect(textOf(await call('odd.echo'))).toBe('{}')
    expect(notices).toEqual([expect.stringContaining('which is skipped: Listening on port 3000!')])
  })

  it('without end ends the server', { timeout: 40_000 }, async () => {
    const { servers, notices } = await connect({ odd: oddServer('floods') })
    await until(() => servers.get('odd').status().state === 'idle', 20_000)
    expect(notices.at(-1)).toContain('ended (by Scholium, for flooding its output')
  })
})

describe('a server that ends', () => {
  it('leaves the outcome of a write unknown, shows its last words without secrets, and is started again once', async () => {
    const odd = oddServer('plain', { env: { ODD_TOKEN: 'sesame-9134' } })
    const { call, notices, servers } = await connect({ odd })
    const lost = {
      code: 'outcome_unknown',
      message:
        'MCP server "odd" ended (exit code 7) before the answer to the tool "die" came; it is unknown whether it was done. Its last output: dies with the token [secret]',
    }
    await expect(call('odd.die')).rejects.toMatchObject(lost)
    expect(textOf(await call('odd.echo'))).toBe('{}')
    await expect(call('odd.die')).rejects.toMatchObject({ code: 'outcome_unknown' })
    await expect(call('odd.echo')).rejects.toMatchObject({
      code: 'tool_failed',
      message: expect.stringMatching(
        /ended \(exit code 7\), not for the first time.*not be used any more/,
      ),
    })
    expect(servers.get('odd').status()).toMatchObject({ state: 'dropped' })
    expect(notices).toEqual([
      expect.stringContaining('ended (exit code 7)'),
      expect.stringContaining('was reconnected'),
      expect.stringContaining('will not be used any more'),
    ])
  })

  it('is started again whenever it worked for ten minutes before', async () => {
    let nowMs = 0
    const waits: number[] = []
    const clock = {
      now: () => nowMs,
      sleep: async (delayMs: number) => void waits.push(delayMs),
    }
    const text = JSON.stringify({ mcpServers: { odd: oddServer('plain') } })
    const surroundings = { version: '0.0.0', clock, onNotice: () => undefined }
    const servers = new McpServers(readMcpConfig(text, process.env), surroundings)
    const { tools } = await mcpTools(servers.servers, [], unending)
    const use = (wanted: string) =>
      tools
        .find(({ name }) => name === wanted)
        ?.execute({}, { signal: unending, key: 'test', emit: () => undefined })
    for (let time = 1; time <= 3; time++) {
      await use('odd.echo')
      nowMs += 11 * 60_000
      await expect(use('odd.die')).rejects.toMatchObject({ code: 'outcome_unknown' })
    }
    expect(waits).toEqual([1_000, 1_000])
    expect(servers.get('odd').status()).toEqual({ state: 'idle' })
    await servers.close()
  })

  it('fails all calls in flight at once', async () => {
    const { call } = await connect({ odd: oddServer('plain') })
    const waiting = [call('odd.never'), call('odd.never')].map((one) =>
      one.catch((error) => error.code),
    )
    await call('odd.die').catch(() => undefined)
    expect(await Promise.all(waiting)).toEqual(['outcome_unknown', 'outcome_unknown'])
  })
})

describe('a server that hangs', () => {
  it('is ended when it answers neither the call in time nor a ping, and is started again', {
    timeout: 40_000,
  }, async () => {
    const { call, notices } = await connect({ odd: oddServer('plain', { timeout: 500 }) })
    const pid = Number(textOf(await call('odd.pid')))
    await expect(call('odd.hang')).rejects.toMatchObject({
      code: 'outcome_unknown',
      message: expect.stringContaining('did not answer in time'),
    })
    await until(() => !isAlive(pid))
    expect(notices[0]).toContain('did not respond to a ping within 5 s')
    expect(textOf(await call('odd.echo'))).toBe('{}')
  })

  it('is left alone when only the call took too long', async () => {
    const { call, notices } = await connect({ odd: oddServer('plain', { timeout: 300 }) })
    const pid = textOf(await call('odd.pid'))
    await expect(call('odd.never')).rejects.toThrow('did not answer in time')
    expect(textOf(await call('odd.pid'))).toBe(pid)
    expect(notices).toEqual([])
  })
})

describe('closing', () => {
  it('ends the server and what it started', async () => {
    const { call, servers } = await connect({ odd: oddServer('plain') })
    const pids = [textOf(await call('odd.pid')), textOf(await call('odd.child'))].map(Number)
    expect(pids.every(isAlive)).toBe(true)
    await servers.close()
    await until(() => !pids.some(isAlive))
    await expect(call('odd.echo')).rejects.toThrow('was closed')
  })

  it('ends a server that takes no notice of the end of its input and of SIGTERM', async () => {
    const { call, servers } = await connect({ odd: oddServer('stubborn') })
    const pid = Number(textOf(await call('odd.pid')))
    await servers.close()
    expect(isAlive(pid)).toBe(false)
  })

  it('ends a server that is being started', async () => {
    const text = JSON.stringify({ mcpServers: { odd: oddServer('slow-start') } })
    const surroundings = { version: '0.0.0', onNotice: () => undefined }
    const servers = new McpServers(readMcpConfig(text, process.env), surroundings)
    const used = servers.get('odd').request({ what: 'x', isWrite: true }, async () => 1, unending)
    const refused = expect(used).rejects.toThrow('was closed')
    await new Promise((resolve) => setTimeout(resolve, 300))
    await servers.close()
    await refused
    expect(servers.get('odd').status()).toMatchObject({ state: 'dropped' })
  })

  it.each([
    ['killed', ['waits']],
    ['done', []],
  ])('is not needed for a server to end when we are %s', async (how, args) => {
    const program = fileURLToPath(new URL('careless-parent.ts', import.meta.url))
    const stdio = ['ignore', 'pipe', 'inherit'] as const
    const parent = spawn(process.execPath, [program, ...args], { stdio: [...stdio] })
    const ended = new Promise((resolve) => parent.once('exit', resolve))
    const printed = await new Promise<string>((resolve) => {
      parent.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString('utf8')))
    })
    const pids = JSON.parse(printed) as number[]
    expect(pids).toHaveLength(2)
    if (how === 'killed') parent.kill('SIGKILL')
    await ended
    await until(() => !pids.some(isAlive), 15_000)
  })
})
