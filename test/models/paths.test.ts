import { type Fixture, LLMock } from '@copilotkit/aimock'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import {
  callModel,
  callModelForObject,
  createToolRegistry,
  defineTool,
  type Message,
  type ModelBinding,
  messageText,
  runAgent,
} from '../../src/kernel/index.ts'
import type { RoleModel } from '../../src/models/model-settings.ts'
import { createModelSource } from '../../src/models/model-source.ts'
import { type Body, useRuns } from '../kernel/runs.ts'
import { startFailingServer } from './failing-server.ts'
import { type Answer, type Shape, secretKey, shapes } from './shapes.ts'

const current = useRuns()
let mock: LLMock
beforeEach(async () => {
  mock = new LLMock({ port: 0 })
  await mock.start()
})
afterEach(() => mock.stop())

const usage = {
  prompt_tokens: 11,
  completion_tokens: 7,
  input_tokens: 11,
  output_tokens: 7,
  promptTokenCount: 11,
  candidatesTokenCount: 7,
}
const sentence = 'Lichens are partnerships of a fungus and an alga.'
const always = { predicate: () => true }
const messages: readonly Message[] = [
  { id: 's', role: 'system', parts: [{ type: 'text', text: 'Be short.' }], createdAt: 0 },
  { id: 'u', role: 'user', parts: [{ type: 'text', text: 'What are lichens?' }], createdAt: 0 },
]

function on(response: Fixture['response'], rest: Partial<Fixture> = {}): void {
  mock.addFixture({ match: always, response, ...rest })
}

function bindingOf(shape: Shape, url: string, own: Partial<RoleModel> = {}): ModelBinding {
  const choice = { ...shape.model(url), ...own }
  return createModelSource({ choices: { default: choice }, environment: {}, builtIn: {} }).forRole(
    'critic',
  )
}

const asking =
  (binding: ModelBinding): Body =>
  async (context) => {
    const { message, finishReason } = await callModel(context, 'model', binding, { messages })
    return { text: messageText(message), finishReason }
  }

async function usageInLog() {
  const done = (await current().events()).findLast((event) => event.type === 'step.done')
  return done?.data.usage
}

/** The failure of a call to a server that gives this answer, asked with a key. */
async function failureOf(shape: Shape, answer: Answer) {
  const server = await startFailingServer(answer)
  const body = asking(bindingOf(shape, server.url, { isStreamed: false }))
  const error = await current()
    .start(body, { secrets: [secretKey] })
    .then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
  await server.close()
  return { error, requestCount: server.requestCount }
}

describe.each(shapes)('$label', (shape) => {
  it.each([
    ['as a whole', false],
    ['as it is written', true],
  ])('answers %s, with usage and reason', async (_how, isStreamed) => {
    on({ content: sentence, usage }, { chunkSize: 6 })
    const value = await current().start(asking(bindingOf(shape, mock.url, { isStreamed })))
    expect(value).toEqual({ text: sentence, finishReason: 'stop' })
    expect(await usageInLog()).toMatchObject({ inputTokens: 11, outputTokens: 7 })
  })

  it.each([false, true])('calls a tool and reads its result (streamed: %s)', async (isStreamed) => {
    on({ content: sentence, usage }, { match: { hasToolResult: true } })
    on({ toolCalls: [{ name: 'look_up', arguments: '{"word":"lichen"}' }], usage })
    const seen: string[] = []
    const tool = defineTool({
      name: 'look_up',
      description: 'Looks a word up.',
      input: z.object({ word: z.string(), page: z.int().optional() }),
      effect: 'read',
      execute: async ({ word }) => {
        seen.push(word)
        return { found: 'a partnership' }
      },
    })
    const model = bindingOf(shape, mock.url, { isStreamed })
    const agent = { model, tools: createToolRegistry([tool]), maxTurns: 3 }
    const text = await current().start(
      async (context) => (await runAgent(context, agent, messages)).text,
    )
    expect(text).toBe(sentence)
    expect(seen).toEqual(['lichen'])
  })

  it('gives an object of a schema', async () => {
    on({ content: '{"decision":"approve","score":3}', usage })
    const schema = z.object({
      decision: z.enum(['approve', 'reject']),
      note: z.string().optional(),
      score: z.int(),
    })
    const value = await current().start(async (context) => {
      const binding = bindingOf(shape, mock.url)
      return (await callModelForObject(context, 'model', binding, { messages }, schema)).value
    })
    expect(value).toEqual({ decision: 'approve', score: 3 })
  })

  it('says what to do about a wrong key, and asks once', async () => {
    const { error, requestCount } = await failureOf(shape, shape.wrongKey)
    expect(error).toMatchObject({
      code: 'model_failed',
      retryable: true,
      message: expect.stringContaining('refused the key'),
      hint: expect.stringContaining(shape.keyVariable),
      details: { reason: 'key_refused' },
    })
    expect(requestCount).toBe(1)
  })

  it('waits as long as a limit says, then continues', async () => {
    const limited = {
      error: { message: 'Slow down.', type: 'rate_limit_error', code: 'rate_limit_exceeded' },
      status: 429,
      retryAfter: 7,
    }
    on(limited, { match: { ...always, sequenceIndex: 0 } })
    on({ content: sentence, usage })
    expect(await current().start(asking(bindingOf(shape, mock.url)))).toMatchObject({
      text: sentence,
    })
    expect(current().clock.waitsMs).toEqual([7_000])
  })

  it('is not waited for as long as an hour: the run ends, and continues from there', async () => {
    const limited = { error: { message: 'Too many.', type: 'rate_limit_error' }, status: 429 }
    on({ ...limited, retryAfter: 3_600 }, { match: { ...always, sequenceIndex: 0 } })
    on({ content: sentence, usage })
    const body = asking(bindingOf(shape, mock.url))
    await expect(current().start(body)).rejects.toMatchObject({
      code: 'model_failed',
      retryable: true,
      message: expect.stringMatching(
        /accepts none for 60 min, until 20\d\d-\d\d-\d\d \d\d:\d\d UTC/,
      ),
      details: { reason: 'rate_limited', retryAfterSeconds: 3_600 },
    })
    expect(current().clock.waitsMs).toEqual([])
    expect(await current().resume(body)).toMatchObject({ text: sentence })
  })

  it('says that nobody listens where it should be', async () => {
    const server = await startFailingServer(shape.wrongKey)
    await server.close()
    await expect(current().start(asking(bindingOf(shape, server.url)))).rejects.toMatchObject({
      code: 'model_unavailable',
      retryable: true,
      message: expect.stringContaining(`nothing answers at ${server.url}`),
      details: { reason: 'not_listening' },
    })
    expect(await usageInLog()).toBeUndefined()
  })

  it('says that it does not speak https', async () => {
    const server = await startFailingServer(shape.wrongKey)
    const url = server.url.replace('http:', 'https:')
    const failing = current().start(asking(bindingOf(shape, url)))
    await expect(failing).rejects.toMatchObject({
      code: 'model_failed',
      retryable: true,
      message: expect.stringContaining('does not speak https'),
      hint: expect.stringContaining('http://'),
    })
    await server.close()
  })

  it('is asked again after a 500', async () => {
    const broken = { error: { message: 'Internal.', type: 'server_error' }, status: 500 }
    on(broken, { match: { ...always, sequenceIndex: 0 } })
    on({ content: sentence, usage })
    expect(await current().start(asking(bindingOf(shape, mock.url)))).toMatchObject({
      text: sentence,
    })
    expect(mock.getRequests()).toHaveLength(2)
  })

  it.each([false, true])(
    'is given up when it does not answer in time (streamed: %s)',
    async (isStreamed) => {
      on({ content: sentence }, { latency: 3_000, chaos: { latencyMs: 3_000 } })
      const body = asking(bindingOf(shape, mock.url, { isStreamed, timeoutMs: 100 }))
      await expect(current().start(body)).rejects.toMatchObject({
        code: 'model_unavailable',
        retryable: true,
        message: expect.stringMatching(
          /did not answer within 0.1 s|stalled in the middle of its answer/,
        ),
      })
    },
  )

  it('is asked again when its stream breaks off, and nothing of the first half stays', async () => {
    on(
      { content: sentence, usage },
      { match: { ...always, sequenceIndex: 0 }, chunkSize: 6, truncateAfterChunks: 3 },
    )
    on({ content: sentence, usage }, { chunkSize: 6 })
    expect(await current().start(asking(bindingOf(shape, mock.url)))).toMatchObject({
      text: sentence,
    })
    expect(mock.getRequests()).toHaveLength(2)
  })

  it('is told from a web page that stands in its way', async () => {
    const page = { status: 200, body: '<!DOCTYPE html><title>Log in</title>' }
    const { error } = await failureOf(shape, page)
    expect(error).toMatchObject({
      code: 'model_failed',
      message: expect.stringContaining('returned a web page instead of an answer'),
      hint: expect.stringContaining('base URL'),
    })
  })

  it('is told from another service by its JSON', async () => {
    const { error } = await failureOf(shape, { status: 200, body: { hello: 'world' } })
    expect(error).toMatchObject({ name: 'ScholiumError', code: expect.stringMatching(/^model_/) })
  })

  it('says that it refused the content, and what may help', async () => {
    const { error, requestCount } = await failureOf(shape, shape.refusal)
    expect(error).toMatchObject({
      code: 'model_failed',
      retryable: false,
      message: expect.stringContaining('refused'),
      hint: expect.stringContaining('another model'),
    })
    expect(requestCount).toBe(1)
  })

  it('says that the prompt is too long, and what may help', async () => {
    const { error, requestCount } = await failureOf(shape, shape.tooLong)
    expect(error).toMatchObject({
      code: 'model_failed',
      retryable: false,
      hint: expect.stringContaining('fewer or shorter sources'),
      details: { reason: 'context_too_long' },
    })
    // Where a long answer was asked for, it may be that alone for which there is no room.
    expect(requestCount).toBe(shape.label === 'Ollama' ? 1 : 2)
  })

  it('says that there is no such model, and how to find one', async () => {
    const { error } = await failureOf(shape, shape.notFound)
    expect(error).toMatchObject({
      code: 'model_failed',
      retryable: true,
      hint: expect.stringMatching(/scholium models|ollama pull|deployment/),
      details: { reason: 'model_not_found' },
    })
  })

  it('keeps its key out of the log and the error', async () => {
    const echo = {
      status: 401,
      body: {
        error: { message: `Bad key ${secretKey}`, type: 'authentication_error' },
        type: 'error',
      },
    }
    const { error } = await failureOf(shape, echo)
    const log = JSON.stringify(await current().events())
    expect(log).toContain('[secret]')
    expect(log).not.toContain(secretKey)
    expect(`${error}`).not.toContain(secretKey)
  })
})
