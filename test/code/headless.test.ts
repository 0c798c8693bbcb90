import { afterEach, describe, expect, it } from 'vitest'
import type { PastTurn } from '../../src/app.ts'
import { brokenProject, call, mending, SessionWorld } from './session-world.ts'

let world: SessionWorld
afterEach(() => world.close())

const task = { kind: 'prompt', text: 'The check fails. Mend it.', isUnattended: true } as const

describe('a session with a model over HTTP', () => {
  it('mends a project whose check fails: looks, runs, changes, runs, says so; its replay is the same', async () => {
    world = new SessionWorld(brokenProject)
    world.say(mending)
    const app = await world.app()
    const request = { settings: { isYolo: true }, isTrusted: true }
    const session = await app.code(request, { onEvent: world.hear })
    const turn: PastTurn = await session.send(task)
    expect(world.heard('tool.done').map(({ toolName, isError }) => [toolName, isError])).toEqual([
      ['read', false],
      ['bash', false],
      ['edit', false],
      ['bash', false],
    ])
    expect(turn).toMatchObject({ outcome: 'answer', answer: expect.stringContaining('Mended') })
    expect(world.text('add.mjs')).toContain('a + b')
    expect(world.text('runs.txt')).toBe('run 1\nrun 2\n')
    const answer = await session.finish()
    expect(answer).toMatchObject({
      status: 'answered',
      filesRead: ['add.mjs'],
      filesChanged: ['add.mjs'],
      commands: ['node check.mjs 1', 'node check.mjs 2'],
      refused: [],
    })
    const calls = world.model.requests.length
    const replay = await app.replay(session.runId)
    expect(replay).toMatchObject({ isIdentical: true, unclaimed: [] })
    expect(world.model.requests).toHaveLength(calls)
    expect(world.text('runs.txt')).toBe('run 1\nrun 2\n')
  })

  it('changes nothing without a rule where nobody is there to be asked, and lists it', async () => {
    world = new SessionWorld(brokenProject)
    world.say([
      call('write', { path: 'new.txt', content: 'x' }),
      call('bash', { command: 'touch made.txt' }),
      { text: 'I would have written new.txt.' },
    ])
    const app = await world.app()
    const session = await app.code({}, { onEvent: world.hear })
    await session.send(task)
    const answer = await session.finish()
    expect(world.text('new.txt')).toBeUndefined()
    expect(world.text('made.txt')).toBeUndefined()
    expect(answer.status).toBe('partial')
    expect(answer.refused.map(({ toolName, title }) => [toolName, title])).toEqual([
      ['write', 'create new.txt (+1 −0)'],
      ['bash', 'run: touch made.txt'],
    ])
    expect(answer.refused[0]?.rules).toEqual(['edit:new.txt', 'write:new.txt'])
    expect(JSON.stringify(world.sent(2))).toContain('Nobody is there to be asked')
  })

  it('does what a rule allows and nothing else', async () => {
    world = new SessionWorld({ 'src/a.txt': 'one\n', 'b.txt': 'two\n' })
    world.say([
      call('edit', { path: 'src/a.txt', old_text: 'one', new_text: 'ONE' }),
      call('edit', { path: 'b.txt', old_text: 'two', new_text: 'TWO' }),
      { text: 'done' },
    ])
    const app = await world.app()
    const session = await app.code({ settings: { allow: ['edit:src/'] } })
    await session.send({ ...task, text: 'change src/a.txt and b.txt' })
    const answer = await session.finish()
    expect(world.text('src/a.txt')).toBe('ONE\n')
    expect(world.text('b.txt')).toBe('two\n')
    expect(answer.refused.map(({ title }) => title)).toEqual([expect.stringContaining('b.txt')])
  })

  it('reads nothing that a rule keeps from it, and lists commands that only look', async () => {
    world = new SessionWorld({ 'private/a.txt': 'secret words\n', 'b.txt': 'two\n' })
    world.say([
      call('read', { path: 'private/a.txt' }),
      call('bash', { command: 'ls' }),
      { text: 'done' },
    ])
    const app = await world.app()
    const session = await app.code({ settings: { deny: ['read:private/'] } })
    await session.send(task)
    const answer = await session.finish()
    expect(JSON.stringify(world.sent(-1))).not.toContain('secret words')
    expect(answer.refused.map(({ toolName }) => toolName)).toEqual(['read'])
    expect(answer.commands).toEqual(['ls'])
  })

  it('never does what a rule forbids, with yolo too', async () => {
    world = new SessionWorld()
    world.say([call('bash', { command: 'touch made.txt' }), { text: 'done' }])
    const app = await world.app()
    const session = await app.code({ settings: { isYolo: true, deny: ['bash:touch *'] } })
    await session.send(task)
    const answer = await session.finish()
    expect(world.text('made.txt')).toBeUndefined()
    expect(answer.refused[0]?.rules).toEqual([])
  })
})
