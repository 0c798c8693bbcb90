import { cpSync } from 'node:fs'
import {
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { App } from '../../src/index.ts'
import { createHandler, type Role, TokenFile } from '../../src/server/index.ts'
import { root } from '../repo/source-file.ts'
import { revisions } from './mcp-client.ts'
import { HeldModel, question, ServedApp } from './served-app.ts'

const held = new HeldModel()
let served: ServedApp
let app: App
let clients: Client[]
beforeAll(() => held.start())
afterAll(() => held.model?.close())
beforeEach(async () => {
  clients = []
  served = new ServedApp()
  app = await served.start({ maxRuns: 1, maxStreams: 1 }, held.options)
})
afterEach(async () => {
  held.letGo()
  for (const client of clients) await client.close()
  await served.close()
})

const operatorToken = 'token-of-the-tests'

async function connect(token = operatorToken, options: ClientOptions = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, options)
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  const url = new URL(`${served.url}/mcp`)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
  clients.push(client)
  return client
}

const as = (name: string, role: Role) => connect(new TokenFile(app.home.path).add(name, role))

/** Calls a tool; nothing in its answer is a place of this machine. */
async function call(client: Client, name: string, given: Record<string, unknown>) {
  const result = await client.callTool({ name, arguments: given })
  expect(JSON.stringify(result)).not.toContain(served.folder)
  const [first] = result.content
  return {
    isError: result.isError === true,
    text: first?.type === 'text' ? first.text : '',
    // biome-ignore lint/suspicious/noExplicitAny: each tool has data of its own
    data: result.structuredContent as any,
  }
}

/** What the log says of who began and resumed a run. */
async function labelsOf(runId: string) {
  const types = ['run.started', 'run.resumed'] as const
  const events = await Array.fromAsync(app.events(runId, { types }))
  return events.map(({ data }) => data.labels)
}

describe.each(Object.entries(revisions))('a client of revision %s', (revision, options) => {
  it('gets an answer, and searches and reads what it cites', async () => {
    const client = await connect(operatorToken, options)
    expect(client.getNegotiatedProtocolVersion()).toBe(revision)
    const told: string[] = []
    const onprogress = ({ message = '' }) => told.push(message)
    const ask = { name: 'ask', arguments: { question } }
    const { structuredContent } = await client.callTool(ask, { onprogress })
    expect(structuredContent).toMatchObject({
      status: 'answered',
      answer: expect.stringContaining('412 degrees Celsius [1]'),
    })
    expect(told).toContain('Writing the answer.')
    const { data } = await call(client, 'search_library', { query: 'mineral melts' })
    const read = await client.readResource({ uri: data.passages[0].uri })
    expect(JSON.stringify(read.contents)).toContain('Glimmerstone is a mineral')
  })

  it.each([true, false])('that leaves interrupts its run (streaming: %s)', async (isStreaming) => {
    held.hold()
    const client = await connect(operatorToken, options)
    const control = new AbortController()
    const progress = isStreaming ? { onprogress: () => {} } : {}
    const ask = { name: 'ask', arguments: { question } }
    const lost = client.callTool(ask, { signal: control.signal, ...progress })
    lost.catch(() => {})
    const status = async () => (await app.listRuns({ limit: 1 }))[0]?.status
    await expect.poll(status, { timeout: 30_000 }).toBe('running')
    control.abort()
    await client.close()
    await expect.poll(status, { timeout: 30_000 }).toBe('interrupted')
  })
})

describe('a token', () => {
  it('is needed', async () => {
    const response = await served.fetch('/mcp', {
      method: 'POST',
      headers: { authorization: '', 'content-type': 'application/json' },
      body: '{}',
    })
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
    const foreign = { origin: 'https://evil.example', 'content-type': 'application/json' }
    const request = { method: 'POST', headers: foreign, body: '{}' }
    expect((await served.fetch('/mcp', request)).status).toBe(403)
    expect((await served.fetch('/mcp', { method: 'POST', body: 'x' })).status).toBe(415)
  })

  it('has its own runs only', async () => {
    const [ada, bob] = [await as('ada', 'run'), await as('bob', 'run')]
    const { data } = await call(ada, 'ask', { question })
    const { runId } = data
    expect(data.status).toBe('answered')
    expect(await labelsOf(runId)).toEqual([{ user: 'ada' }])
    expect((await call(ada, 'get_run', { run: 'last' })).data).toMatchObject({ runId })
    for (const [name, given] of [
      ['get_run', { run: runId }],
      ['get_run', { run: runId.slice(0, 8) }],
      ['get_run', { run: 'last' }],
      ['references', { from: runId }],
      ['verify_text', { text: 'It melts [1].', run: runId }],
      ['ask', { question, continue: runId }],
      ['ask', { resume: runId }],
    ] as const) {
      const { isError, text } = await call(bob, name, given)
      expect([name, isError, text]).toEqual([name, true, expect.stringContaining('no run')])
      if (!JSON.stringify(given).includes(runId)) expect(text).not.toContain(runId)
    }
    const uri = `scholium://runs/${runId}`
    const runsOf = async (client: Client) =>
      (await client.listResources()).resources.filter((one) => one.uri.includes('runs'))
    expect(await runsOf(ada)).toMatchObject([{ uri }])
    expect(await runsOf(bob)).toEqual([])
    await expect(bob.readResource({ uri })).rejects.toThrow('no run')
    const ref = { type: 'ref/resource', uri: 'scholium://runs/{id}' } as const
    const complete = { ref, argument: { name: 'id', value: '' } }
    expect((await ada.complete(complete)).completion.values).toEqual([runId])
    expect((await bob.complete(complete)).completion.values).toEqual([])
    expect((await call(await as('boss', 'admin'), 'get_run', { run: runId })).isError).toBe(false)
  })

  it('does not get a review that somebody else asked for', async () => {
    await served.close()
    served = new ServedApp()
    app = await served.start()
    cpSync(`${root}samples/library`, `${served.folder}/samples`, { recursive: true })
    await Array.fromAsync(app.addToLibrary(['samples']))
    const review = async (client: Client) => {
      const { data } = await call(client, 'papers', { topic: 'CRISPR' })
      expect(data.status).toBe('answered')
      return data.runId
    }
    const [one, other] = [await as('one', 'run'), await as('other', 'run')]
    const first = await review(one)
    expect(await review(one)).toBe(first)
    expect(await review(other)).not.toBe(first)
  })

  it('to read looks and searches, and starts nothing', async () => {
    const reader = await as('reader', 'read')
    expect((await call(reader, 'search_library', { query: 'mineral' })).data.passages).toHaveLength(
      1,
    )
    for (const [name, given] of [
      ['ask', { question }],
      ['papers', { topic: 'minerals' }],
    ] as const)
      expect(await call(reader, name, given)).toMatchObject({
        isError: true,
        text: expect.stringContaining('only allows to look'),
      })
    expect(await app.listRuns()).toEqual([])
  })
})

describe('a server', () => {
  it('refuses a call while it executes as many runs as it may', async () => {
    held.hold()
    const { body } = await served.call('post', '/api/runs', { workflow: 'ask', question })
    const client = await connect()
    expect(await call(client, 'ask', { question })).toMatchObject({
      isError: true,
      text: expect.stringContaining('executes 1 runs already'),
    })
    held.letGo()
    await served.ended(body.runId)
  })

  it('counts the stream of a call among its streams, and gives its slot back', async () => {
    const { runId } = (await served.finish({ workflow: 'ask', question })).body
    const ask = { name: 'ask', arguments: { question } }
    const client = await connect()
    held.hold()
    const first = client.callTool(ask, { onprogress: () => {} })
    const status = async () => {
      const response = await served.fetch(`/api/runs/${runId}/events`)
      await response.body?.cancel()
      return response.status
    }
    await expect.poll(status, { timeout: 30_000 }).toBe(429)
    held.letGo()
    await first
    await expect.poll(status, { timeout: 30_000 }).toBe(200)
  })

  it('that stops interrupts the runs of calls, which the next one leaves alone', async () => {
    held.hold()
    const client = await connect()
    call(client, 'ask', { question }).catch(() => {})
    const newest = async () => (await app.listRuns({ limit: 1 }))[0]
    await expect.poll(async () => (await newest())?.status, { timeout: 30_000 }).toBe('running')
    await served.stop()
    expect((await newest())?.status).toBe('interrupted')
    const next = createHandler(served.openApp(held.options), { token: operatorToken })
    expect(await next.continueRuns()).toEqual([])
    await next.close()
  })
})
