import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createToolRegistry, defineTool, type Message } from '../index.ts'
import { WriteGuard } from './write-guard.ts'

const get = defineTool({
  name: 'get',
  description: 'Reads an address.',
  input: z.object({ url: z.string(), token: z.string().optional() }),
  effect: 'read',
  untrusted: 'results',
  reaches: ({ url, token }) => ({ address: url, saysMore: token !== undefined }),
  execute: async () => ({}),
})
const tools = createToolRegistry([get])

const shown = (...parts: Message['parts']): Message => ({
  id: 'm',
  role: 'user',
  parts,
  createdAt: 0,
})
const text = (words: string) => shown({ type: 'text', text: words })
const page = (words: string): Message => ({
  ...shown({ type: 'tool-result', toolCallId: 'c', toolName: 'get', output: { page: words } }),
  role: 'tool',
})

function refusal(messages: readonly Message[], url: string, options: object = {}): unknown {
  const { token, ...guarded } = options as { token?: string }
  const guard = new WriteGuard({ tools, ...guarded })
  guard.show(messages)
  return guard.reachRefusalOf(get, { url, ...(token === undefined ? {} : { token }) })
}

const refused = expect.objectContaining({
  result: { error: expect.stringContaining('get was not called') },
  message: expect.stringContaining('An allow rule that names get'),
})

describe('a tool that reaches addresses of its caller', () => {
  it('reaches any while nothing came from elsewhere', () => {
    expect(refusal([text('Go.')], 'https://a.example/?q=secret', { token: 't' })).toBeUndefined()
  })

  it.each([
    ['in the words of the person', [text('Read https://a.example/x?y=1.'), page('…')]],
    ['in a page', [page('See (https://a.example/x?y=1) and more')]],
    ['at the end of a page', [page('https://a.example/x?y=1')]],
    ['in quotes of a page', [page('<a href="https://a.example/x?y=1">x</a>')]],
  ])('reaches one that stood there, %s', (_where, messages) => {
    expect(refusal(messages, 'https://a.example/x?y=1')).toBeUndefined()
  })

  it.each([
    ['stood nowhere', 'https://evil.example/?q=secret'],
    ['is longer than what stood there', 'https://a.example/x?y=1secret'],
    ['is a part of what stood there', 'https://a.example/x?y='],
    ['is a part of what stood there, up to a dot', 'https://a'],
  ])('reaches none that %s', (_what, url) => {
    expect(refusal([page('See https://a.example/x?y=1 there.')], url)).toEqual(refused)
  })

  it('reaches none that only the model wrote', () => {
    const said: Message = { ...text('I read https://evil.example/?q=secret'), role: 'assistant' }
    expect(refusal([page('…'), said], 'https://evil.example/?q=secret')).toEqual(refused)
  })

  it('sends nothing next to the address', () => {
    const messages = [page('https://a.example/')]
    expect(refusal(messages, 'https://a.example/', { token: 'secret' })).toEqual(refused)
  })

  it('reaches what it likes where a rule names it', () => {
    const allowed = { allow: ['get'], token: 't' }
    expect(refusal([page('…')], 'https://b.example/', allowed)).toBeUndefined()
  })
})
