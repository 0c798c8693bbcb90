import { describe, expect, it } from 'vitest'
import type { Message, Part } from '../kernel/agent/message.ts'
import { separateThoughts } from './thoughts.ts'

const message = (...parts: Part[]): Message => ({ id: 'm', role: 'assistant', parts, createdAt: 0 })
const saying = (text: string) => separateThoughts(message({ type: 'text', text }))

describe('the thoughts of a message', () => {
  it.each([
    ['inline', 'First {"thought": "look at the file"} and then go on.', ['look at the file']],
    ['alone', '{"thought": "look at the file"}', ['look at the file']],
    ['with other keys', '{"thought": "look", "tool": "read", "args": {}}', ['look']],
    [
      'over several lines',
      '{\n  "thought": "look"\n}\n\n{\n  "thought": "read"\n}',
      ['look', 'read'],
    ],
    ['with escapes', '{"thought": "say \\"no\\"\\nand go"}', ['say "no"\nand go']],
    ['fenced', 'So:\n```json\n{"thought": "fenced"}\n```\nDone.', ['fenced']],
    ['repeated', '{"thought": "same"} x {"thought": "same"} y {"thought": " same "}', ['same']],
    ['none', 'A {"plan": "no"} and {"thought": 3}.', []],
  ])('%s', (_, text, thoughts) => {
    expect(saying(text).thoughts).toEqual(thoughts)
  })

  it('are also those of its own channel, once with the written ones', () => {
    const said = separateThoughts(
      message(
        { type: 'reasoning', text: 'look' },
        { type: 'text', text: '{"thought": "look"} Done.' },
      ),
    )
    expect(said).toEqual({ thoughts: ['look'], text: 'Done.' })
  })

  it('do not stand in what is shown of its text; other JSON does', () => {
    expect(saying('So:\n```json\n{"thought": "fenced"}\n```\nDone.').text).toBe('So:\n\nDone.')
    expect(saying('A {"plan": "x"} B').text).toBe('A {"plan": "x"} B')
  })
})
