import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { serveAcp } from './serve-acp.ts'

/** What is answered where stdin ends right behind these messages, and opening a folder takes its time. */
async function answersTo(messages: readonly object[], signal: AbortSignal): Promise<unknown[]> {
  const lines = messages.map((message) => `${JSON.stringify(message)}\n`).join('')
  const answers: string[] = []
  const output = new WritableStream<Uint8Array>({
    write: async (chunk) => {
      await delay(20)
      answers.push(Buffer.from(chunk).toString())
    },
  })
  const open = async () => {
    await delay(100)
    throw new Error('There is nothing here.')
  }
  const site = { version: '1.2.3', folder: '/', open }
  await serveAcp(site, { input: new Blob([lines]).stream(), output }, signal)
  return answers.map((line) => JSON.parse(line))
}

const hello = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 1 } }

it('answers what was asked before its input ended, whatever else was said', async () => {
  const early = { jsonrpc: '2.0', id: 'two', method: 'session/list', params: {} }
  const malformed = { id: 3, method: 'session/list' }
  const nameless = { jsonrpc: '2.0', id: null, method: 'session/list', params: {} }
  const asked = [hello, early, malformed, nameless]
  const answers = await answersTo(asked, new AbortController().signal)
  expect(answers).toContainEqual(
    expect.objectContaining({
      id: 1,
      result: expect.objectContaining({
        agentInfo: expect.objectContaining({ version: '1.2.3' }),
      }),
    }),
  )
  expect(answers).toContainEqual(expect.objectContaining({ id: 'two', error: expect.anything() }))
})

it('does not hold its end back for an answer when it is stopped', async () => {
  const control = new AbortController()
  control.abort()
  expect(await answersTo([hello], control.signal)).toEqual([])
})
