import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ListSessionsResponse } from '@agentclientprotocol/sdk'
import { afterEach, describe, expect, it } from 'vitest'
import { call } from '../code/session-world.ts'
import { createGate } from '../kernel/runs.ts'
import { Editor } from './editor.ts'

let editor: Editor
afterEach(() => editor.close())

function load(sessionId: string) {
  return editor.agent.request('session/load', {
    sessionId,
    cwd: editor.workspace,
    mcpServers: [],
  })
}

function list(given: object = {}): Promise<ListSessionsResponse> {
  return editor.agent.request<ListSessionsResponse>('session/list', given)
}

describe('a session that is loaded', () => {
  it('is told from its beginning after the process was killed, and continues with what it knew', async () => {
    editor = new Editor({ 'a.txt': 'one\n' })
    await editor.start()
    editor.answer = () => 'once'
    const replies = [
      call('read', { path: 'a.txt' }),
      call('edit', { path: 'a.txt', old_text: 'one', new_text: 'two' }),
      { text: 'It is two now.' },
    ]
    editor.script = (seen) => replies.shift() ?? { text: `heard ${seen.lastText}` }
    const sessionId = await editor.open()
    await editor.prompt(sessionId, 'Make it two.')
    await editor.crash()
    await load(sessionId)
    expect(editor.said('user_message_chunk')).toBe('Make it two.')
    expect(editor.said('agent_message_chunk')).toBe('It is two now.')
    const calls = editor.heard('tool_call')
    expect(calls.map(({ title, kind }) => [title, kind])).toEqual([
      ['read a.txt', 'read'],
      ['edit a.txt', 'edit'],
    ])
    expect(calls[1]?.content).toEqual([
      { type: 'diff', path: join(editor.workspace, 'a.txt'), oldText: 'one', newText: 'two' },
    ])
    expect(editor.heard('tool_call_update').map(({ status }) => status)).toEqual([
      'completed',
      'completed',
    ])
    const before = editor.model.requests.length
    await editor.prompt(sessionId, 'Thanks.')
    expect(editor.model.requests).toHaveLength(before + 1)
    expect(JSON.stringify(editor.model.requests.at(-1)?.body)).toContain('It is two now.')
  })

  it('asks again about what it was let do before', async () => {
    editor = new Editor()
    await editor.start()
    editor.script = ({ lastRole }) =>
      lastRole === 'tool' ? { text: 'Done.' } : call('bash', { command: 'touch made.txt' })
    const sessionId = await editor.open()
    await editor.agent.request('session/set_mode', { sessionId, modeId: 'yolo' })
    await editor.prompt(sessionId, 'Make it.')
    expect(editor.asked).toHaveLength(0)
    await editor.crash()
    expect(await load(sessionId)).toMatchObject({ modes: { currentModeId: 'ask' } })
    await editor.prompt(sessionId, 'Make it again.')
    expect(editor.asked).toHaveLength(1)
    await editor.agent.request('session/set_mode', { sessionId, modeId: 'yolo' })
    await editor.prompt(sessionId, 'And again.')
    expect(editor.asked).toHaveLength(1)
  })

  it('does the rest of what was worked on when it was killed, and nothing twice', async () => {
    editor = new Editor()
    await editor.start()
    editor.answer = () => 'once'
    const gate = createGate()
    let isSlow = true
    editor.script = (seen) => {
      if (seen.lastText.includes('go on')) return { text: 'Gone on.' }
      if (seen.lastRole !== 'tool') return call('bash', { command: 'echo ran >> runs.txt' })
      if (!isSlow) return { text: 'It ran.' }
      gate.open()
      return { text: 'late', delayMs: 20_000 }
    }
    const sessionId = await editor.open()
    editor.prompt(sessionId, 'Run it.').catch(() => {})
    await gate.opened
    isSlow = false
    await editor.crash()
    const before = editor.model.requests.length
    await load(sessionId)
    expect(editor.said('user_message_chunk')).toBe('Run it.')
    expect(editor.said('agent_message_chunk')).toContain('interrupted')
    // Nothing is paid for before the person says something.
    expect(editor.model.requests).toHaveLength(before)
    expect(await editor.prompt(sessionId, 'go on')).toEqual({ stopReason: 'end_turn' })
    expect(editor.said('agent_message_chunk')).toMatch(/It ran\.[\s\S]*Gone on\./)
    expect(readFileSync(join(editor.workspace, 'runs.txt'), 'utf8')).toBe('ran\n')
  })

  it('is refused in another folder, and where there is none', async () => {
    editor = new Editor({ 'sub/a.txt': '' })
    await editor.start()
    const sessionId = await editor.open()
    await editor.prompt(sessionId, 'Hello.')
    await editor.crash()
    const elsewhere = { sessionId, cwd: join(editor.workspace, 'sub'), mcpServers: [] }
    await expect(editor.agent.request('session/load', elsewhere)).rejects.toMatchObject({
      code: -32602,
    })
    await expect(load('20200101-aaaaaa')).rejects.toMatchObject({ code: -32002 })
  })
})

describe('the list of sessions', () => {
  it('has those that were begun, by folder, and forgets those that are deleted', async () => {
    editor = new Editor()
    await editor.start()
    const [one, two] = [await editor.open(), await editor.open()]
    expect((await list()).sessions).toEqual([])
    await editor.prompt(one, 'The first.')
    await editor.prompt(two, 'The second.')
    const { sessions } = await list({ cwd: editor.workspace })
    expect(sessions.map(({ sessionId, title, cwd }) => [sessionId, title, cwd])).toEqual([
      [two, 'The second.', editor.workspace],
      [one, 'The first.', editor.workspace],
    ])
    expect((await list({ cwd: '/' })).sessions).toEqual([])
    await editor.agent.request('session/delete', { sessionId: one })
    expect((await list()).sessions.map(({ sessionId }) => sessionId)).toEqual([two])
    await expect(load(one)).rejects.toMatchObject({ code: -32002 })
  })

  it('holds several sessions that work at once', async () => {
    editor = new Editor()
    await editor.start()
    const gate = createGate()
    editor.script = (seen) => {
      if (seen.lastText.includes('slow')) return { text: 'slow', delayMs: 20_000 }
      gate.open()
      return { text: 'quick' }
    }
    const [one, two] = [await editor.open(), await editor.open()]
    const slow = editor.prompt(one, 'slow')
    expect(await editor.prompt(two, 'quick')).toEqual({ stopReason: 'end_turn' })
    await expect(editor.prompt(one, 'again')).rejects.toMatchObject({ code: -32600 })
    await editor.agent.request('session/close', { sessionId: one })
    expect(await slow).toEqual({ stopReason: 'cancelled' })
    await expect(editor.prompt(one, 'again')).rejects.toMatchObject({ code: -32002 })
  })
})
