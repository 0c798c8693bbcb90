import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { scriptedBinding } from '../../../test/kernel/scripted-binding.ts'
import { BrokenAnswer } from './errors/broken-answer.ts'
import { maxAnswerLength, readStream } from './model-stream.ts'

type Part = LanguageModelV4StreamPart

const usage = { inputTokens: { total: 3 }, outputTokens: { total: 2 } } as never
const finish = (unified: string, raw?: string) =>
  ({ type: 'finish', finishReason: { unified, raw }, usage }) as Part
const delta = (text: string, id = '1'): Part => ({ type: 'text-delta', id, delta: text })

/** A source that gives its parts and then ends, or does not. */
function streamOf(parts: readonly Part[], isOpen = false) {
  const state = { isCancelled: false }
  let next = 0
  const stream = new ReadableStream<Part>(
    {
      pull(controller) {
        const part = parts[next++]
        if (part !== undefined) controller.enqueue(part)
        else if (!isOpen) controller.close()
        else return new Promise(() => undefined)
      },
      cancel() {
        state.isCancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { stream, state }
}

const { binding } = scriptedBinding(() => '', { timeoutMs: 40 })
const silent = { onDelta: () => undefined, onTextEnd: () => undefined }
const never = new AbortController().signal

function read(parts: readonly Part[], signal = never) {
  return readStream(streamOf(parts).stream, binding, signal, silent)
}

describe('readStream', () => {
  it('puts blocks together in the order of their beginning, also where they overlap', async () => {
    const call = { type: 'tool-call', toolCallId: 'c', toolName: 't', input: '{"a":1}' } as const
    const { content, finishReason, warnings } = await read([
      { type: 'stream-start', warnings: [{ type: 'other', message: 'w' }] },
      { type: 'reasoning-start', id: '1' },
      { type: 'reasoning-delta', id: '1', delta: 'hm' },
      delta('a'),
      { type: 'reasoning-delta', id: '1', delta: 'm' },
      delta('b'),
      { type: 'text-end', id: '1' },
      { type: 'tool-input-delta', id: 'c', delta: '{"a"' },
      call,
      delta('c'),
      finish('tool-calls', 'tool_use'),
    ])
    expect(content).toEqual([
      { type: 'reasoning', text: 'hmm' },
      { type: 'text', text: 'ab' },
      call,
      { type: 'text', text: 'c' },
    ])
    expect([finishReason.raw, warnings.length]).toEqual(['tool_use', 1])
  })

  it('keeps what the provider wants back with thoughts, also hidden ones', async () => {
    const signed = (signature: string) => ({ anthropic: { signature } })
    const { content } = await read([
      { type: 'reasoning-start', id: '1' },
      { type: 'reasoning-delta', id: '1', delta: 'hm' },
      { type: 'reasoning-delta', id: '1', delta: '', providerMetadata: signed('a') },
      { type: 'reasoning-end', id: '1' },
      { type: 'reasoning-start', id: '2', providerMetadata: signed('hidden') },
      { type: 'reasoning-end', id: '2' },
      finish('stop', 'stop'),
    ])
    expect(content).toEqual([
      { type: 'reasoning', text: 'hm', providerMetadata: signed('a') },
      { type: 'reasoning', text: '', providerMetadata: signed('hidden') },
    ])
  })

  it.each<[string, Part[]]>([
    ['no word of its end', [delta('half')]],
    ['a made-up reason', [delta('half'), finish('other')]],
    ['an interruption', [delta('half'), finish('interrupted')]],
    ['an error', [delta('half'), { type: 'error', error: 'overloaded' }, finish('stop', 'stop')]],
  ])('takes no answer with %s', async (_what, parts) => {
    await expect(read(parts)).rejects.toBeInstanceOf(BrokenAnswer)
  })

  it('says what an error in the stream says, with its status and what was used', async () => {
    const error = { code: 529, error: { message: 'overloaded' } }
    await expect(read([{ type: 'error', error }, finish('error')])).rejects.toMatchObject({
      cause: { message: 'overloaded', statusCode: 529, isRetryable: true },
      usage,
      mayComeWhole: false,
    })
  })

  it('waits not long for what comes after an error', async () => {
    const { stream, state } = streamOf([{ type: 'error', error: new Error('no') }], true)
    const { binding: patient } = scriptedBinding(() => '', { timeoutMs: 60_000 })
    await expect(readStream(stream, patient, never, silent)).rejects.toMatchObject({
      cause: { message: 'no' },
    })
    expect(state.isCancelled).toBe(true)
  })

  it('knows the answer of a service that never says how its answers end', async () => {
    const error = new Error('Response stream ended without a finish reason.')
    await expect(
      read([delta('x'), { type: 'error', error }, finish('error')]),
    ).rejects.toMatchObject({ mayComeWhole: true, cause: { code: 'model_unavailable' } })
  })

  it('stops an answer that falls silent, and lets the source know', async () => {
    const { stream, state } = streamOf([delta('half')], true)
    await expect(readStream(stream, binding, never, silent)).rejects.toMatchObject({
      code: 'model_unavailable',
      message: 'test:scripted stalled in the middle of its answer: no data for 0.02 s.',
    })
    expect(state.isCancelled).toBe(true)
  })

  it('stops an answer without end', async () => {
    const chunk = delta('x'.repeat(1_000_000))
    const { stream, state } = streamOf(
      Array.from({ length: maxAnswerLength / 1e6 + 2 }, () => chunk),
    )
    await expect(readStream(stream, binding, never, silent)).rejects.toMatchObject({
      code: 'model_failed',
      message: expect.stringContaining('did not stop'),
    })
    expect(state.isCancelled).toBe(true)
  })

  it('stops at once when it is told to, before and while it reads', async () => {
    const reason = new Error('stop')
    await expect(
      read([delta('x'), finish('stop', 'stop')], AbortSignal.abort(reason)),
    ).rejects.toBe(reason)
    const control = new AbortController()
    const { stream, state } = streamOf([delta('half')], true)
    const reading = readStream(stream, binding, control.signal, {
      ...silent,
      onDelta: () => control.abort(reason),
    })
    await expect(reading).rejects.toBe(reason)
    expect(state.isCancelled).toBe(true)
  })
})
