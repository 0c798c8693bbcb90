import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { PermissionRequest } from '../../src/app.ts'
import { officialServer } from '../mcp/connected.ts'
import { call, SessionWorld } from './session-world.ts'

let world: SessionWorld
afterEach(() => world.close())

/** An app that may use the official server "everything", believed where it says that a tool only reads. */
async function openWithServer() {
  world = new SessionWorld()
  const file = join(world.root, 'mcp.json')
  const everything = { ...officialServer('everything'), trust: true }
  writeFileSync(file, JSON.stringify({ mcpServers: { everything } }))
  return world.app({ mcp: { configFiles: [file] } })
}

describe('MCP servers of a session', () => {
  it('are used only where the operator says so; their tools are replayed without them', async () => {
    const app = await openWithServer()
    world.say([{ text: 'no server' }])
    const without = await app.code({})
    await without.send('hello')
    expect(world.model.requests.at(-1)?.tools.some((name) => name.startsWith('everything'))).toBe(
      false,
    )
    await without.finish()
    world.say([call('everything.echo', { message: 'hi' }), { text: 'done' }])
    const session = await app.code(
      { mcp: true, settings: { allow: ['everything.*'] } },
      { onEvent: world.hear },
    )
    await session.send('echo')
    const offered = world.model.requests.at(-1)?.tools ?? []
    if (offered.includes('everything_echo')) {
      expect(world.heard('tool.done')[0]).toMatchObject({ isError: false })
      expect(JSON.stringify(world.sent(-1))).toContain('Echo: hi')
    } else
      expect(
        world
          .heard('notice')
          .map(({ text }) => text)
          .join(),
      ).toContain('everything.echo')
    await session.finish()
    const other = await world.app()
    expect(await other.replay(session.runId)).toMatchObject({ isIdentical: true, unclaimed: [] })
  }, 60_000)

  it('give resources behind @server:uri and prompts behind /server:prompt, which taint the session', async () => {
    const app = await openWithServer()
    const session = await app.code(
      { mcp: true, settings: { isYolo: true } },
      { onEvent: world.hear },
    )
    world.say([
      { text: 'read' },
      { text: 'told' },
      call('bash', { command: 'touch made.txt' }),
      { text: 'not done' },
    ])
    const uri = 'demo://resource/static/document/architecture.md'
    await session.send(`See @everything:${uri} please`)
    expect(String(world.sent(-1).at(-1)?.content)).toContain(`<file name="everything:${uri}">`)
    await session.slash('/everything:args-prompt city=Oslo')
    expect(String(world.sent(-1).at(-1)?.content)).toContain('Oslo')
    expect(session.state?.isTainted).toBe(true)
    const turn = await session.send({ kind: 'prompt', text: 'now make it', isUnattended: true })
    expect(turn.refused).toMatchObject([
      { toolName: 'bash', reason: expect.stringContaining('text from elsewhere') },
    ])
    expect(world.text('made.txt')).toBeUndefined()
    const { text } = await session.slash('/mcp')
    expect(text).toContain(`@everything:${uri}`)
    expect(text).toContain('/everything:args-prompt')
    const offered = await (await app.completions({ mcp: true })).prompts()
    const { parameters = [] } = offered.find(({ name }) => name === '/everything:args-prompt') ?? {}
    expect(parameters).toEqual(['city', 'state'])
    expect(await (await app.completions({})).prompts()).toEqual([])
    const again = await app.completions({ resume: session.runId })
    expect(await again.prompts()).toEqual(offered)
    await session.finish()
  }, 60_000)
})

describe('a session that holds text from elsewhere', () => {
  it('asks the person although nothing else is asked about, and says why; a rule of theirs lets it through', async () => {
    const app = await openWithServer()
    const asked: PermissionRequest[] = []
    const session = await app.code(
      { mcp: true, settings: { isYolo: true, allow: ['bash:touch ruled.txt'] } },
      {
        onPermission: async (request) => {
          asked.push(request)
          return { decision: 'once' }
        },
      },
    )
    const uri = 'demo://resource/static/document/architecture.md'
    world.say([
      call('bash', { command: 'touch made.txt' }),
      call('bash', { command: 'touch ruled.txt' }),
      call('write', { path: 'w.txt', content: 'x' }),
      { text: 'done' },
    ])
    await session.send(`See @everything:${uri} and make it`)
    expect(asked.map(({ toolName }) => toolName)).toEqual(['bash', 'write'])
    expect(asked[0]?.reason).toContain('text from elsewhere')
    expect(['made.txt', 'ruled.txt', 'w.txt'].map((path) => world.text(path))).toEqual([
      '',
      '',
      'x',
    ])
    await session.finish()
  }, 60_000)
})

const extractive = {
  planner: 'extractive',
  researcher: 'extractive',
  expert: 'extractive',
  critic: 'extractive',
  finalizer: 'extractive',
  verifier: 'extractive',
} as const

/** A session whose library knows two things, each from a source of its own. */
async function openWithLibrary() {
  world = new SessionWorld({
    'notes/stone.md':
      '# Glimmerstone\n\nGlimmerstone is a mineral that melts at 412 degrees Celsius.\n',
    'notes/varnel.md': '# The varnel\n\nThe varnel is a bird that feeds on moths.\n',
  })
  const app = await world.app({
    models: { default: 'openai-compatible:scripted', ...extractive },
  })
  await Array.fromAsync(app.addToLibrary([join(world.workspace, 'notes')]))
  const session = await app.code(
    { settings: { isYolo: true } },
    { onEvent: world.hear, limits: { maxSteps: 300 } },
  )
  return { app, session }
}

const melts = 'At what temperature does glimmerstone melt?'
const feeds = 'What does the varnel feed on?'

describe('the question team as a tool', () => {
  it('answers with citations inside the session’s run; it is replayed and its calls are counted', async () => {
    const { app, session } = await openWithLibrary()
    world.say([call('research', { question: melts }), { text: 'At 412 degrees.' }])
    const turn = await session.send('look it up')
    const [done] = world.heard('tool.done')
    expect(done, JSON.stringify(done)).toMatchObject({
      toolName: 'research',
      isError: false,
      output: {
        status: 'answered',
        answer: expect.stringContaining('412'),
        sources: [{ n: 1, title: expect.any(String) }],
      },
    })
    expect(turn).toMatchObject({ outcome: 'answer', toolCalls: { research: 1 } })
    await session.finish()
    expect(await app.replay(session.runId)).toMatchObject({ isIdentical: true, unclaimed: [] })
  }, 60_000)

  it('gives a source one number in the whole session, whatever number each answer had for it', async () => {
    const { app, session } = await openWithLibrary()
    const both = [feeds, melts].map((question) => ({ name: 'research', input: { question } }))
    world.say([
      call('research', { question: melts }),
      { text: 'one' },
      { toolCalls: both },
      { text: 'two' },
      call('research', { question: feeds }),
      { text: 'three' },
    ])
    await session.send('look it up')
    await session.send('and both')
    await session.slash('/clear')
    await session.send('and again')
    type Told = {
      readonly answer: string
      readonly sources: readonly { n: number; title: string }[]
    }
    const answers = world.heard('tool.done').map(({ output }) => output as unknown as Told)
    expect(answers.map(({ sources }) => sources.map(({ n }) => n))).toEqual([[1], [2], [1], [2]])
    const [stone, varnel, stoneAgain] = answers
    expect(stone?.answer).toMatch(/412.*\[1\]/s)
    expect(varnel?.answer).toMatch(/moths.*\[2\]/s)
    expect(stoneAgain?.sources).toEqual(stone?.sources)
    const sent = JSON.stringify(world.sent(-1))
    expect(sent).toContain('[2]')
    expect(sent).not.toContain('[1]')
    expect(session.state?.sources).toHaveLength(2)
    await session.finish()
    expect(await app.replay(session.runId)).toMatchObject({ isIdentical: true, unclaimed: [] })
  }, 60_000)
})
