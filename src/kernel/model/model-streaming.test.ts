import { describe, expect, it } from 'vitest'
import { useHttpModel } from '../../../test/kernel/http-model.ts'
import { type Body, useRuns } from '../../../test/kernel/runs.ts'
import type { ScriptedReply } from '../../testing/index.ts'
import {
  callModel,
  type LiveEvent,
  type Message,
  type ModelBinding,
  messageText,
} from '../index.ts'

const current = useRuns()
const model = useHttpModel()

const question: Message = {
  id: 'q',
  role: 'user',
  parts: [{ type: 'text', text: 'Say hello.' }],
  createdAt: 0,
}
const asking =
  (binding: ModelBinding): Body =>
  async (context) =>
    messageText((await callModel(context, 'model', binding, { messages: [question] })).message)

function inOrder(...replies: ScriptedReply[]) {
  return () => replies[Math.min(model.server.requests.length, replies.length) - 1] as ScriptedReply
}

/** What listeners hear of an answer. */
interface Delta {
  readonly key: string
  readonly kind: 'text' | 'reasoning'
  readonly text: string
  readonly attempt: number
}

function deltasIn(events: readonly LiveEvent[]): readonly Delta[] {
  return events.flatMap((event) =>
    event.type === 'delta' ? [{ ...(event.data as unknown as Delta), key: event.key }] : [],
  )
}

const long = 'A long answer, which comes in several bits, as it does from real services.'

describe('a streamed answer', () => {
  it('is told while it comes, with its step, and is the same in the end', async () => {
    model.script = () => ({ text: long, reasoning: 'Let me think about that for a while.' })
    const heard: LiveEvent[] = []
    const value = await current().start(asking(model.binding()), {
      listeners: [(event) => heard.push(event)],
    })
    expect(value).toBe(long)
    expect(model.server.requests[0]?.body.stream).toBe(true)
    const deltas = deltasIn(heard)
    const join = (kind: string) =>
      deltas.map((delta) => (delta.kind === kind ? delta.text : '')).join('')
    expect(join('text')).toBe(long)
    expect(join('reasoning')).toBe('Let me think about that for a while.')
    expect(deltas.length).toBeGreaterThan(4)
    expect(new Set(deltas.map(({ key, attempt }) => `${key} ${attempt}`))).toEqual(
      new Set(['test/model 1']),
    )
    expect((await current().log()).join()).not.toContain('delta')
  })

  it('counts the same as one that comes as a whole', async () => {
    model.script = () => ({ toolCalls: [{ name: 'look', input: { at: 'x' } }], reasoning: 'hm' })
    const outputs: unknown[] = []
    for (const isStreamed of [true, false]) {
      await current().close()
      await current().open()
      await current().start(asking(model.binding({ isStreamed })))
      const done = (await current().events()).find((event) => event.type === 'step.done')
      outputs.push({ output: done?.output, output_tokens: done?.data.usage })
    }
    const [streamed, whole] = outputs as { output: { parts: object[] } }[]
    const plain = (parts: readonly object[] = []) =>
      parts.map((part) => ({ ...part, toolCallId: '' }))
    expect(plain(streamed?.output.parts)).toEqual(plain(whole?.output.parts))
    expect(model.server.requests.map(({ body }) => body.stream === true)).toEqual([true, false])
  })

  it('keeps thoughts in its text apart, from listeners too', async () => {
    model.script = () => ({ text: '<think>Let me see, is it so?</think>\n\nIt is so.' })
    const heard: LiveEvent[] = []
    const value = await current().start(asking(model.binding()), {
      listeners: [(event) => heard.push(event)],
    })
    expect(value).toBe('It is so.')
    const told = deltasIn(heard).map(({ kind, text }) => (kind === 'text' ? text : ''))
    expect(told.join('')).toBe('It is so.')
  })

  it('tells no secret that comes in several bits', async () => {
    const key = 'sk-test-3f9a7c-and-more-of-it-than-one-bit'
    model.script = () => ({ text: `Your key is ${key}, and sk-test is none.` })
    const heard: LiveEvent[] = []
    await current().start(asking(model.binding()), {
      secrets: [key],
      listeners: [(event) => heard.push(event)],
    })
    const told = deltasIn(heard).map(({ text }) => text)
    expect(told.join('')).toBe('Your key is [secret], and sk-test is none.')
    expect(JSON.stringify(heard)).not.toContain(key)
  })

  it('can be interrupted in its middle', async () => {
    const interruption = new AbortController()
    model.script = () => ({ text: long, chunkDelayMs: 20 })
    const begun = Date.now()
    const running = current().start(asking(model.binding()), {
      signal: interruption.signal,
      listeners: [(event) => event.type === 'delta' && interruption.abort()],
    })
    await expect(running).rejects.toMatchObject({ code: 'cancelled' })
    expect(Date.now() - begun).toBeLessThan(30_000)
    expect([...model.server.answered.values()]).toEqual([])
  })
})

describe('a stream that breaks off', () => {
  it.each(['reset', 'end', 'silence'] as const)('by %s is asked for again', async (by) => {
    model.script = inOrder({ text: long, cut: { afterChunks: 3, by } }, { text: long })
    const heard: LiveEvent[] = []
    const value = await current().start(asking(model.binding({ timeoutMs: 200 })), {
      listeners: [(event) => heard.push(event)],
    })
    expect(value).toBe(long)
    expect(model.server.requests).toHaveLength(2)
    const byAttempt = Map.groupBy(deltasIn(heard), ({ attempt }) => attempt)
    const told = [...byAttempt.values()].map((deltas) => deltas.map(({ text }) => text).join(''))
    expect(told).toEqual([long.slice(0, 40), long])
  })

  it('each time fails with what there was of it, and counts what was reserved', async () => {
    model.script = () => ({ text: long, cut: { afterChunks: 3, by: 'reset' } })
    await expect(current().start(asking(model.binding()))).rejects.toMatchObject({
      code: 'model_unavailable',
      retryable: true,
      details: { partial: { text: long.slice(0, 40) } },
    })
    expect(model.server.requests).toHaveLength(3)
    const failed = (await current().events()).find((event) => event.type === 'step.failed')
    expect(failed?.data.failure).toMatchObject({
      details: { partial: { text: long.slice(0, 40) } },
    })
    const usage = failed?.data.usage as { inputTokens: number } | undefined
    expect(usage?.inputTokens).toBeGreaterThan(3 * 4_096)
    model.script = () => ({ text: long })
    expect(await current().resume(asking(model.binding()))).toBe(long)
  })

  it.each([
    ['an error', ['{"choices":[{"delta":{"content":"x"}}]}', '{"error":{"message":"overloaded"}}']],
    ['no JSON', ['{"choices":[{"delta":{"content":"x"}}]}', '{"choi', '[DONE]']],
    ['nothing', []],
  ])('with %s in it is no answer', async (_what, events) => {
    model.script = inOrder({ events }, { text: 'hello' })
    expect(await current().start(asking(model.binding()))).toBe('hello')
    expect(model.server.requests.length).toBeGreaterThan(1)
  })
})

describe('an answer that is none', () => {
  it('is not taken where the service withheld it', async () => {
    model.script = () => ({ text: 'I can', finishReason: 'content_filter' })
    await expect(current().start(asking(model.binding()))).rejects.toMatchObject({
      code: 'model_failed',
      retryable: false,
      hint: expect.stringContaining('Rephrase'),
      details: { finishReason: 'content_filter' },
    })
    expect(model.server.requests).toHaveLength(1)
  })

  it('because it is empty is asked for once more', async () => {
    model.script = inOrder({ text: ' \n' }, { text: 'hello' })
    expect(await current().start(asking(model.binding()))).toBe('hello')
    expect(model.server.requests[1]?.lastText).toContain('Your answer was empty.')
    expect((await current().replay(asking(model.binding()))).result.value).toBe('hello')
  })

  it('because its thoughts took all the room is asked for with fewer of them', async () => {
    model.script = () => ({ text: '<think>Let me see', finishReason: 'length' })
    await expect(current().start(asking(model.binding()))).rejects.toMatchObject({
      code: 'model_output_malformed',
      hint: expect.stringContaining('maxOutputTokens'),
    })
    expect(model.server.requests[1]?.lastText).toContain('with few thoughts or none')
    expect(model.server.requests).toHaveLength(2)
  })

  it('because it was cut off is used, and a notice says that it was', async () => {
    model.script = () => ({ text: 'It is', finishReason: 'length' })
    expect(await current().start(asking(model.binding({ maxOutputTokens: 7 })))).toBe('It is')
    const notice = (await current().events()).find((event) => event.type === 'notice')
    expect(notice?.data).toMatchObject({
      level: 'warning',
      text: 'openai-compatible:scripted reached its maximum length (maxOutputTokens 7): its answer is cut off.',
    })
  })
})
