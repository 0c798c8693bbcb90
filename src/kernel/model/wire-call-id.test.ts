import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Message, Part } from '../agent/message.ts'
import { withWireCallIds } from './model-prompt.ts'

const call = (toolCallId: string): Part => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'search',
  input: {},
})
const result = (toolCallId: string, output = ''): Part => ({
  type: 'tool-result',
  toolCallId,
  toolName: 'search',
  output,
})
const asked = (model: string, ...parts: Part[]): Message => ({
  id: 'a',
  role: 'assistant',
  parts: parts.map((part) => ({ ...part, origin: { model } }) as Part),
  createdAt: 0,
})
const answered = (...parts: Part[]): Message => ({ id: 't', role: 'tool', parts, createdAt: 0 })

/** The ids of the calls and results, in order. */
function idsOf(messages: readonly Message[], model: string): readonly string[] {
  return withWireCallIds(messages, model).flatMap(({ parts }) =>
    parts.flatMap((part) => ('toolCallId' in part ? [part.toolCallId] : [])),
  )
}

describe('withWireCallIds', () => {
  it.each(['call_bVJ0OJnuhBNBYBKUvlJ6jNBh', 'functions.search:0', 'x'])(
    'leaves the id %s to the model that gave it',
    (id) => {
      expect(idsOf([asked('m:1', call(id)), answered(result(id))], 'm:1')).toEqual([id, id])
    },
  )

  it.each(['', ' ', 'a/b', 'é', 'x'.repeat(41)])(
    'replaces "%s", which another service may refuse, for the same model as well',
    (id) => {
      const [first = '', second] = idsOf([asked('m:1', call(id)), answered(result(id))], 'm:1')
      expect(first).toMatch(/^[a-z0-9]{9}$/)
      expect(second).toBe(first)
    },
  )

  it('replaces an id that no model gave, as that of a call found in its text', () => {
    const found: Message = { id: 'a', role: 'assistant', parts: [call('a-text-1')], createdAt: 0 }
    expect(idsOf([found], 'm:1')[0]).toMatch(/^[a-z0-9]{9}$/)
  })

  it('gives another model nine letters and digits, the same each time', () => {
    const messages = [asked('m:1', call('call_1'), call('call_2')), answered(result('call_2'))]
    const [first = '', second = '', third] = idsOf(messages, 'mistral:large')
    for (const id of [first, second]) expect(id).toMatch(/^[a-z0-9]{9}$/)
    expect(first).not.toBe(second)
    expect(third).toBe(second)
    expect(idsOf(structuredClone(messages), 'mistral:large')).toEqual([first, second, second])
  })

  it('tells calls of one id apart, in one turn and over turns, with their results', () => {
    const turn = [asked('m:1', call('c'), call('c')), answered(result('c', '1'), result('c', '2'))]
    const ids = idsOf([...turn, ...turn], 'm:1')
    expect(ids.slice(2, 4)).toEqual(ids.slice(0, 2))
    expect(ids.slice(6)).toEqual(ids.slice(4, 6))
    expect(new Set(ids).size).toBe(4)
    expect(ids[0]).toBe('c')
  })

  it('changes no id when more is said, so that what a provider has cached stays', () => {
    const id = fc.constantFrom('c', 'd', 'call_1', 'é')
    const turn = fc
      .tuple(fc.constantFrom('m:1', 'm:2'), fc.array(id, { minLength: 1, maxLength: 3 }))
      .map(([model, ids]) => [
        asked(model, ...ids.map(call)),
        answered(...ids.map((one) => result(one))),
      ])
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 6 }), fc.nat(6), (turns, end) => {
        const all = idsOf(turns.flat(), 'm:1')
        const some = idsOf(turns.slice(0, end).flat(), 'm:1')
        expect(all.slice(0, some.length)).toEqual(some)
      }),
    )
  })
})
