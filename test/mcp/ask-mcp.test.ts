import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { AppOptions, AskRequest } from '../../src/app/options.ts'
import { verifyBundle } from '../../src/index.ts'
import type { JsonObject } from '../../src/kernel/json.ts'
import { findRole } from '../../src/testing/index.ts'
import { type Call, calling, eventsOf, sentence, WebWorld } from '../web/web-world.ts'
import { nodeProgram, officialServer } from './connected.ts'

const world = new WebWorld()
beforeAll(() => world.open())
afterEach(() => world.reset())
afterAll(() => world.close())

const pageUrl = 'https://stones.example/glimmerstone'
const question = `At what temperature does glimmerstone melt, says ${pageUrl}?`
const secret = 'browser-secret-of-the-operator'
const configFile = () => join(world.folder, '.mcp.json')

/** Writes the file with one server that plays a browser. */
function setUp(more: JsonObject = {}, program = nodeProgram('browser-server.ts')): void {
  const browser = { ...program, env: { BROWSER_TOKEN: secret }, trust: true, ...more }
  writeFileSync(configFile(), JSON.stringify({ mcpServers: { browser } }))
}

interface Asking {
  readonly mcp?: AppOptions['mcp']
  readonly request?: Partial<AskRequest>
  readonly options?: AppOptions
}

/** Asks with the server, whose tools the researcher calls, and gives what the models were asked. */
async function ask(calls: readonly Call[], { mcp, request, options }: Asking = {}) {
  world.say({ researcher: calling(...calls) })
  const before = world.modelRequests.length
  const settings = { mcp: { configFiles: [configFile()], servers: true, ...mcp } }
  const app = world.app('home', { ...settings, ...options })
  const answer = await app.ask({ question, ...request })
  const events = await eventsOf(app, answer)
  const requests = world.modelRequests.slice(before)
  const researcher = requests.filter((seen) => findRole(seen) === 'researcher')
  const notices = events
    .filter((event) => event.type === 'notice')
    .map(({ data }) => ({ level: data.level, text: String(data.text) }))
  return { app, answer, events, requests, researcher, notices }
}

const navigate: Call = ['browser_navigate', { result: 1 }]

describe('a question that may use a server', () => {
  it('is answered from a page that a browser read, cited with its address, and found there word for word', async () => {
    setUp()
    const { answer, requests, researcher } = await ask([navigate])
    expect(answer).toMatchObject({ status: 'answered', gaps: [] })
    expect(answer.citations).toMatchObject([
      {
        n: 1,
        title: 'Glimmerstone',
        url: pageUrl,
        csl: { URL: pageUrl, note: expect.stringContaining('MCP server "browser"') },
      },
    ])
    expect(answer.claims).toMatchObject([
      { citations: [1], verdict: 'verbatim', evidence: [{ n: 1, quote: `${sentence}.` }] },
    ])
    expect(researcher[0]?.tools).toEqual([
      'search_library',
      'list_sources',
      'read_source',
      'quote_source',
      'browser_navigate',
      'browser_whoami',
      'browser_screenshot',
      'browser_crash',
    ])
    // A critic gets the passages as they are.
    const told = requests.filter((seen) => !findRole(seen).startsWith('critic_'))
    const seen = JSON.stringify(told.map(({ body }) => body))
    expect(seen).not.toContain('https://stones.example')
    expect(seen).toContain('[result 1: stones.example]')
    expect(seen).toContain('[result 2: stones.example]')
  })

  it('is replayed without the server, and exported with what was read', async () => {
    setUp()
    const { app, answer } = await ask([navigate])
    setUp({}, nodeProgram('no-such-server.ts'))
    const replay = await world.offline('home').replay(answer.runId)
    expect(replay).toMatchObject({ isIdentical: true, unclaimed: [] })
    const { path, sources } = await app.exportRun(answer.runId, {
      file: join(world.folder, 'mcp.scholium'),
    })
    expect(sources).toBe(1)
    expect(await verifyBundle(path)).toMatchObject({ isSound: true })
  })

  it('takes the numbers of results alone, and says which there are', async () => {
    setUp()
    const { researcher } = await ask([
      ['browser_navigate', { url: pageUrl }],
      ['browser_navigate', { result: 9 }],
      navigate,
    ])
    const shown = researcher[0]?.body.tools as readonly {
      readonly function: { readonly name: string; readonly parameters: JsonObject }
    }[]
    const tool = shown.find((one) => one.function.name === 'browser_navigate')?.function
    expect(tool?.parameters).toMatchObject({
      properties: { result: { type: 'integer' } },
      required: ['result'],
    })
    const seen = JSON.stringify(researcher.at(-1)?.body)
    expect(seen).toContain('url is not taken')
    expect(seen).toContain('9 is not a result number')
    expect(seen).toContain('Results go from 1 to 1.')
  })

  it('keeps the secrets of its file out of log and models, also where the server says them', async () => {
    setUp()
    const { answer, events, requests } = await ask([['browser_whoami', {}], navigate])
    expect(answer.status).toBe('answered')
    const log = JSON.stringify(events)
    expect(log).toContain('Logged in with [secret]')
    expect(log + JSON.stringify(requests.map(({ body }) => body))).not.toContain(secret)
  })

  it('cites what is of no address by its call', async () => {
    setUp()
    const { answer } = await ask([['browser_whoami', {}]])
    expect(answer.citations).toMatchObject([{ n: 1, title: 'browser: browser.whoami()' }])
  })

  it('is answered from a file that the official filesystem server read, and writes none', async () => {
    const file = join(world.folder, 'stones.md')
    writeFileSync(file, `# Stones\n\n${sentence}.\n`)
    const files = { ...officialServer('filesystem', world.folder), trust: true }
    writeFileSync(configFile(), JSON.stringify({ mcpServers: { files } }))
    const { answer, researcher } = await ask([['files_read_text_file', { path: file }]])
    expect(answer).toMatchObject({
      status: 'answered',
      citations: [{ title: expect.stringMatching(/^files: files\.read_text_file\(/) }],
      claims: [{ verdict: 'verbatim' }],
    })
    expect(researcher[0]?.tools).not.toContain('files_write_file')
  })

  it('shows a note in the place of a picture, which the log keeps', async () => {
    setUp()
    const { researcher, events } = await ask([['browser_screenshot', {}], navigate])
    expect(JSON.stringify(researcher.at(-1)?.body)).toContain('image/png, 70 bytes, kept and not')
    const step = events.find(({ key, type }) => type === 'step.done' && key.includes('screenshot'))
    expect(step?.output).toMatchObject({ images: [{ mediaType: 'image/png' }] })
  })
})

describe('a picture that a server gives', () => {
  it('is shown after the results to a model that takes pictures, and replayed', async () => {
    setUp()
    const models = { default: { name: 'openai-compatible:scripted', vision: true } }
    const { answer, researcher } = await ask([['browser_screenshot', {}], navigate], {
      options: { models },
    })
    const [, , third] = researcher
    const body = JSON.stringify(third?.body)
    expect(body).toContain('image/png, 70 bytes, shown after the results')
    expect(body).toMatch(/"image_url":\{"url":"data:image\/png;base64,iVBORw0KGgo/)
    const replay = await world.offline('home').replay(answer.runId)
    expect(replay).toMatchObject({ isIdentical: true })
  })
})

describe('a server that fails', () => {
  it('in the middle is a gap that the model is told, and is started again for the next call', async () => {
    setUp()
    const { answer, researcher, notices } = await ask([['browser_crash', {}], navigate])
    expect(answer).toMatchObject({
      status: 'answered',
      gaps: [
        { kind: 'source_unavailable', source: 'MCP server "browser"', reason: 'server_failed' },
      ],
      claims: [{ verdict: 'verbatim' }],
    })
    expect(JSON.stringify(researcher.at(-1)?.body)).toContain('Error: MCP server \\"browser')
    expect(notices.map(({ text }) => text).join('\n')).toMatch(/was reconnected/)
    const replay = await world.offline('home').replay(answer.runId)
    expect(replay).toMatchObject({ isIdentical: true })
  }, 60_000)

  it('for good is dropped, and the run continues without it', async () => {
    setUp()
    const crash: Call = ['browser_crash', {}]
    const { answer } = await ask([crash, crash, navigate])
    expect(answer).toMatchObject({ status: 'unanswered', error: null })
    expect(answer.gaps).toMatchObject([
      { kind: 'source_unavailable', reason: 'server_failed' },
      { kind: 'no_evidence' },
    ])
  }, 60_000)

  it('to start is a gap, and nothing of it is offered', async () => {
    setUp({}, nodeProgram('no-such-server.ts'))
    const { answer, researcher } = await ask([])
    expect(answer.gaps).toMatchObject([
      { kind: 'source_unavailable', source: 'MCP server "browser"', reason: 'not_started' },
      { kind: 'no_evidence' },
    ])
    expect(researcher[0]?.tools).toEqual([
      'search_library',
      'list_sources',
      'read_source',
      'quote_source',
    ])
  }, 60_000)
})

describe('a tool that may change something', () => {
  it('is left out with one notice, as is every tool of a server that is not trusted', async () => {
    setUp({ trust: false })
    const { researcher, notices } = await ask([])
    expect(researcher[0]?.tools).toEqual([
      'search_library',
      'list_sources',
      'read_source',
      'quote_source',
    ])
    expect(notices.filter(({ text }) => text.includes('left out'))).toEqual([
      { level: 'info', text: expect.stringContaining('browser.navigate, browser.whoami') },
    ])
  })

  it('is offered and called where the operator allows it', async () => {
    setUp()
    const { researcher, events } = await ask([['browser_submit', { form: 'a' }], navigate], {
      mcp: { allow: ['browser.submit'] },
    })
    expect(researcher[0]?.tools).toContain('browser_submit')
    const step = events.find(({ key, type }) => type === 'step.done' && key.includes('submit'))
    expect(step?.data).toMatchObject({ effect: 'write' })
    expect(JSON.stringify(researcher.at(-1)?.body)).toContain('The form was sent.')
  })
})

describe('a question', () => {
  it('uses no server where nobody said so, and can choose among the operator’s alone', async () => {
    setUp()
    const off = await ask([], { mcp: { servers: false } })
    expect(off.researcher[0]?.tools).toEqual([
      'search_library',
      'list_sources',
      'read_source',
      'quote_source',
    ])
    const on = await ask([navigate], { mcp: { servers: false }, request: { mcp: ['browser'] } })
    expect(on.answer.status).toBe('answered')
    await expect(ask([], { request: { mcp: ['browsr'] } })).rejects.toMatchObject({
      code: 'invalid_input',
      hint: expect.stringContaining('Did you mean "browser"?'),
    })
    const none = { configFiles: [], servers: true }
    await expect(ask([], { mcp: none })).rejects.toMatchObject({ code: 'invalid_configuration' })
  })

  it('starts no server for the engine that is no language model, and says so', async () => {
    setUp({}, nodeProgram('no-such-server.ts'))
    const { answer, notices } = await ask([], { options: { models: {} } })
    expect(answer.gaps.map(({ kind }) => kind)).not.toContain('source_unavailable')
    expect(notices.map(({ text }) => text).join()).toContain('does not use MCP servers')
  })
})
