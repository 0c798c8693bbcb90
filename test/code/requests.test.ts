import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { CodeSettings } from '../../src/app.ts'
import { call, type Files, SessionWorld } from './session-world.ts'

let world: SessionWorld
afterEach(() => world.close())

async function open(files: Files = {}, settings: Partial<CodeSettings> = { isYolo: true }) {
  world = new SessionWorld(files)
  mkdirSync(join(world.workspace, '.git'), { recursive: true })
  world.put({ '.git/HEAD': 'ref: refs/heads/trunk\n' })
  const app = await world.app()
  return { app, session: await app.code({ settings, isTrusted: true }, { onEvent: world.hear }) }
}

const system = () => String(world.sent(-1)[0]?.content)
const tools = () => world.model.requests.at(-1)?.tools ?? []

describe('what a session is told first', () => {
  it.each([
    [
      'system.md',
      { '.scholium/prompts/system.md': 'Own é one.', '.scholium/prompts/system.txt': 'Other.' },
      'Own é one.',
    ],
    [
      'system.txt where there is no system.md',
      { '.scholium/prompts/system.txt': 'Other.' },
      'Other.',
    ],
    [
      'system.txt where system.md is empty',
      { '.scholium/prompts/system.md': ' ', '.scholium/prompts/system.txt': 'Other.' },
      'Other.',
    ],
    ['the built-in prompt', {}, 'You are a coding agent.'],
  ])('is %s', async (_, files, beginning) => {
    const { session } = await open(files as Files)
    world.say([{ text: 'done' }])
    await session.send('hello')
    expect(system().startsWith(beginning)).toBe(true)
    expect(system()).toContain(`Folder: ${world.workspace}`)
    expect(system()).toContain('Git branch: trunk')
    await session.finish()
  })

  it('holds AGENTS.md from the root of the project down to the folder', async () => {
    world = new SessionWorld({ 'AGENTS.md': 'root rules', 'pkg/app/AGENTS.md': 'app rules' })
    mkdirSync(join(world.workspace, '.git'))
    const app = await world.app()
    const session = await app.code({ workspace: 'pkg/app' })
    world.say([{ text: 'done' }])
    await session.send('hello')
    expect(system().indexOf('root rules')).toBeGreaterThan(0)
    expect(system().indexOf('app rules')).toBeGreaterThan(system().indexOf('root rules'))
    await session.finish()
  })

  it('says which of its files are no text, and goes on without', async () => {
    world = new SessionWorld()
    world.put({ 'AGENTS.md': 'x' })
    const { writeFileSync } = await import('node:fs')
    writeFileSync(join(world.workspace, 'AGENTS.md'), Buffer.from([0xff, 0xfe, 0x00, 0xd8]))
    const app = await world.app()
    const session = await app.code({}, { onEvent: world.hear })
    world.say([{ text: 'done' }])
    await session.send('hello')
    expect(world.heard('notice')[0]?.text).toContain('AGENTS.md is not UTF-8 text')
    await session.finish()
  })

  it('offers each tool once, also those by other names', async () => {
    const { session } = await open({ 'a.txt': 'one\n' })
    world.say([
      call('read_file', { file_path: 'a.txt' }),
      call('run_command', { command: 'echo hi' }),
      { text: 'done' },
    ])
    await session.send('hello')
    expect(new Set(tools()).size).toBe(tools().length)
    expect(tools()).toEqual(
      expect.arrayContaining([
        'read',
        'write',
        'edit',
        'list',
        'glob',
        'grep',
        'bash',
        'todo',
        'research',
      ]),
    )
    expect(world.heard('tool.done').map(({ toolName, isError }) => [toolName, isError])).toEqual([
      ['read', false],
      ['bash', false],
    ])
    await session.finish()
  })
})

describe('one agent for each model', () => {
  it('goes on with the conversation under another model, and back', async () => {
    const { app, session } = await open()
    world.say((seen) => ({ text: `${seen.model} heard it` }))
    await session.send('one')
    await session.send({ kind: 'settings', change: { model: 'openai-compatible:other' } })
    await session.send('two')
    await session.send({ kind: 'settings', change: { model: 'openai-compatible:scripted' } })
    await session.send('three')
    expect(world.model.requests.map(({ model }) => model)).toEqual([
      'scripted',
      'other',
      'scripted',
    ])
    expect(world.sent(-1)).toHaveLength(6)
    expect(new Set(world.model.requests.map(({ body }) => JSON.stringify(body.tools))).size).toBe(1)
    await session.finish()
    expect(await app.replay(session.runId)).toMatchObject({ isIdentical: true, unclaimed: [] })
  })

  it('one that cannot be called is refused when it is set, and the session goes on', async () => {
    const { app, session } = await open()
    const turn = await session.send({ kind: 'settings', change: { model: 'nosuch:model' } })
    expect(turn).toMatchObject({ outcome: 'failed', failure: { code: 'invalid_configuration' } })
    world.say([{ text: 'here' }])
    expect(await session.send('two')).toMatchObject({ answer: 'here' })
    await session.finish()
    expect(await app.replay(session.runId)).toMatchObject({ isIdentical: true })
  })
})

describe('the iterations of a request', () => {
  const looping = () => call('list', { path: '.' })

  it.each([
    ['minimal', 'Stopped before there was an answer', 'Next:'],
    ['normal', 'Next:', 'Files read'],
    ['detailed', 'Next:', 'no such'],
  ] as const)('end with an answer by code: %s', async (verbosity, said, unsaid) => {
    const { session } = await open({}, { maxSteps: 2, verbosity })
    world.say(looping)
    const turn = await session.send('loop')
    expect(turn).toMatchObject({ outcome: 'max_steps', modelCalls: 2 })
    expect(turn.answer).toContain(said)
    expect(turn.answer).not.toContain(unsaid)
    const answer = await session.finish()
    expect(answer).toMatchObject({ status: 'partial', stopReason: 'max_steps' })
  })

  it('end without one where none is wanted', async () => {
    const { session } = await open({}, { maxSteps: 1, hasFallback: false })
    world.say(looping)
    expect(await session.send('loop')).toMatchObject({ outcome: 'max_steps', answer: '' })
    await session.finish()
  })

  it('are counted anew with each request, as are its calls', async () => {
    const { session } = await open({}, { maxSteps: 3 })
    world.say([looping(), { text: 'one' }, looping(), looping(), { text: 'two' }])
    expect(await session.send('a')).toMatchObject({
      answer: 'one',
      modelCalls: 2,
      toolCalls: { list: 1 },
    })
    expect(await session.send('b')).toMatchObject({
      answer: 'two',
      modelCalls: 3,
      toolCalls: { list: 2 },
    })
    await session.finish()
  })

  it('are 20 where nothing is said', async () => {
    const { session } = await open({}, {})
    world.say(looping)
    expect(await session.send('loop')).toMatchObject({ modelCalls: 20 })
    await session.finish()
  })
})

describe('calls that a model prints as text', () => {
  it.each([
    ['inline', 'Let me look. {"tool": "read", "args": {"path": "a.txt"}}'],
    ['with nested braces', '{"tool": "grep", "args": {"pattern": "o{1,2}", "path": "."}}'],
    ['in a fence', '```json\n{"tool": "read", "args": {"path": "a.txt"}}\n```'],
    ['with tags', '<tool_call>{"name": "read", "arguments": {"path": "a.txt"}}</tool_call>'],
  ])('%s are made once each', async (_, text) => {
    const { session } = await open({ 'a.txt': 'one\n' })
    world.say([{ text }, { text: 'done' }])
    await session.send('look')
    expect(world.heard('tool.done')).toMatchObject([{ isError: false }])
    expect(world.sent(2).filter(({ role }) => role === 'tool')).toHaveLength(1)
    await session.finish()
  })

  it('are not looked for beside proper ones', async () => {
    const { session } = await open({ 'a.txt': 'one\n' })
    const text = '{"tool": "list", "args": {"path": "."}}'
    world.say([{ text, toolCalls: [{ name: 'read', input: { path: 'a.txt' } }] }, { text: 'done' }])
    await session.send('look')
    expect(world.heard('tool.done').map(({ toolName }) => toolName)).toEqual(['read'])
    await session.finish()
  })

  it('have ids of their own', async () => {
    const { session } = await open({ 'a.txt': 'one\n' })
    const text = '{"tool": "read", "args": {"path": "a.txt"}}'
    world.say([{ text }, { text }, { text: 'done' }])
    await session.send('look')
    const ids = world.heard('tool.done').map(({ callId }) => callId)
    expect(new Set(ids).size).toBe(2)
    await session.finish()
  })
})

describe('what happens in a request', () => {
  it('is told while it happens: thoughts once, calls, files, the answer', async () => {
    const { session } = await open({ 'a.txt': 'one\n', 'b.txt': 'two\n' })
    world.say([
      {
        text: '{"thought": "look at both"}',
        toolCalls: [{ name: 'read', input: { path: 'a.txt' } }],
      },
      {
        text: '{"thought": "look at both"}',
        toolCalls: [{ name: 'grep', input: { pattern: 'two' } }],
      },
      { text: 'Both seen.' },
    ])
    await session.send('look')
    expect(world.heard('thought')).toEqual([{ type: 'thought', text: 'look at both' }])
    expect(world.heard('tool.started').map(({ toolName }) => toolName)).toEqual(['read', 'grep'])
    expect(world.heard('file.read').map(({ path }) => path)).toContain('a.txt')
    expect(world.heard('message').at(-1)?.text).toBe('Both seen.')
    const [context] = world.heard('context').slice(-1)
    expect(context).toMatchObject({ windowTokens: 32_000 })
    // The descriptions of the tools are sent with each call, and are more than what was said.
    expect(context?.tokens).toBeGreaterThan(1_500)
    expect(world.heard('turn.done')).toMatchObject([{ outcome: 'answer', answer: 'Both seen.' }])
    await session.finish()
  })

  it('leaves the files of which the model was shown something, over all requests', async () => {
    const { session } = await open({ 'a.txt': 'one\n', 'b.txt': 'two\n' })
    world.say([
      call('read', { path: 'a.txt' }),
      { text: 'one' },
      call('read', { path: 'b.txt' }),
      call('read', { path: 'gone.txt' }),
      { text: 'two' },
    ])
    await session.send('a')
    await session.send('b')
    expect(session.state?.files).toEqual(['a.txt', 'b.txt'])
    await session.finish()
  })

  it('never changes the conversation of before', async () => {
    const { app, session } = await open()
    world.say((seen) => ({ text: `heard ${seen.lastText}` }))
    await session.send('one')
    const before = await session.messages()
    const known = structuredClone(before)
    const hashes = session.state?.messages
    await session.send('two')
    expect(before).toEqual(known)
    expect(session.state?.messages.slice(0, 2)).toEqual(hashes)
    await session.finish()
    expect(await app.replay(session.runId)).toMatchObject({ isIdentical: true })
  })

  it('a model that fails ends the request and not the session', async () => {
    const { session } = await open({ 'a.txt': 'one\n' })
    world.say([
      call('read', { path: 'a.txt' }),
      { status: 400, body: { error: { message: 'no' } } },
      { text: 'here again' },
    ])
    const turn = await session.send('one')
    expect(turn).toMatchObject({
      outcome: 'failed',
      failure: { code: 'model_failed' },
      toolCalls: { read: 1 },
    })
    expect(await session.send('two')).toMatchObject({ answer: 'here again' })
    expect(world.sent(-1).map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ])
    await session.finish()
  })
})
