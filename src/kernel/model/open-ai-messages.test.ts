import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Message, Part } from '../agent/message.ts'
import type { Json } from '../json.ts'
import { fromOpenAiMessages, type OpenAiMessage, toOpenAiMessages } from './open-ai-messages.ts'

const arrival = { idOf: (index: number) => `m${index}`, createdAt: 7 }
const call = (id: string, name: string, args: string) => ({
  id,
  type: 'function' as const,
  function: { name, arguments: args },
})

/** A conversation as the documentation of chat completions shows it. */
const recorded: readonly OpenAiMessage[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'The weather in Paris and London?' },
  {
    role: 'assistant',
    content: null,
    reasoning_content: 'Two calls.',
    tool_calls: [
      call('call_1', 'get_weather', '{"location":"Paris"}'),
      call('call_2', 'get_weather', '{"loc'),
    ],
  },
  { role: 'tool', tool_call_id: 'call_1', content: '{"celsius":18}' },
  { role: 'tool', tool_call_id: 'call_2', content: 'Invalid arguments', is_error: true },
  { role: 'assistant', content: '18 degrees in Paris.' },
]

describe('fromOpenAiMessages', () => {
  it('reads calls, thoughts and results, those that stand together as one message', () => {
    const messages = fromOpenAiMessages(recorded, arrival)
    expect(messages.map(({ id, role, createdAt }) => [id, role, createdAt])).toEqual([
      ['m0', 'system', 7],
      ['m1', 'user', 7],
      ['m2', 'assistant', 7],
      ['m3', 'tool', 7],
      ['m4', 'assistant', 7],
    ])
    expect(messages[2]?.parts).toEqual([
      { type: 'reasoning', text: 'Two calls.' },
      {
        type: 'tool-call',
        toolCallId: 'call_1',
        toolName: 'get_weather',
        input: { location: 'Paris' },
      },
      { type: 'tool-call', toolCallId: 'call_2', toolName: 'get_weather', input: '{"loc' },
    ])
    expect(messages[3]?.parts).toEqual([
      {
        type: 'tool-result',
        toolCallId: 'call_1',
        toolName: 'get_weather',
        output: { celsius: 18 },
      },
      {
        type: 'tool-result',
        toolCallId: 'call_2',
        toolName: 'get_weather',
        output: 'Invalid arguments',
        isError: true,
      },
    ])
  })

  it('takes contents in parts, a developer for the system, and a refusal as the answer', () => {
    const messages = fromOpenAiMessages(
      [
        {
          role: 'developer',
          content: [
            { type: 'text', text: 'Be ' },
            { type: 'text', text: 'brief.' },
          ],
        },
        { role: 'assistant', content: null, refusal: 'I cannot.' },
        { role: 'tool', tool_call_id: 'lost', content: 'x' },
      ],
      arrival,
    )
    expect(messages.map(({ role, parts }) => [role, parts[0]])).toEqual([
      ['system', { type: 'text', text: 'Be brief.' }],
      ['assistant', { type: 'text', text: 'I cannot.' }],
      ['tool', { type: 'tool-result', toolCallId: 'lost', toolName: 'unknown', output: 'x' }],
    ])
  })

  it.each([
    ['no list', {}],
    ['an unknown role', [{ role: 'critic', content: 'x' }]],
    ['no content', [{ role: 'user' }]],
    ['a picture', [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }]],
    ['a call without a name', [{ role: 'assistant', tool_calls: [call('c', '', '{}')] }]],
  ])('refuses %s', (_, value) => {
    expect(() => fromOpenAiMessages(value, arrival)).toThrow(
      expect.objectContaining({ code: 'invalid_input' }),
    )
  })
})

describe('toOpenAiMessages', () => {
  it('gives back what was read', () => {
    expect(toOpenAiMessages(fromOpenAiMessages(recorded, arrival))).toEqual(recorded)
  })

  it('loses nothing of any conversation, whatever its values look like', () => {
    const words = fc.string({ minLength: 1 })
    const value = fc.oneof(
      fc.jsonValue().map((json) => JSON.parse(JSON.stringify(json)) as Json),
      fc.constantFrom('', '5', '{"a":1}', '"quoted"', 'null', '{"half'),
    )
    const turn = fc
      .record({
        thought: words,
        text: words,
        inputs: fc.array(value, { minLength: 1, maxLength: 3 }),
        output: value,
        isError: fc.boolean(),
      })
      .map(({ thought, text, inputs, output, isError }): readonly Part[][] => [
        [{ type: 'text', text }],
        [
          { type: 'reasoning', text: thought },
          { type: 'text', text },
          ...inputs.map(
            (input, index): Part => ({
              type: 'tool-call',
              toolCallId: `c${index}`,
              toolName: `t${index}`,
              input,
            }),
          ),
        ],
        inputs.map(
          (_, index): Part => ({
            type: 'tool-result',
            toolCallId: `c${index}`,
            toolName: `t${index}`,
            output,
            ...(isError ? { isError } : {}),
          }),
        ),
      ])
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 4 }), (turns) => {
        const roles = ['user', 'assistant', 'tool'] as const
        const messages = turns.flat().map(
          (parts, index): Message => ({
            id: `m${index}`,
            role: roles[index % 3] ?? 'user',
            parts,
            createdAt: 7,
          }),
        )
        const sent = JSON.parse(JSON.stringify(toOpenAiMessages(messages)))
        expect(fromOpenAiMessages(sent, arrival)).toEqual(messages)
      }),
    )
  })
})
