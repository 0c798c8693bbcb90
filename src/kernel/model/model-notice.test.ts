import { describe, expect, it } from 'vitest'
import { useHttpModel } from '../../../test/kernel/http-model.ts'
import { type Body, useRuns } from '../../../test/kernel/runs.ts'
import { callModel, type Message, type ModelBinding } from '../index.ts'

const current = useRuns()
const model = useHttpModel()

const question: Message = {
  id: 'q',
  role: 'user',
  parts: [{ type: 'text', text: 'Where is it?' }],
  createdAt: 0,
}

/** Two parallel calls and one after them, each in its own part. */
const callThrice =
  (binding: ModelBinding): Body =>
  async (context) => {
    const call = (part: string) =>
      callModel(context.child(part), 'model', binding, { messages: [question] })
    await Promise.all([call('a'), call('b')])
    return (await call('c')).finishReason
  }

async function notices(): Promise<readonly unknown[]> {
  const events = await current().events()
  return events.filter((event) => event.type === 'notice').map(({ data }) => data.text)
}

describe('a setting that a model does not take', () => {
  it.each([true, false])('is told once in a run (streamed: %s)', async (isStreamed) => {
    const own = { name: 'openai:o3-mini', baseUrl: model.server.url, isStreamed }
    await current().start(callThrice(model.binding(own)))
    expect(model.server.requests).toHaveLength(3)
    expect(model.server.requests.every(({ body }) => body.temperature === undefined)).toBe(true)
    expect(await notices()).toEqual([
      'openai:o3-mini does not support temperature: it was omitted (temperature is not supported for reasoning models).',
    ])
  })

  it('is told of none that takes all', async () => {
    await current().start(callThrice(model.binding()))
    expect(await notices()).toEqual([])
  })
})
