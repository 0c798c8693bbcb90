import { afterEach, describe, expect, it } from 'vitest'
import type { CodeSession } from '../../src/app.ts'
import { call, type Files, SessionWorld } from './session-world.ts'

let world: SessionWorld
afterEach(() => world.close())

async function open(files: Files = {}) {
  world = new SessionWorld(files)
  const app = await world.app()
  const session = await app.code({ settings: { isYolo: true } }, { onEvent: world.hear })
  return { app, session }
}

const edit = (path: string, old_text: string, new_text: string) =>
  call('edit', { path, old_text, new_text })

describe('/undo', () => {
  it('undoes what the last request changed, and leaves alone what was changed since', async () => {
    const { app, session } = await open({ 'a.txt': 'one\n', 'b.txt': 'one\n', 'c.txt': 'one\n' })
    world.say([
      edit('a.txt', 'one', 'two'),
      edit('a.txt', 'two', 'three'),
      edit('b.txt', 'one', 'two'),
      call('write', { path: 'made/new.txt', content: 'x' }),
      { text: 'done' },
    ])
    await session.send('change them')
    world.put({ 'b.txt': 'mine\n' })
    const { text } = await session.slash('/undo')
    expect(text).toContain('Reverted: a.txt, made/new.txt.')
    expect(text).toContain('something else changed them since: b.txt.')
    expect([world.text('a.txt'), world.text('b.txt'), world.text('made/new.txt')]).toEqual([
      'one\n',
      'mine\n',
      undefined,
    ])
    world.say([{ text: 'I see' }])
    await session.send('go on')
    expect(JSON.stringify(world.sent(-1))).toContain('I took back what you changed')
    const answer = await session.finish()
    expect(answer.filesChanged).toEqual([])
    expect(await app.replay(session.runId)).toMatchObject({ isIdentical: true, unclaimed: [] })
  })

  it('keeps what something else changed between two changes of a request', async () => {
    const { session } = await open({ 'a.txt': 'one\n' })
    world.say([
      edit('a.txt', 'one', 'two'),
      call('bash', { command: 'echo mine >> a.txt' }),
      edit('a.txt', 'two', 'three'),
      edit('a.txt', 'three', 'four'),
      { text: 'done' },
    ])
    await session.send('change it')
    const { text } = await session.slash('/undo')
    expect(text).toBe('Partly reverted, because something else changed them in between: a.txt.')
    expect(world.text('a.txt')).toBe('two\nmine\n')
    await session.finish()
  })

  it('undoes one request after the other, and says when nothing is left', async () => {
    const { session } = await open({ 'a.txt': 'one\n' })
    world.say([
      edit('a.txt', 'one', 'two'),
      { text: 'done' },
      edit('a.txt', 'two', 'three'),
      { text: 'done' },
    ])
    await session.send('a')
    await session.send('b')
    await session.slash('/undo')
    expect(world.text('a.txt')).toBe('two\n')
    await session.slash('/undo')
    expect(world.text('a.txt')).toBe('one\n')
    expect((await session.slash('/undo')).text).toContain('no file change')
    await session.finish()
  })

  it('leaves alone what may not be changed any more, says why, and continues', async () => {
    const { session } = await open({ 'a.txt': 'one\n', 'b.txt': 'one\n' })
    world.say([
      edit('a.txt', 'one', 'two'),
      edit('b.txt', 'one', 'two'),
      { text: 'done' },
      { text: 'well' },
    ])
    await session.send('change them')
    world.put({ 'a.txt': 'x'.repeat(10_000_001) })
    const { text } = await session.slash('/undo')
    expect(text).toBe(
      'Reverted: b.txt. Not reverted: a.txt. "a.txt" has 10000001 bytes; files up to 10000000 are changed.',
    )
    expect((await session.send('go on')).answer).toBe('well')
    await session.finish()
  })
})

describe('/clear and /compact', () => {
  it('clear the conversation', async () => {
    const { session } = await open()
    world.say((seen) => ({ text: `heard ${seen.lastText}` }))
    await session.send('one')
    await session.slash('/clear')
    await session.send('two')
    expect(world.sent(-1).map(({ role }) => role)).toEqual(['system', 'user'])
    await session.finish()
  })

  it('leave a summary by the model and the newest messages, and say what was left out', async () => {
    const { app, session } = await open({ 'big.txt': `${'word '.repeat(10)}\n`.repeat(300) })
    world.say([
      call('read', { path: 'big.txt' }),
      { text: 'It says word.' },
      { text: 'THE SUMMARY' },
      { text: 'going on' },
    ])
    await session.send('read big.txt')
    const { text } = await session.slash('/compact what the file says')
    expect(text).toMatch(/compacted: \d+ messages \(about \d+ tokens\) were summarised/)
    expect(JSON.stringify(world.sent(-1))).toContain('what the file says')
    await session.send('go on')
    expect(JSON.stringify(world.sent(-1))).toContain('THE SUMMARY')
    expect(JSON.stringify(world.sent(-1))).not.toContain('word word word word')
    await session.finish()
    expect(await app.replay(session.runId)).toMatchObject({ isIdentical: true, unclaimed: [] })
  })

  it('come by themselves when the window is nearly full, in the middle of a request too', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 6 }, (_, index) => [
        `${index}.txt`,
        `${'lorem ipsum dolor sit amet '.repeat(2)}${index}
`.repeat(600),
      ]),
    )
    const { app, session } = await open(files)
    let given = 0
    world.say((seen) => {
      if (seen.system.startsWith('You write down')) return { text: 'SUMMARY' }
      return given < 6 ? call('read', { path: `${given++}.txt` }) : { text: 'All read.' }
    })
    const turn = await session.send('read all')
    expect(turn).toMatchObject({ outcome: 'answer', answer: 'All read.', toolCalls: { read: 6 } })
    expect(turn.notes?.[0]).toMatch(/compacted: \d+ messages .* were summarised/)
    expect(JSON.stringify(world.sent(-1))).toContain('SUMMARY')
    const bodies = world.model.requests.map(({ body }) => JSON.stringify(body.messages).length)
    expect(Math.max(...bodies)).toBeLessThan(160_000)
    await session.finish()
    expect(await app.replay(session.runId)).toMatchObject({ isIdentical: true, unclaimed: [] })
  })
})

describe('the other commands', () => {
  const textOf = async (session: CodeSession, line: string) => (await session.slash(line)).text

  it('tell and set what they say', async () => {
    const { app, session } = await open({ 'a.txt': 'one\n' })
    world.say([call('read', { path: 'a.txt' }), { text: 'seen' }])
    await session.send('look')
    expect(await textOf(session, '/help')).toContain('/compact')
    expect(await textOf(session, '/model')).toContain(
      'openai-compatible:scripted\nWindow: 32000 tokens (assumed',
    )
    expect(await textOf(session, '/mod openai-compatible:other')).toContain(
      'model: openai-compatible:other',
    )
    expect(await textOf(session, '/iter 5')).toBe('maxSteps: 5')
    expect(await textOf(session, '/iterations')).toContain('5 model calls')
    expect(await textOf(session, '/thoughts on')).toBe('showThoughts: true')
    expect(await textOf(session, '/yolo')).toBe('isYolo: false')
    expect(await textOf(session, '/cost')).toMatch(/2 model calls, 1 tool calls.*price unknown/)
    expect(await textOf(session, '/limits')).toContain('No limits')
    expect(await textOf(session, '/dump')).toContain('## assistant\n\n(call ')
    expect(await textOf(session, '/tools')).toMatch(/^read: /m)
    expect(await textOf(session, '/mcp')).toContain('no MCP servers')
    expect(await textOf(session, '/resume')).toContain(session.runId)
    const long = `Mend this:\n\n${'a line of it\n'.repeat(20)}`
    const second = await app.code({ title: long })
    await second.whenIdle()
    const listed = (await textOf(session, '/resume')).split('\n')
    expect(listed).toHaveLength(2)
    expect(listed.find((line) => line.includes(second.runId))).toMatch(
      / Mend this: a line of it .*…$/,
    )
    await second.close()
    expect(await textOf(session, '/ex')).toContain('matches several commands: /export, /exit')
    expect(await textOf(session, '/exprot')).toContain('/export')
    expect((await session.slash('/exit')).action).toEqual({ kind: 'exit' })
    expect((await session.slash('/fork 1')).action).toEqual({
      kind: 'fork',
      run: session.runId,
      turn: 1,
    })
    expect((await session.slash('/resume last')).action).toEqual({ kind: 'resume', run: 'last' })
    expect(session.state?.settings).toMatchObject({
      model: 'openai-compatible:other',
      maxSteps: 5,
      showThoughts: true,
      isYolo: false,
    })
    expect(await textOf(session, `/export ${world.root}/session.scholium`)).toMatch(
      /Root hash: [0-9a-f]{64}/,
    )
    await session.finish()
    expect(await app.replay(session.runId)).toMatchObject({ isIdentical: true, unclaimed: [] })
  })

  it('refuse arguments that are none', async () => {
    const { session } = await open()
    for (const line of ['/iterations many', '/yolo maybe', '/fork x', '/branch ;rm', '/branch -d'])
      await expect(session.slash(line), line).rejects.toMatchObject({ code: 'invalid_input' })
    await session.close()
  })

  it('/branch runs Git, and !command any other; the model knows what came out', async () => {
    const { session } = await open()
    await session.send({ kind: 'command', command: 'git init -q -b main . && echo made' })
    const { text } = await session.slash('/branch topic/one')
    expect(text).toContain('topic/one')
    world.say([{ text: 'I see' }])
    await session.send('what did I do?')
    expect(JSON.stringify(world.sent(-1))).toContain(
      'I ran this command myself:\\n\\n$ git -c core.hooksPath=/dev/null -c core.fsmonitor= -c submodule.recurse=false switch -c topic/one',
    )
    await session.finish()
  })
})
