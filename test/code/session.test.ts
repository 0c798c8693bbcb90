import { afterEach, describe, expect, it } from 'vitest'
import type { PermissionAnswer, PermissionRequest, SessionReader } from '../../src/index.ts'
import { createGate } from '../kernel/runs.ts'
import { call, SessionWorld } from './session-world.ts'

let world: SessionWorld
afterEach(() => world.close())

/** Opens a session whose person answers so, in turn. */
async function open(answers: readonly PermissionAnswer[] = [], settings = {}) {
  const asked: PermissionRequest[] = []
  const app = await world.app()
  const session = await app.code(
    { settings },
    {
      onEvent: world.hear,
      onPermission: async (request) => {
        asked.push(request)
        return answers[asked.length - 1] ?? { decision: 'no' }
      },
    },
  )
  return { app, session, asked }
}

describe('a person who is asked', () => {
  it('sees what would change and says yes once', async () => {
    world = new SessionWorld({ 'a.txt': 'one\n' })
    world.say([
      call('edit', { path: 'a.txt', old_text: 'one', new_text: 'two' }),
      call('edit', { path: 'a.txt', old_text: 'two', new_text: 'three' }),
      { text: 'done' },
    ])
    const { session, asked } = await open([{ decision: 'once' }, { decision: 'once' }])
    await session.send('change it')
    expect(asked).toHaveLength(2)
    expect(asked[0]?.preview.diff).toContain('+two')
    expect(asked[0]?.preview.paths).toEqual(['a.txt'])
    expect(world.text('a.txt')).toBe('three\n')
  })

  it('says always, and is not asked about the same folder or command again', async () => {
    world = new SessionWorld({ 'src/a.txt': 'one\n', 'src/b.txt': 'one\n', 'c.txt': 'one\n' })
    world.say([
      call('edit', { path: 'src/a.txt', old_text: 'one', new_text: 'two' }),
      call('edit', { path: 'src/b.txt', old_text: 'one', new_text: 'two' }),
      call('edit', { path: 'c.txt', old_text: 'one', new_text: 'two' }),
      { text: 'done' },
      call('write', { path: 'src/new.txt', content: 'x' }),
      { text: 'done' },
    ])
    const { session, asked } = await open([{ decision: 'always' }])
    await session.send('change them')
    expect(asked.map(({ preview }) => preview.paths)).toEqual([['src/a.txt'], ['c.txt']])
    await session.send('and another')
    expect(asked).toHaveLength(2)
    expect(world.text('src/new.txt')).toBe('x')
    expect(session.state?.settings.allow).toEqual(['edit:src/', 'write:src/'])
  })

  it('says no with a note, which the model is told', async () => {
    world = new SessionWorld()
    world.say([call('bash', { command: 'touch made.txt' }), { text: 'I use another way.' }])
    const { session, asked } = await open([{ decision: 'no', note: 'use git instead' }])
    const turn = await session.send('make it')
    expect(asked[0]?.preview.command).toBe('touch made.txt')
    expect(JSON.stringify(world.sent(2).at(-1))).toContain('use git instead')
    expect(turn.refused).toHaveLength(1)
    expect(world.text('made.txt')).toBeUndefined()
  })
})

describe('a turn that the person stops', () => {
  it('keeps what was done and what was being said, and the session goes on', async () => {
    world = new SessionWorld({ 'a.txt': 'one\n' })
    const gate = createGate()
    world.say((seen) => {
      if (seen.lastText.includes('go on')) return { text: 'Gone on.' }
      if (seen.lastRole === 'tool') {
        gate.open()
        return { text: 'I was just about to say something long', delayMs: 5_000 }
      }
      return call('read', { path: 'a.txt' })
    })
    const { app, session } = await open()
    const sent = session.send('look')
    await gate.opened
    expect(await session.cancelTurn()).toBe(true)
    expect(await sent).toMatchObject({ outcome: 'cancelled', toolCalls: { read: 1 } })
    expect(await session.send('go on')).toMatchObject({ outcome: 'answer', answer: 'Gone on.' })
    const roles = world.sent(-1).map(({ role }) => role)
    expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user'])
    await session.finish()
    expect(await app.replay(session.runId)).toMatchObject({ isIdentical: true, unclaimed: [] })
  })

  it('ends a command that runs, whose result then says so; nothing runs again in a resumed session', async () => {
    world = new SessionWorld()
    const started = createGate()
    world.say((seen) =>
      seen.lastText.includes('go on')
        ? { text: 'Gone on.' }
        : call('bash', { command: 'echo ran >> runs.txt; sleep 30' }),
    )
    const app = await world.app()
    const session = await app.code(
      { settings: { isYolo: true } },
      { onEvent: (event) => (event.type === 'tool.started' ? started.open() : undefined) },
    )
    const sent = session.send('run it')
    await started.opened
    while (world.text('runs.txt') === undefined)
      await new Promise((resolve) => setTimeout(resolve, 20))
    await session.cancelTurn()
    expect(await sent).toMatchObject({ outcome: 'cancelled' })
    await session.close()
    const again = await (await world.app()).code({ resume: session.runId })
    expect(await again.send('go on')).toMatchObject({ answer: 'Gone on.' })
    expect(JSON.stringify(world.sent(-1))).toContain('The turn was stopped')
    expect(world.text('runs.txt')).toBe('ran\n')
    await again.finish()
  })

  it('ends a command of the person, and the session continues', async () => {
    world = new SessionWorld()
    world.say([{ text: 'Gone on.' }])
    const app = await world.app()
    const session = await app.code()
    const sent = session.send({ kind: 'command', command: 'echo ran >> runs.txt; sleep 30' })
    while (world.text('runs.txt') === undefined)
      await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await session.cancelTurn()).toBe(true)
    expect(await sent).toMatchObject({ outcome: 'cancelled' })
    await session.close()
    const again = await (await world.app()).code({ resume: session.runId })
    expect(await again.send('go on')).toMatchObject({ answer: 'Gone on.' })
    expect(JSON.stringify(world.sent(-1))).toContain('I stopped it')
    expect(world.text('runs.txt')).toBe('ran\n')
    await again.finish()
    expect(await app.replay(session.runId)).toMatchObject({ isIdentical: true })
  })

  it('may be stopped while the person is asked', async () => {
    world = new SessionWorld()
    const asked = createGate()
    world.say((seen) =>
      seen.lastText.includes('go on') ? { text: 'Gone on.' } : call('bash', { command: 'touch x' }),
    )
    const app = await world.app()
    const session = await app.code(
      {},
      {
        onPermission: () => {
          asked.open()
          return new Promise(() => {})
        },
      },
    )
    const sent = session.send('make it')
    await asked.opened
    await session.cancelTurn()
    expect(await sent).toMatchObject({ outcome: 'cancelled' })
    expect(await session.send('go on')).toMatchObject({ answer: 'Gone on.' })
    await session.finish()
    expect(await app.replay(session.runId)).toMatchObject({ isIdentical: true, unclaimed: [] })
  })

  it('is none where nothing is worked on', async () => {
    world = new SessionWorld()
    const { session } = await open()
    expect(await session.cancelTurn()).toBe(false)
    await session.close()
  })
})

describe('a session that is left', () => {
  it('waits, is listed, and goes on with its conversation, its rules and its model calls', async () => {
    world = new SessionWorld()
    world.say((seen) => ({ text: `heard ${seen.lastText}` }))
    const { app, session } = await open([], { maxSteps: 7 })
    await session.send('one')
    await session.close()
    const [run] = await app.listRuns()
    expect(run).toMatchObject({ runId: session.runId, workflow: 'code', status: 'waiting' })
    expect(await app.replay('last')).toMatchObject({
      isIdentical: true,
      unclaimed: [],
      answer: { answer: 'heard one' },
    })
    expect(await app.recordedAnswer('last')).toMatchObject({
      status: 'answered',
      answer: 'heard one',
    })
    const again = await (await world.app()).code({ resume: 'last' })
    await again.whenIdle()
    expect(again.state?.settings.maxSteps).toBe(7)
    await again.send('two')
    expect(
      world
        .sent(-1)
        .map(({ content }) => content)
        .slice(1),
    ).toEqual(['one', 'heard one', 'two'])
    expect(world.model.requests).toHaveLength(2)
    await again.finish()
  })

  it('may wait at a question about a call: it replays so far, and asks again when it continues', async () => {
    world = new SessionWorld({ 'a.txt': 'one\n' })
    world.say([
      { text: 'hello' },
      call('read', { path: 'a.txt' }),
      call('edit', { path: 'a.txt', old_text: 'one', new_text: 'two' }),
      { text: 'changed' },
    ])
    const app = await world.app()
    const left = await app.code({})
    await left.send('hello')
    await expect(left.send('change it')).rejects.toMatchObject({ code: 'waiting' })
    expect(await app.replay(left.runId)).toMatchObject({
      isIdentical: true,
      unclaimed: [],
      answer: { answer: 'hello', requests: 1 },
    })
    expect(world.text('a.txt')).toBe('one\n')
    const asked: PermissionRequest[] = []
    const again = await app.code(
      { resume: left.runId },
      {
        onPermission: async (request) => {
          asked.push(request)
          return { decision: 'once' }
        },
      },
    )
    await again.whenIdle()
    expect(asked.map(({ toolName }) => toolName)).toEqual(['edit'])
    expect(world.text('a.txt')).toBe('two\n')
    expect(world.model.requests).toHaveLength(4)
    await again.finish()
    expect(await app.replay(left.runId)).toMatchObject({ isIdentical: true, unclaimed: [] })
  })

  it('is listed with the folder in which it works', async () => {
    world = new SessionWorld()
    world.say([{ text: 'hello' }])
    const { app, session } = await open()
    await session.send('hi')
    await session.close()
    const reader: SessionReader = await app.sessions()
    const lines = await Array.fromAsync(reader.list(world.workspace))
    expect(lines).toMatchObject([{ runId: session.runId, workspace: world.workspace }])
    expect(await Array.fromAsync(reader.list('/'))).toEqual([])
    expect(await reader.latest('last')).toBe(session.runId)
  })

  it('continues as another run once it was ended, or from an earlier turn; the first stays', async () => {
    world = new SessionWorld()
    world.say((seen) => ({ text: `heard ${seen.lastText}` }))
    const { app, session } = await open()
    for (const text of ['one', 'two']) await session.send(text)
    await session.finish()
    const ended = await app.code({ resume: session.runId })
    expect(ended.runId).not.toBe(session.runId)
    await ended.send('three')
    expect(
      world
        .sent(-1)
        .map(({ content }) => content)
        .slice(1),
    ).toEqual(['one', 'heard one', 'two', 'heard two', 'three'])
    await ended.finish()
    const fork = await app.code({ fork: { run: session.runId, turn: 1 } })
    await fork.send('other')
    expect(
      world
        .sent(-1)
        .map(({ content }) => content)
        .slice(1),
    ).toEqual(['one', 'heard one', 'other'])
    await fork.finish()
    expect(await app.replay(fork.runId)).toMatchObject({ isIdentical: true })
    expect((await app.showRun(fork.runId)).parent?.runId).toBe(session.runId)
  })

  it('in the middle of a turn is interrupted, and does the rest when it continues', async () => {
    world = new SessionWorld({ 'a.txt': 'one\n' })
    const gate = createGate()
    let isSlow = true
    world.say((seen) => {
      if (seen.lastRole === 'user') return call('read', { path: 'a.txt' })
      if (!isSlow) return { text: 'Done.' }
      gate.open()
      return { text: 'late', delayMs: 5_000 }
    })
    const { session } = await open()
    const sent = session.send('look')
    await gate.opened
    await session.close()
    await expect(sent).rejects.toMatchObject({ code: 'cancelled' })
    isSlow = false
    const again = await (await world.app()).code({ resume: session.runId }, { onEvent: world.hear })
    await again.whenIdle()
    expect(again.state?.turns).toMatchObject([{ outcome: 'answer', answer: 'Done.' }])
    expect(world.model.requests).toHaveLength(3)
    await again.finish()
  })
})
