import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { call } from '../code/session-world.ts'
import { createGate } from '../kernel/runs.ts'
import { Editor } from './editor.ts'

let editor: Editor
afterEach(() => editor.close())

describe('an editor that opens a session', () => {
  it('is told what works, and gets what is written while it is written', async () => {
    editor = new Editor({ 'a.txt': 'one\n' })
    const told = await editor.start()
    expect(told).toMatchObject({
      protocolVersion: 1,
      agentInfo: { name: 'scholium' },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: false, embeddedContext: true },
        sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
      },
      authMethods: [],
    })
    editor.script = (seen) =>
      seen.lastRole === 'tool'
        ? { text: 'It holds the word one.', reasoning: 'I have read it.' }
        : call('read', { path: 'a.txt' })
    const sessionId = await editor.open()
    expect(await editor.prompt(sessionId, 'What is in a.txt?')).toEqual({ stopReason: 'end_turn' })
    expect(editor.said('agent_message_chunk')).toBe('It holds the word one.')
    expect(editor.heard('agent_message_chunk').length).toBeGreaterThan(1)
    expect(editor.said('agent_thought_chunk')).toBe('I have read it.')
    expect(editor.heard('tool_call')).toMatchObject([
      {
        title: 'read a.txt',
        kind: 'read',
        status: 'in_progress',
        locations: [{ path: join(editor.workspace, 'a.txt') }],
        rawInput: { path: 'a.txt' },
      },
    ])
    const [done] = editor.heard('tool_call_update')
    expect(done?.status).toBe('completed')
    expect(JSON.stringify(done?.content)).toContain('one')
    expect(JSON.stringify(done?.content)).not.toMatch(/1:[0-9a-f]{4}/)
    const commands = editor.heard('available_commands_update')[0]?.availableCommands ?? []
    expect(commands.map(({ name }) => name)).toContain('undo')
    expect(commands.map(({ name }) => name)).not.toContain('exit')
    const usage = editor.heard('usage_update').at(-1)
    expect(usage?.used).toBeGreaterThan(0)
    expect(usage?.size).toBeGreaterThan(usage?.used ?? 0)
    for (const line of editor.stdout.trim().split('\n'))
      expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
  })

  it('is told of it only after the answer, from which on it knows the session', async () => {
    editor = new Editor()
    await editor.start()
    await editor.open()
    await vi.waitFor(() => expect(editor.updates).toHaveLength(1))
    const lines = editor.stdout.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).method ?? 'answer')).toEqual([
      'answer',
      'answer',
      'session/update',
    ])
  })

  it('asks about a change with its diff: one is allowed, one rejected', async () => {
    editor = new Editor({ 'a.txt': 'one\ntwo\n', 'b.txt': 'one\n' })
    await editor.start()
    const edits = [
      call('edit', { path: 'a.txt', old_text: 'two', new_text: '2' }),
      call('edit', { path: 'b.txt', old_text: 'one', new_text: '1' }),
    ]
    editor.script = () => edits.shift() ?? { text: 'Done.' }
    editor.answer = ({ toolCall }) => (toolCall.title?.includes('a.txt') ? 'once' : 'no')
    const sessionId = await editor.open()
    await editor.prompt(sessionId, 'Write digits.')
    const [first, second] = editor.asked
    expect(first?.toolCall).toMatchObject({
      kind: 'edit',
      status: 'pending',
      content: [
        {
          type: 'diff',
          path: join(editor.workspace, 'a.txt'),
          oldText: 'one\ntwo\n',
          newText: 'one\n2\n',
        },
      ],
      locations: [{ path: join(editor.workspace, 'a.txt'), line: 1 }],
    })
    expect(first?.options.map(({ kind }) => kind)).toEqual([
      'allow_once',
      'allow_always',
      'reject_once',
    ])
    expect(first?.options[1]?.name).toContain('edit:a.txt')
    const ids = editor.heard('tool_call').map(({ toolCallId }) => toolCallId)
    expect(editor.asked.map(({ toolCall }) => toolCall.toolCallId)).toEqual(ids)
    expect(new Set(ids).size).toBe(2)
    const states = (id: string | undefined) =>
      editor
        .heard('tool_call_update')
        .filter(({ toolCallId }) => toolCallId === id)
        .map(({ status }) => status)
    expect(states(first?.toolCall.toolCallId)).toEqual(['in_progress', 'completed'])
    expect(states(second?.toolCall.toolCallId)).toEqual(['failed'])
    expect(readFileSync(join(editor.workspace, 'a.txt'), 'utf8')).toBe('one\n2\n')
    expect(readFileSync(join(editor.workspace, 'b.txt'), 'utf8')).toBe('one\n')
  })

  it('asks once where the answer is always, and not where the mode accepts edits', async () => {
    editor = new Editor({ 'a.txt': '0\n' })
    await editor.start()
    let count = 0
    editor.script = (seen) =>
      seen.lastRole === 'tool' && count % 2 === 0
        ? { text: 'Done.' }
        : call('edit', { path: 'a.txt', old_text: `${count}`, new_text: `${++count}` })
    editor.answer = () => 'always'
    const one = await editor.open()
    await editor.prompt(one, 'Count on.')
    expect(editor.asked).toHaveLength(1)
    const two = await editor.open()
    await editor.agent.request('session/set_mode', { sessionId: two, modeId: 'accept-edits' })
    expect(editor.heard('current_mode_update').at(-1)?.currentModeId).toBe('accept-edits')
    await editor.prompt(two, 'Count on.')
    expect(editor.asked).toHaveLength(1)
    expect(readFileSync(join(editor.workspace, 'a.txt'), 'utf8')).toBe('4\n')
  })

  it('asks no more about edits once the mode accepts them, in the same turn; rules that were added stay', async () => {
    editor = new Editor({ 'a.txt': '0\n' })
    await editor.start()
    const replies = [
      call('bash', { command: 'touch one.txt' }),
      call('edit', { path: 'a.txt', old_text: '0', new_text: '1' }),
      call('edit', { path: 'a.txt', old_text: '1', new_text: '2' }),
      { text: 'Done.' },
      call('bash', { command: 'touch one.txt' }),
      { text: 'Done.' },
    ]
    editor.script = () => replies.shift() ?? { text: 'nothing more' }
    const sessionId = await editor.open()
    editor.answer = async ({ toolCall }) => {
      if (toolCall.kind === 'execute') return 'always'
      await editor.agent.request('session/set_mode', { sessionId, modeId: 'accept-edits' })
      return 'once'
    }
    await editor.prompt(sessionId, 'Count on.')
    expect(editor.asked.map(({ toolCall }) => toolCall.kind)).toEqual(['execute', 'edit'])
    await editor.prompt(sessionId, 'And touch it.')
    expect(editor.asked).toHaveLength(2)
    expect(readFileSync(join(editor.workspace, 'a.txt'), 'utf8')).toBe('2\n')
  })

  it('shows a command as it would be run, the list of what is to be done, and what it printed', async () => {
    editor = new Editor()
    await editor.start()
    const calls = [
      call('todo', { todos: [{ text: 'look', status: 'done' }, { text: 'tell' }] }),
      call('bash', {
        command: 'touch made.txt && echo hello; while [ ! -e go ]; do sleep 0.05; done',
      }),
    ]
    editor.script = () => calls.shift() ?? { text: 'Done.' }
    editor.answer = () => 'once'
    const prompt = editor.prompt(await editor.open(), 'Do it.')
    const told = () => JSON.stringify(editor.heard('tool_call_update').at(-1)?.content)
    // While it still runs.
    await vi.waitFor(() => expect(told()).toContain('hello'), 10_000)
    writeFileSync(join(editor.workspace, 'go'), '')
    await prompt
    expect(editor.heard('plan')[0]?.entries).toEqual([
      { content: 'look', priority: 'medium', status: 'completed' },
      { content: 'tell', priority: 'medium', status: 'pending' },
    ])
    expect(JSON.stringify(editor.asked[0]?.toolCall.content)).toContain('touch made.txt')
    expect(editor.heard('tool_call')).toMatchObject([{ kind: 'execute' }])
    expect(told()).toContain('hello')
    expect(editor.heard('tool_call_update').at(-1)?.status).toBe('completed')
  })
})

describe('a prompt that is cancelled', () => {
  it('ends as cancelled while the model writes, and the session continues', async () => {
    editor = new Editor()
    await editor.start()
    const gate = createGate()
    editor.script = (seen) => {
      if (seen.lastText.includes('go on')) return { text: 'Gone on.' }
      gate.open()
      return { text: 'This takes a very long time to be said.', delayMs: 20_000 }
    }
    const sessionId = await editor.open()
    const prompt = editor.prompt(sessionId, 'Talk.')
    await gate.opened
    await editor.agent.notify('session/cancel', { sessionId })
    expect(await prompt).toEqual({ stopReason: 'cancelled' })
    expect(await editor.prompt(sessionId, 'go on')).toEqual({ stopReason: 'end_turn' })
    expect(editor.said('agent_message_chunk')).toContain('Gone on.')
  })

  it('ends as cancelled before its first event, in a session that begins and in one that continues', async () => {
    editor = new Editor()
    await editor.start()
    editor.script = () => ({ text: 'Said.' })
    const sessionId = await editor.open()
    const early = async () => {
      const prompt = editor.prompt(sessionId, 'Talk.')
      await editor.agent.notify('session/cancel', { sessionId })
      return prompt
    }
    expect(await early()).toEqual({ stopReason: 'cancelled' })
    expect(editor.model.requests).toEqual([])
    expect(await editor.prompt(sessionId, 'Talk.')).toEqual({ stopReason: 'end_turn' })
    expect(await early()).toEqual({ stopReason: 'cancelled' })
    expect(editor.said('agent_message_chunk')).toBe('Said.')
  })

  it('ends as cancelled at once after it was sent, and while the person is asked', async () => {
    editor = new Editor()
    await editor.start()
    editor.script = () => call('bash', { command: 'touch made.txt' })
    const sessionId = await editor.open()
    const early = editor.prompt(sessionId, 'Make it.')
    await editor.agent.notify('session/cancel', { sessionId })
    expect(await early).toEqual({ stopReason: 'cancelled' })
    editor.asked.length = 0
    const asked = createGate()
    editor.answer = () => {
      asked.open()
      return new Promise(() => {})
    }
    const late = editor.prompt(sessionId, 'Make it.')
    await asked.opened
    await editor.agent.notify('session/cancel', { sessionId })
    expect(await late).toEqual({ stopReason: 'cancelled' })
    expect(editor.asked).toHaveLength(1)
  })
})
