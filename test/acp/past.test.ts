import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ListSessionsResponse } from '@agentclientprotocol/sdk'
import { afterEach, describe, expect, it } from 'vitest'
import { createApp } from '../../src/app.ts'
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

/** Works on some requests as the terminal does, and ends the session. */
async function workedBefore(requests: readonly string[], isEnded: boolean): Promise<string> {
  const app = createApp({
    home: join(editor.root, 'home'),
    folder: editor.workspace,
    models: { default: 'openai-compatible:scripted' },
    environment: {
      OPENAI_BASE_URL: editor.model.url,
      PATH: process.env.PATH,
      XDG_CONFIG_HOME: join(editor.root, 'config'),
    },
  })
  const session = await app.code()
  for (const text of requests) await session.send(text)
  if (isEnded) await session.finish()
  else await session.close()
  await app.close()
  return session.runId
}

describe('the past of a session', () => {
  it('of the terminal continues in the editor', async () => {
    editor = new Editor()
    await editor.start()
    editor.script = (seen) => ({ text: `<${seen.lastText}>` })
    const sessionId = await workedBefore(['one', 'two'], false)
    await load(sessionId)
    expect(editor.said('user_message_chunk')).toBe('onetwo')
    expect(editor.said('agent_message_chunk')).toBe('&lt;one>&lt;two>')
    await editor.prompt(sessionId, 'three')
    const { sessions } = await editor.agent.request<ListSessionsResponse>('session/list', {})
    expect(sessions.map((one) => one.sessionId)).toEqual([sessionId])
  })

  it('that was ended continues as another run, under the name that the editor knows', async () => {
    editor = new Editor()
    await editor.start()
    editor.script = (seen) => ({ text: `<${seen.lastText}>` })
    const sessionId = await workedBefore(['one'], true)
    await load(sessionId)
    await editor.prompt(sessionId, 'two')
    await editor.crash()
    await load(sessionId)
    expect(editor.said('user_message_chunk')).toBe('onetwo')
    await editor.prompt(sessionId, 'three')
    const sent = JSON.stringify(editor.model.requests.at(-1)?.body)
    expect(sent).toContain('<one>')
    expect(sent).toContain('<two>')
  })

  it('says each thing once after the conversation was made shorter, also what is no part of it any more', async () => {
    editor = new Editor()
    await editor.start({ capabilities: { session: { notices: {} } } })
    editor.script = (seen) =>
      seen.system.includes('coding session')
        ? { text: 'A summary.' }
        : { text: `<${seen.lastText.slice(0, 5)}>` }
    const isShorter = () => editor.heard('notice').some(({ title }) => title.includes('shorter'))
    const sessionId = await editor.open()
    let count = 0
    while (!isShorter() && count < 20)
      await editor.prompt(sessionId, `${1_000 + count++}.${' long'.repeat(3_000)}`)
    expect(JSON.stringify(editor.model.requests.at(-1)?.body)).toContain('A summary.')
    await editor.prompt(sessionId, '/compact')
    await editor.crash()
    await load(sessionId)
    const asked = editor.heard('user_message_chunk').map(({ content }) => content)
    const numbers = Array.from({ length: count }, (_, index) => `${1_000 + index}.`)
    expect(asked.map((one) => (one.type === 'text' ? one.text.slice(0, 5) : ''))).toEqual([
      ...numbers,
      '/comp',
    ])
    expect(editor.said('agent_message_chunk').match(/<\d+\.>/g)).toEqual(
      numbers.map((number) => `<${number}>`),
    )
  })

  it('has what was stopped, what was taken back and what was thought', async () => {
    editor = new Editor({ 'a.txt': 'one\n' })
    await editor.start()
    editor.answer = () => 'once'
    const gate = createGate()
    editor.script = (seen) => {
      if (seen.lastText.includes('wait')) {
        gate.open()
        return { text: 'late', delayMs: 20_000 }
      }
      return seen.lastRole === 'tool'
        ? { text: 'Changed.', reasoning: 'It had to be two.' }
        : call('edit', { path: 'a.txt', old_text: 'one', new_text: 'two' })
    }
    const sessionId = await editor.open()
    await editor.prompt(sessionId, 'change it')
    await editor.prompt(sessionId, '/undo')
    expect(readFileSync(join(editor.workspace, 'a.txt'), 'utf8')).toBe('one\n')
    const stopped = editor.prompt(sessionId, 'wait')
    await gate.opened
    await editor.agent.notify('session/cancel', { sessionId })
    await stopped
    await editor.crash()
    await load(sessionId)
    expect(editor.said('user_message_chunk')).toBe('change it/undowait')
    expect(editor.said('agent_thought_chunk')).toBe('It had to be two.')
    const answers = editor.said('agent_message_chunk')
    expect(answers).toContain('Reverted: a.txt.')
    expect(answers).toContain('This turn ended here')
    expect(answers).not.toContain('interrupted')
  })
})
