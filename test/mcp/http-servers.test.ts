import { type ChildProcess, spawn } from 'node:child_process'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { officialServer, textOf, until, useServers } from './connected.ts'
import type { Call } from './odd-behaviour.ts'

const connect = useServers()
const processes: ChildProcess[] = []
const servers: Server[] = []
afterEach(() => {
  for (const child of processes.splice(0)) child.kill('SIGKILL')
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** What a server of a test answers to a call: a result, or anything else by itself. */
interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly result?: object
  readonly body?: string
}

async function listen(
  answer: (call: Call, headers: IncomingHttpHeaders) => Answer | undefined,
  onOther: (what: string) => void = () => undefined,
): Promise<string> {
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') {
      onOther(`${request.method} ${request.headers['mcp-session-id']}`)
      return response.writeHead(405).end()
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const call = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Call
    const found = answer(call, request.headers) ?? greetingAnswer(call)
    const headers = { 'content-type': 'application/json', ...found.headers }
    response.writeHead(found.status ?? (call.id === undefined ? 202 : 200), headers)
    response.end(
      found.body ?? JSON.stringify({ jsonrpc: '2.0', id: call.id, result: found.result }),
    )
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function greetingAnswer({ method }: Call): Answer {
  if (method === 'server/discover') return { status: 400, body: '{}' }
  if (method === 'initialize') {
    const serverInfo = { name: 'local', version: '1' }
    const result = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo }
    return { result, headers: { 'mcp-session-id': 'first' } }
  }
  if (method === 'tools/list') {
    return { result: { tools: [{ name: 'do', inputSchema: { type: 'object' } }] } }
  }
  return { result: { content: [{ type: 'text', text: 'done' }] } }
}

/** Starts an official server on a port and waits until it listens. */
async function startOfficial(mode: 'streamableHttp' | 'sse', port: number): Promise<ChildProcess> {
  const { command, args } = officialServer('everything', mode) as {
    command: string
    args: string[]
  }
  const env = { ...process.env, PORT: String(port) }
  const child = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'pipe'] })
  processes.push(child)
  let printed = ''
  child.stderr.on('data', (chunk: Buffer) => {
    printed += chunk.toString('utf8')
  })
  await until(() => /(listening|running) on port/.test(printed))
  return child
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe('the official server "everything" over HTTP', () => {
  it.each([
    ['streamableHttp', 'http', 'mcp'],
    ['sse', 'sse', 'sse'],
  ] as const)('answers over %s', async (mode, type, path) => {
    const port = await freePort()
    await startOfficial(mode, port)
    const url = `http://127.0.0.1:${port}/${path}`
    const { call, servers: connected, progress } = await connect({ all: { type, url } })
    const protocolVersion = '2025-11-25'
    expect(connected.get('all').status()).toMatchObject({ state: 'connected', protocolVersion })
    expect(textOf(await call('all.echo', { message: 'over HTTP' }))).toBe('Echo: over HTTP')
    const name = 'all.trigger-long-running-operation'
    await call(name, { duration: 0.4, steps: 4 })
    expect(progress).toContainEqual({ progress: 1, total: 4 })
    const control = new AbortController()
    const running = call(name, { duration: 60, steps: 60 }, control.signal)
    setTimeout(() => control.abort(new Error('enough')), 200)
    await expect(running).rejects.toThrow('enough')
  })

  it('is connected again when it was started again; what was in flight is unknown', async () => {
    const port = await freePort()
    const child = await startOfficial('streamableHttp', port)
    const { call, notices } = await connect({ all: { url: `http://127.0.0.1:${port}/mcp` } })
    const name = 'all.trigger-long-running-operation'
    const running = call(name, { duration: 60, steps: 60 })
    setTimeout(() => child.kill('SIGKILL'), 300)
    await expect(running).rejects.toMatchObject({ code: 'outcome_unknown' })
    await startOfficial('streamableHttp', port)
    expect(textOf(await call('all.echo', { message: 'again' }))).toBe('Echo: again')
    expect(notices.slice(-2)).toEqual([
      expect.stringContaining('is no longer reachable'),
      expect.stringContaining('was reconnected'),
    ])
  })
})

describe('a server over HTTP', () => {
  it('that has forgotten the session is greeted again and asked once more', async () => {
    const seen: string[] = []
    let isForgotten = false
    const url = await listen(({ method }, headers) => {
      seen.push(`${method} ${headers['mcp-session-id'] ?? '-'}`)
      if (method === 'initialize') isForgotten = false
      if (method !== 'tools/call' || !isForgotten) return undefined
      return { status: 404, body: 'Not found' }
    })
    const { call, notices } = await connect({ local: { url } })
    await call('local.do')
    isForgotten = true
    expect(textOf(await call('local.do'))).toBe('done')
    expect(seen.filter((line) => line.startsWith('initialize'))).toHaveLength(2)
    expect(seen.filter((line) => line === 'tools/call first')).toHaveLength(3)
    expect(notices).toEqual([expect.stringContaining('has lost the session')])
  })

  it('is told when the session is over', async () => {
    const others: string[] = []
    const url = await listen(
      () => undefined,
      (what) => others.push(what),
    )
    const { servers: connected } = await connect({ local: { url } })
    await connected.close()
    expect(others).toContain('DELETE first')
  })

  it('gets its headers with each request', async () => {
    const seen = new Set<unknown>()
    const url = await listen((_call, headers) => {
      seen.add(headers['x-key'])
      return undefined
    })
    await connect({ local: { url, headers: { 'X-Key': 'abc' } } })
    expect([...seen]).toEqual(['abc'])
  })

  it.each([
    [{}, 'denies access (HTTP 401): its configuration gives no headers'],
    [
      { headers: { Authorization: `Bearer \${MCP_TEST_TOKEN}` } },
      'denies access (HTTP 401): it did not accept the header Authorization (from MCP_TEST_TOKEN)',
    ],
  ])('that answers 401 to %j is refused with what to look at', async (more, reason) => {
    process.env.MCP_TEST_TOKEN = 'sesame-77123'
    const url = await listen(() => ({ status: 401, body: '{}' }))
    const { gaps, notices } = await connect({ local: { url, ...more } })
    expect(gaps[0]?.reason).toContain(reason)
    expect(JSON.stringify([gaps, notices])).not.toContain('sesame')
  })

  it('that redirects is not followed, so that its headers go nowhere else', async () => {
    const seen: IncomingHttpHeaders[] = []
    const elsewhere = await listen((_call, headers) => {
      seen.push(headers)
      return undefined
    })
    const url = await listen(() => ({ status: 307, headers: { location: `${elsewhere}/mcp` } }))
    const { gaps } = await connect({ local: { url, headers: { 'X-Key': 'sesame-1' } } })
    expect(gaps[0]?.reason).toContain(`answered with a redirect to ${elsewhere}/mcp`)
    expect(seen).toEqual([])
  })

  it('where nothing listens is given up after a second attempt', async () => {
    const { gaps, notices } = await connect({
      none: { url: `http://127.0.0.1:${await freePort()}/` },
    })
    expect(gaps[0]?.reason).toContain('nothing listens at its address (ECONNREFUSED)')
    expect(notices).toHaveLength(2)
  })

  it('whose answer is too large fails that call alone', async () => {
    const url = await listen(({ id, method, params }) => {
      if (method !== 'tools/call' || params?.arguments?.large !== true) return undefined
      const content = [{ type: 'text', text: 'x'.repeat(11 * 1024 * 1024) }]
      return { body: JSON.stringify({ jsonrpc: '2.0', id, result: { content } }) }
    })
    const { call } = await connect({ local: { url } })
    await expect(call('local.do', { large: true })).rejects.toThrow('The response is too large')
    expect(textOf(await call('local.do'))).toBe('done')
  })

  it('that fails with 500 leaves the outcome of a write unknown', async () => {
    const url = await listen(({ method }) => {
      return method === 'tools/call' ? { status: 500, body: 'broken' } : undefined
    })
    const { call } = await connect({ local: { url } })
    await expect(call('local.do')).rejects.toMatchObject({ code: 'outcome_unknown' })
  })
})
