import { describe, expect, it } from 'vitest'
import { type Message, messageText, toolCallsOf } from '../index.ts'
import { maxMessageTokens, messageHash } from './message-hash.ts'

const call = (toolCallId: string) => ({
  type: 'tool-call' as const,
  toolCallId,
  toolName: 'look',
  input: {},
})
const message: Message = {
  id: '1',
  role: 'assistant',
  parts: [
    { type: 'reasoning', text: 'thinking' },
    { type: 'text', text: 'Look' },
    call('a'),
    { type: 'text', text: ' there.' },
    call('b'),
  ],
  createdAt: 1,
}

describe('messageText', () => {
  it('is the text parts, joined; thoughts and calls are none', () => {
    expect(messageText(message)).toBe('Look there.')
    expect(messageText({ parts: [] })).toBe('')
  })
})

describe('toolCallsOf', () => {
  it('gives the calls in order', () => {
    expect(toolCallsOf(message).map(({ toolCallId }) => toolCallId)).toEqual(['a', 'b'])
  })
})

describe('messageHash', () => {
  it('is of what a model is shown, not of ids, times and envelopes', () => {
    const meta = { sender: 'a', receiver: 'b', kind: 'response', stepId: null } as const
    expect(messageHash({ ...message, id: '2', createdAt: 9, meta })).toBe(messageHash(message))
    expect(messageHash({ ...message, role: 'user' })).not.toBe(messageHash(message))
    expect(messageHash({ ...message, parts: [] })).not.toBe(messageHash(message))
  })
})

describe('maxMessageTokens', () => {
  it('is at least the bytes of its text', () => {
    const text = '漢字'.repeat(50)
    const long: Message = { ...message, parts: [{ type: 'text', text }] }
    expect(maxMessageTokens(long)).toBeGreaterThanOrEqual(Buffer.byteLength(text))
  })
})
