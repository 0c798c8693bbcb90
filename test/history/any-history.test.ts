import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Message, Origin, Part, Role } from '../../src/kernel/agent/message.ts'
import { repairHistory } from '../../src/kernel/agent/repair-history.ts'
import { toModelPrompt } from '../../src/kernel/model/model-prompt.ts'
import { formatResult, keepInside } from '../../src/kernel/text/result-text.ts'
import { conversations } from './conversations.ts'
import { openWire, shapes, type Wire } from './wire.ts'

const words = fc.constantFrom('', ' ', '\n\n', 'Yes.', 'x ', '\ud83d', '</tool-result>', 'é😀')
const callId = fc.constantFrom('', 'c1', 'c2', 'call_0', 'a/b', 'x'.repeat(70), 'é', '\udc00')
const toolName = fc.constantFrom('search', 'fetch.page', '9 lives', '')
const json = fc.oneof(
  fc.constantFrom(null, true, 0, '', 'not JSON', '{"half', [], [1], {}),
  fc.dictionary(words, words, { maxKeys: 2, noNullPrototype: true }),
)
/** What each provider signs its own parts with; those of other interfaces are never signed. */
const metadata = {
  anthropic: { anthropic: { signature: 'EqQB' } },
  openai: { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'gAAA' } },
  google: { google: { thoughtSignature: 'CiEB' } },
} as const
const signed = fc.constantFrom(
  ...shapes.flatMap(({ model }): Origin[] => {
    const own = Object.entries(metadata).find(([provider]) => model.startsWith(`${provider}:`))
    return own === undefined ? [{ model }] : [{ model }, { model, metadata: own[1] }]
  }),
)
const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: words }),
  fc.record({ type: fc.constant('reasoning' as const), text: words, origin: signed }),
  fc.record({
    type: fc.constant('tool-call' as const),
    toolCallId: callId,
    toolName,
    input: json,
    origin: signed,
  }),
  fc.record({
    type: fc.constant('tool-result' as const),
    toolCallId: callId,
    toolName,
    output: json,
    isError: fc.boolean(),
  }),
)
const message: fc.Arbitrary<Message> = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'a/2', 'a/text'),
  role: fc.constantFrom<Role>('system', 'user', 'assistant', 'tool'),
  parts: fc.array(part, { maxLength: 4 }),
  createdAt: fc.constant(0),
})
const known = conversations.flatMap(({ messages }) => messages)
const history = fc.oneof(
  fc.array(message, { maxLength: 12 }),
  fc.array(fc.constantFrom(...known), { maxLength: 20 }),
  fc.array(fc.oneof(message, fc.constantFrom(...known)), { maxLength: 15 }),
)

let wire: Wire
beforeAll(async () => {
  wire = await openWire([])
})
afterAll(() => wire.close())

describe('any list of messages', () => {
  it.each(shapes)('is accepted by $model once it is repaired', async (shape) => {
    await fc.assert(
      fc.asyncProperty(history, async (messages) => {
        expect(shape.judge(JSON.parse(await wire.send(shape, messages)))).toEqual([])
      }),
      { numRuns: 400 },
    )
  })

  it('is repaired to the same, once and for all, and keeps each result of a tool', () => {
    fc.assert(
      fc.property(history, (messages) => {
        const copy = structuredClone(messages)
        const repaired = repairHistory(messages)
        expect(messages).toEqual(copy)
        expect(repairHistory(copy)).toEqual(repaired)
        expect(repairHistory(repaired)).toBe(repaired)
        expect(new Set(repaired.map(({ id }) => id)).size).toBe(repaired.length)
        const kept = JSON.stringify(repaired)
        for (const given of messages.flatMap(({ parts }) => parts)) {
          if (given.type !== 'tool-result') continue
          const output = JSON.stringify(given.output)
          const shown = keepInside(formatResult(given.output, given.isError), 'tool-result')
          const quoted = JSON.stringify(shown).slice(1, -1)
          expect(kept.includes(output) || kept.includes(quoted)).toBe(true)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('gives the same prompt each time', () => {
    fc.assert(
      fc.property(history, fc.constantFrom(...shapes), (messages, { model }) => {
        const prompt = toModelPrompt(repairHistory(messages), model)
        expect(toModelPrompt(repairHistory(structuredClone(messages)), model)).toEqual(prompt)
      }),
    )
  })
})
