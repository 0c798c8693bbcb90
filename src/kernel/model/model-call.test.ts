import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { useHttpModel } from '../../../test/kernel/http-model.ts'
import { type Body, useRuns } from '../../../test/kernel/runs.ts'
import { scriptedBinding } from '../../../test/kernel/scripted-binding.ts'
import type { ScriptedReply } from '../../testing/index.ts'
import {
  callModel,
  defineTool,
  type Message,
  type ModelBinding,
  type ModelRequest,
  messageText,
  toolCallsOf,
} from '../index.ts'
import { isStepEnd } from '../run/event.ts'

const current = useRuns()
const model = useHttpModel()

function said(role: Message['role'], text: string, id = `${role} ${text}`): Message {
  return { id, role, parts: [{ type: 'text', text }], createdAt: 0 }
}

const asked: ModelRequest = { messages: [said('system', 'Be short.'), said('user', 'Say hello.')] }
const asking =
  (binding: ModelBinding, request: ModelRequest = asked): Body =>
  async (context) =>
    messageText((await callModel(context, 'model', binding, request)).message)

/** Replies one after the other, the last one ever after. */
function inOrder(...replies: ScriptedReply[]) {
  return () => replies[Math.min(model.server.requests.length, replies.length) - 1] as ScriptedReply
}

describe('callModel', () => {
  it('sends the conversation, the tools and the form of the answer', async () => {
    const tool = defineTool({
      name: 'look',
      description: 'Looks.',
      input: z.object({ at: z.string() }),
      effect: 'read',
      execute: async () => null,
    })
    const responseSchema = { type: 'object', properties: { a: { type: 'string' } } }
    const request = { ...asked, tools: [tool], responseSchema }
    const binding = model.binding({ maxOutputTokens: 77 })
    expect(await current().start(asking(binding, request))).toBe('hello')
    expect(model.server.requests[0]?.body).toMatchObject({
      model: 'scripted',
      temperature: 0,
      max_tokens: 77,
      messages: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'Say hello.' },
      ],
      tools: [{ type: 'function', function: { name: 'look', description: 'Looks.' } }],
      response_format: { type: 'json_schema', json_schema: { schema: responseSchema } },
    })
  })

  it('gives structured tool calls, arguments that are no JSON as text', async () => {
    const calls = [
      { name: 'look', input: { at: 'x' } },
      { name: 'look', input: '{"at": "x' },
    ]
    model.script = () => ({ toolCalls: calls })
    const value = await current().start(async (context) => {
      const { message, finishReason } = await callModel(context, 'm', model.binding(), asked)
      expect(finishReason).toBe('tool-calls')
      return toolCallsOf(message).map(({ toolName, input }) => ({ toolName, input })) as never
    })
    expect(value).toEqual([
      { toolName: 'look', input: { at: 'x' } },
      { toolName: 'look', input: '{"at": "x' },
    ])
  })

  it('asks once: afterwards the answer comes from the log', async () => {
    const body = asking(model.binding())
    await current().start(body)
    expect((await current().replay(body)).result.value).toBe('hello')
    expect(model.server.requests).toHaveLength(1)
  })

  it('repairs the history before it is sent', async () => {
    const call = { type: 'tool-call' as const, toolCallId: 'c', toolName: 'look', input: {} }
    const messages: Message[] = [
      said('user', 'Look.'),
      { id: 'a', role: 'assistant', parts: [call], createdAt: 0 },
      said('user', 'And?'),
    ]
    await current().start(asking(model.binding(), { messages }))
    const sent = model.server.requests.flatMap(({ body }) => body.messages as { role: string }[])
    const roles = sent.map(({ role }) => role)
    expect(roles).toEqual(['user', 'assistant', 'tool', 'user'])
  })

  it('keeps each message once, and in its step the hashes of those that are new', async () => {
    const second = [...asked.messages, said('assistant', 'hello'), said('user', 'Again.')]
    await current().start(async (context) => {
      await callModel(context, 'one', model.binding(), asked)
      await callModel(context, 'two', model.binding(), { messages: second, knownCount: 2 })
      return null
    })
    const started = (await current().events()).filter((event) => event.type === 'step.started')
    const added = started.map(
      ({ output }) => (output as { messages: { count: number; added: string[] } }).messages,
    )
    expect(added.map(({ count, added: { length } }) => [count, length])).toEqual([
      [2, 2],
      [4, 2],
    ])
    const [, user] = added[0]?.added ?? []
    expect(await current().store.blob('run', user as never)).toContain('Say hello.')
    const again = added[1]?.added.at(-1)
    expect(await current().store.blob('run', again as never)).toContain('Again.')
  })

  it('depends on model, role, settings and every message', async () => {
    const request = (text: string) => ({
      messages: [said('system', text), said('user', 'Say hello.')],
    })
    const variants: [ModelBinding, ModelRequest][] = [
      [model.binding(), asked],
      [model.binding({ name: 'openai-compatible:other' }), asked],
      [model.binding({}, 'critic'), asked],
      [model.binding({ maxOutputTokens: 5 }), asked],
      [model.binding(), request('Be long.')],
      [model.binding(), { ...asked, roleRequest: { question: 'x' } }],
      [model.binding(), { ...asked, responseSchema: { type: 'object' } }],
    ]
    await current().start(async (context) => {
      for (const [index, [binding, variant]] of variants.entries())
        await callModel(context, String(index), binding, variant)
      return null
    })
    const done = (await current().events()).filter((event) => event.type === 'step.done')
    expect(new Set(done.map(({ data }) => data.inputHash)).size).toBe(variants.length)
  })

  it('gives its typed input to an engine that computes here, and to no other', async () => {
    const { binding, prompts } = scriptedBinding(() => 'x', { effect: 'pure', role: 'planner' })
    const request = { ...asked, roleRequest: { question: 'why' } }
    await current().start(async (context) => {
      await callModel(context, 'here', binding, request)
      await callModel(context, 'there', model.binding(), request)
      return null
    })
    expect(prompts[0]?.providerOptions).toEqual({
      scholium: { role: 'planner', input: { question: 'why' } },
    })
    expect(JSON.stringify(model.server.requests[0]?.body)).not.toContain('why')
  })

  it('sends the key, and neither log nor listeners see it', async () => {
    const key = 'sk-test-3f9a7c'
    model.script = inOrder(
      { status: 500, body: { error: { message: `no quota for ${key}` } } },
      { text: `Your key is ${key}.` },
    )
    const environment = { OPENAI_BASE_URL: model.server.url, OPENAI_API_KEY: key }
    const heard: unknown[] = []
    const value = await current().start(asking(model.binding({ environment })), {
      secrets: [key],
      listeners: [(event) => heard.push(event)],
    })
    expect(model.server.requests[0]?.apiKey).toBe(key)
    expect(value).toBe('Your key is [secret].')
    expect(JSON.stringify([heard, await current().events()])).not.toContain(key)
  })
})

describe('a model that cannot be reached', () => {
  it.each<[string, ScriptedReply]>([
    ['503', { status: 503 }],
    ['500', { status: 500 }],
    ['429', { status: 429 }],
    ['a closed connection', { reset: true }],
  ])('for a moment (%s) is asked again, waiting longer each time', async (_what, failure) => {
    model.script = inOrder(failure, failure, { text: 'back' })
    expect(await current().start(asking(model.binding()))).toBe('back')
    expect(model.server.requests).toHaveLength(3)
    const [first = 0, second = 0] = current().clock.waitsMs
    expect(first).toBeGreaterThanOrEqual(500)
    expect(first).toBeLessThanOrEqual(1_000)
    expect(second).toBeGreaterThanOrEqual(1_000)
    expect(second).toBeLessThanOrEqual(2_000)
    expect(await current().log()).not.toContain('step.failed test/model')
  })

  it('is asked again when it says so', async () => {
    const headers = { 'retry-after': '7' }
    model.script = inOrder({ status: 429, headers }, { text: 'back' })
    await current().start(asking(model.binding()))
    expect(current().clock.waitsMs).toEqual([7_000])
  })

  it('is given up after three attempts; the run can continue later from there', async () => {
    model.script = () => ({ status: 503 })
    const body = asking(model.binding())
    await expect(current().start(body)).rejects.toMatchObject({
      code: 'model_unavailable',
      retryable: true,
      message: expect.stringContaining('openai-compatible:scripted'),
      hint: 'Check that the service is running and reachable, then resume the run.',
      details: { status: 503 },
    })
    expect(model.server.requests).toHaveLength(3)
    model.script = () => ({ text: 'back' })
    expect(await current().resume(body)).toBe('back')
  })

  it('is unavailable when nobody listens there', async () => {
    const binding = model.binding({ environment: { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' } })
    await expect(current().start(asking(binding))).rejects.toMatchObject({
      code: 'model_unavailable',
    })
    expect(current().clock.waitsMs).toHaveLength(2)
  })

  it('is unavailable when it does not answer in time', async () => {
    model.script = () => ({ hang: true })
    await expect(current().start(asking(model.binding({ timeoutMs: 400 })))).rejects.toMatchObject({
      code: 'model_unavailable',
      message: 'openai-compatible:scripted did not answer within 0.4 s',
    })
    expect(model.server.requests).toHaveLength(3)
  })

  it('is not waited for once the run is interrupted', async () => {
    const interruption = new AbortController()
    model.script = () => {
      setTimeout(() => interruption.abort(), 10)
      return { hang: true }
    }
    const { signal } = interruption
    await expect(current().start(asking(model.binding()), { signal })).rejects.toMatchObject({
      code: 'cancelled',
    })
    expect(model.server.requests).toHaveLength(1)
    model.script = () => ({ text: 'back' })
    expect(await current().resume(asking(model.binding()))).toBe('back')
  })
})

describe('a model that refuses', () => {
  it.each([
    [401, true, 'Check the key in OPENAI_API_KEY'],
    [403, true, 'Check the permissions of the key in OPENAI_API_KEY'],
    [404, true, 'Check the name of the model.'],
    [400, false, 'The provider refused the request; another model may accept it.'],
  ])('with %i is asked once, and the hint says what to do', async (status, retryable, hint) => {
    model.script = () => ({ status })
    await expect(current().start(asking(model.binding()))).rejects.toMatchObject({
      code: 'model_failed',
      retryable,
      message: expect.stringContaining(`scripted failure ${status}`),
      hint: expect.stringContaining(hint),
      details: { status },
    })
    expect(model.server.requests).toHaveLength(1)
  })

  it('by an answer that is none is not a model that answered', async () => {
    model.script = () => ({ status: 200, body: { choices: 'none' } })
    await expect(current().start(asking(model.binding()))).rejects.toMatchObject({
      code: 'model_failed',
    })
  })
})

describe('what a model call counts', () => {
  const usageOf = async (type: 'step.done' | 'step.failed') =>
    (await current().events()).filter((event) => isStepEnd(event)).find((end) => end.type === type)
      ?.data.usage

  it('is what the service says, with its price', async () => {
    const prices = {
      'openai-compatible:scripted': { inputUsdPerMTok: 2, outputUsdPerMTok: 8 },
    }
    await current().start(asking(model.binding({ prices })))
    const usage = (await usageOf('step.done')) as { inputTokens: number; outputTokens: number }
    expect(usage.inputTokens).toBeGreaterThan(10)
    expect(usage).toHaveProperty('costUsd', (usage.inputTokens * 2 + usage.outputTokens * 8) / 1e6)
  })

  it('is what was reserved where the service does not say: never less than the prompt can be', async () => {
    const { binding } = scriptedBinding(() => ({
      content: [{ type: 'text', text: 'x' }],
      usage: { inputTokens: {}, outputTokens: {} } as never,
    }))
    await current().start(asking(binding))
    const usage = (await usageOf('step.done')) as { inputTokens: number }
    const bytes = Buffer.byteLength('Be short.Say hello.')
    expect(usage.inputTokens).toBeGreaterThanOrEqual(bytes + 100)
  })

  it('is nothing for an attempt that was refused', async () => {
    model.script = () => ({ status: 400 })
    await expect(current().start(asking(model.binding()))).rejects.toThrow()
    expect(await usageOf('step.failed')).toEqual({ inputTokens: 0, outputTokens: 0, costUsd: 0 })
  })

  it('is reserved for each attempt before it is made', async () => {
    model.script = () => ({ status: 500 })
    await expect(
      current().start(asking(model.binding()), { limits: { maxSteps: 2 } }),
    ).rejects.toMatchObject({ code: 'limit_reached', details: { limit: 'maxSteps' } })
    expect(model.server.requests).toHaveLength(2)
  })

  it('is refused before it is made when it could pass the limit', async () => {
    const binding = model.binding({ maxOutputTokens: 1_000 })
    await expect(
      current().start(asking(binding), { limits: { maxTokens: 1_005 } }),
    ).rejects.toMatchObject({ code: 'limit_reached', details: { limit: 'maxTokens' } })
    expect(model.server.requests).toHaveLength(0)
  })
})
