import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { useHttpModel } from '../../../test/kernel/http-model.ts'
import { type Body, useRuns } from '../../../test/kernel/runs.ts'
import type { ScriptedReply } from '../../testing/index.ts'
import { callModelForObject } from '../index.ts'

const current = useRuns()
const model = useHttpModel()
const schema = z.object({
  decision: z.enum(['approve', 'reject']),
  feedback: z.string().default(''),
})
const messages = [
  {
    id: '1',
    role: 'user' as const,
    parts: [{ type: 'text' as const, text: 'Judge.' }],
    createdAt: 0,
  },
]
const judging: Body = async (context) =>
  (await callModelForObject(context, 'model', model.binding({}, 'critic'), { messages }, schema))
    .value

/** Texts one after the other. */
function saying(...texts: string[]) {
  return () => ({ text: texts[model.server.requests.length - 1] ?? '' })
}

/** Replies one after the other. */
function inTurn(...replies: ScriptedReply[]) {
  return () => replies[model.server.requests.length - 1] ?? { text: '' }
}

describe('callModelForObject', () => {
  it.each([
    ['bare', '{"decision":"approve","feedback":"fine"}'],
    ['fenced', 'Here it is:\n```json\n{"decision": "approve", "feedback": "fine"}\n```\nBye.'],
    ['in prose', 'I think {"decision": "approve", "feedback": "fine"} is right.'],
    ['after another object', '{"thought": 1}\n{"decision": "approve", "feedback": "fine"}'],
  ])('takes an object that is %s', async (_how, text) => {
    model.script = saying(text)
    expect(await current().start(judging)).toEqual({ decision: 'approve', feedback: 'fine' })
    expect(model.server.requests).toHaveLength(1)
  })

  it('fills in what the form has defaults for', async () => {
    model.script = saying('{"decision":"reject"}')
    expect(await current().start(judging)).toEqual({ decision: 'reject', feedback: '' })
  })

  it.each([
    ['no JSON', 'I approve of it.'],
    ['a part missing', '{"feedback": "x"}'],
    ['another value', '{"decision": "maybe"}'],
  ])('asks once more, with the answer and the reason, after %s', async (_what, text) => {
    model.script = saying(text, '{"decision":"approve"}')
    expect(await current().start(judging)).toEqual({ decision: 'approve', feedback: '' })
    const [, again] = model.server.requests
    expect(again?.lastText).toMatch(
      /^That answer could not be used: .+\nAnswer again with one JSON object/s,
    )
    const sent = again?.body.messages as { role: string; content: string }[]
    expect(sent.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    expect(sent[1]?.content ?? '').toBe(text)
  })

  it('gives up after the second answer without form, and says what to do', async () => {
    model.script = saying('nope', 'still nope')
    await expect(current().start(judging)).rejects.toMatchObject({
      code: 'model_output_malformed',
      retryable: false,
      hint: expect.stringContaining('another model'),
      details: { role: 'critic', text: 'still nope' },
    })
    expect(model.server.requests).toHaveLength(2)
  })

  it('asks again for what was cut off, and more briefly', async () => {
    model.script = inTurn(
      { text: '{"decision":"approve","feedback":"It is a very', finishReason: 'length' },
      { text: '{"decision":"approve","feedback":"short"}' },
    )
    expect(await current().start(judging)).toEqual({ decision: 'approve', feedback: 'short' })
    expect(model.server.requests[1]?.lastText).toContain(
      'reached its maximum length before its JSON ended. Be much shorter.',
    )
  })

  it('uses what there is of an answer that was cut off twice, and says so', async () => {
    model.script = () => ({
      text: '{"decision":"approve","feedback":"It is',
      finishReason: 'length',
    })
    expect(await current().start(judging)).toEqual({ decision: 'approve', feedback: 'It is' })
    expect(model.server.requests).toHaveLength(2)
    const notices = (await current().events()).filter((event) => event.type === 'notice')
    expect(notices.map(({ data }) => data.text)).toEqual([
      expect.stringContaining('its maximum length and is called again.'),
      expect.stringContaining('its maximum length: its answer is cut off.'),
      expect.stringContaining('was cut off at its maximum length; the truncated output'),
    ])
    expect((await current().replay(judging)).result.value).toEqual({
      decision: 'approve',
      feedback: 'It is',
    })
  })

  it('fixes an object whose end alone is missing', async () => {
    model.script = () => ({ text: '{"decision":"approve","feedback":"fine"' })
    expect(await current().start(judging)).toEqual({ decision: 'approve', feedback: 'fine' })
    expect(model.server.requests).toHaveLength(1)
  })

  it('takes nothing from thoughts', async () => {
    model.script = () => ({ text: '<think>{"decision":"approve"}?</think>{"decision":"reject"}' })
    expect(await current().start(judging)).toMatchObject({ decision: 'reject' })
  })
})
