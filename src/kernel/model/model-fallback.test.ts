import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { useHttpModel } from '../../../test/kernel/http-model.ts'
import { refused } from '../../../test/kernel/refusals.ts'
import { type Body, useRuns, workflowOf } from '../../../test/kernel/runs.ts'
import type { ModelRequestSeen, ScriptedReply } from '../../testing/index.ts'
import {
  callModel,
  callModelForObject,
  createToolRegistry,
  defineTool,
  type Message,
  type ModelBinding,
  messageText,
  runAgent,
  startRun,
} from '../index.ts'
import { fallbackFor } from './model-fallback.ts'

const current = useRuns()
const model = useHttpModel()

const question: Message = {
  id: 'q',
  role: 'user',
  parts: [{ type: 'text', text: 'Where is it?' }],
  createdAt: 0,
}
const system: Message = {
  id: 's',
  role: 'system',
  parts: [{ type: 'text', text: 'Be short.' }],
  createdAt: 0,
}
const schema = z.object({ place: z.string() })
const askingForObject =
  (binding: ModelBinding, name = 'model'): Body =>
  async (context) => {
    const request = { messages: [system, question] }
    return (await callModelForObject(context, name, binding, request, schema)).value
  }

const looked: string[] = []
const look = defineTool({
  name: 'look',
  description: 'Looks at a place.',
  input: z.object({ at: z.string() }),
  effect: 'read',
  execute: async ({ at }) => {
    looked.push(at)
    return { seen: `a key at ${at}` }
  },
})
const agentOf = (binding: ModelBinding) => ({
  model: binding,
  tools: createToolRegistry([look]),
  maxTurns: 3,
})
const asking =
  (binding: ModelBinding): Body =>
  async (context) =>
    (await runAgent(context, agentOf(binding), [system, question])).text

const refusal = (message: string, status = 400): ScriptedReply => ({
  status,
  body: { error: { message, type: 'invalid_request_error' } },
})

/** What services say that take no schema. */
const schemaRefusals = [
  [
    400,
    "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
  ],
  [400, "'response_format.type' must be 'json_object' or 'text'"],
  [400, 'This response_format type is unavailable now'],
  [400, 'This model does not support response format `json_schema`.'],
  [422, 'body.response_format: Extra inputs are not permitted'],
  [400, "Function calling with a response mime type: 'application/json' is unsupported"],
  [500, 'JSON schema conversion failed: unrecognized schema'],
] as const

/** What services say that take no tools. */
const toolRefusals = [
  [400, 'registry.ollama.ai/library/gemma:2b does not support tools'],
  [400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
  [500, 'tools param requires --jinja flag'],
  [404, 'No endpoints found that support tool use. Try disabling "look".'],
  [400, '`tool calling` is not supported with this model'],
  [400, 'Unsupported parameter: tools'],
  [422, 'tools: Extra inputs are not permitted'],
] as const

function fallbacksIn(events: readonly { readonly type: string; readonly output?: unknown }[]) {
  return events
    .filter((event) => event.type === 'step.done')
    .map(({ output }) => (output as { readonly fallbacks?: string[] }).fallbacks)
}

describe('a service that takes no schema', () => {
  it.each(schemaRefusals)('(%i, %s) is told it in the prompt', async (status, message) => {
    model.script = ({ body }) =>
      body.response_format === undefined ? { json: { place: 'here' } } : refusal(message, status)
    const binding = model.binding()
    expect(await current().start(askingForObject(binding))).toEqual({ place: 'here' })
    const [, second] = model.server.requests
    expect(model.server.requests).toHaveLength(2)
    expect(second?.system).toMatch(/^Be short\.\n\nYour final answer is one JSON object/)
    expect(second?.system).toContain('"place":{"type":"string"}')
    const notices = (await current().events()).filter((event) => event.type === 'notice')
    expect(notices.map(({ data }) => data.text)).toEqual([
      'openai-compatible:scripted does not support output schemas: the schema is put in the prompt.',
    ])
  })

  it('is not asked in vain again, and the record says how it was asked', async () => {
    model.script = ({ body }) =>
      body.response_format === undefined
        ? { json: { place: 'here' } }
        : refusal('response_format is not supported')
    const binding = model.binding()
    const body: Body = async (context) => {
      await askingForObject(binding, 'one')(context, {})
      return askingForObject(binding, 'two')(context, {})
    }
    await current().start(body)
    expect(model.server.requests).toHaveLength(3)
    const events = await current().events()
    expect(fallbacksIn(events)).toEqual([['schema-as-text'], ['schema-as-text']])
    const usage = events.find((event) => event.type === 'step.done')?.data.usage
    expect(usage).toMatchObject({ outputTokens: expect.any(Number) })
    expect((await current().replay(body)).result.value).toEqual({ place: 'here' })
    // Another process has learned nothing: the recorded steps are its own all the same.
    const fresh = model.binding()
    const again: Body = async (context) => {
      await askingForObject(fresh, 'one')(context, {})
      return askingForObject(fresh, 'two')(context, {})
    }
    expect((await current().replay(again)).result.value).toEqual({ place: 'here' })
  })
})

describe('a service that takes no tools', () => {
  it.each(toolRefusals)('(%i, %s) is told them in the prompt', async (status, message) => {
    looked.length = 0
    const say = ({ lastText }: ModelRequestSeen): ScriptedReply =>
      lastText.includes('a key at the door')
        ? { text: 'At the door.' }
        : { text: '<tool_call>{"name": "look", "arguments": {"at": "the door"}}</tool_call>' }
    model.script = (seen) => (seen.tools.length > 0 ? refusal(message, status) : say(seen))
    expect(await current().start(asking(model.binding()))).toBe('At the door.')
    expect(looked).toEqual(['the door'])
    const [, described, answered] = model.server.requests
    expect(model.server.requests).toHaveLength(3)
    expect(described?.system).toContain('"name":"look","description":"Looks at a place."')
    const sent = answered?.body.messages as { role: string; content: string }[]
    expect(sent.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
    expect(sent[2]?.content).toContain('<tool_call>{"name":"look","arguments":{"at":"the door"}}')
    expect(sent[3]?.content).toBe(
      'Result of look:\n<tool-result>\n{"seen":"a key at the door"}\n</tool-result>',
    )
  })
})

describe('a service that gives no stream', () => {
  it.each([
    ['because it refuses to', refusal('Your organization must be verified to stream this model.')],
    ['because it takes no notice', { status: 200, body: { id: 'a', choices: [] } }],
  ])('%s is asked for the whole answer', async (_what, reply) => {
    model.script = ({ body }) => (body.stream === true ? reply : { text: 'hello' })
    const body: Body = async (context) =>
      messageText(
        (await callModel(context, 'm', model.binding(), { messages: [question] })).message,
      )
    expect(await current().start(body)).toBe('hello')
    expect(fallbacksIn(await current().events())).toEqual([['not-streamed']])
  })
})

describe('what was refused in an earlier run', () => {
  it('is told in each run that is asked another way, once', async () => {
    model.script = ({ body }) =>
      body.response_format === undefined
        ? { json: { place: 'here' } }
        : refusal('response_format is not supported')
    const binding = model.binding()
    const twice: Body = async (context) => {
      await askingForObject(binding, 'one')(context.child('a'), {})
      return askingForObject(binding, 'two')(context.child('b'), {})
    }
    const noticesOf = async (body: Body, runId: string) => {
      await startRun(workflowOf(body), {}, runId, current().execution())
      const events = await current().events(runId)
      return events.filter((event) => event.type === 'notice').map(({ data }) => data.text)
    }
    const told = [
      'openai-compatible:scripted does not support output schemas: the schema is put in the prompt.',
    ]
    expect(await noticesOf(twice, 'first')).toEqual(told)
    expect(await noticesOf(twice, 'second')).toEqual(told)
    expect(model.server.requests).toHaveLength(5)
    const asWords: Body = async (context) =>
      (await callModel(context, 'm', binding, { messages: [question] })).finishReason
    expect(await noticesOf(asWords, 'third')).toEqual([])
  })
})

describe('fallbackFor', () => {
  const everything = {
    request: { messages: [], tools: [look], responseSchema: { type: 'object' } },
    isStreamed: true,
    outputTokens: undefined,
  } as const
  const of = (status: number, body: unknown) => fallbackFor(refused({ status, body }), everything)

  it.each([401, 402, 403, 404, 408, 409, 413, 429, 500, 502, 503, 529])(
    'is none for a status of %i, whatever is said',
    (status) => {
      const said = [
        'This model does not support tools.',
        'response_format is not supported',
        'stream is not supported',
        'The tool gateway is not available',
        'cloud function unavailable',
      ]
      for (const message of said) expect(of(status, { error: { message } })).toBeUndefined()
    },
  )

  it.each([
    [400, 'maximum context length is 8 tokens; the tools are not allowed so much'],
    [400, 'content_filter: unsupported tools in the response_format'],
    [400, 'invalid_api_key for response_format'],
    [400, 'Insufficient credits for models with response_format'],
    [404, 'The model `x` does not exist or does not support tools'],
  ])('is none for another reason (%i, %s)', (status, message) => {
    expect(of(status, { error: { message } })).toBeUndefined()
  })

  it('is none for a request that is said back', () => {
    const sent = { response_format: {}, tools: [], stream: true, x: 'does not support tools' }
    const detail = [{ loc: ['body', 'seed'], msg: 'Input should be a number', input: sent }]
    expect(of(422, { detail })).toBeUndefined()
    const message = `[{'loc': ('body', 'seed'), 'msg': 'Not a number', 'input': ${JSON.stringify(sent)}}]`
    expect(of(400, { error: { message } })).toBeUndefined()
    expect(of(400, { error: { message: 'Bad temperature' }, request: sent })).toBeUndefined()
  })

  it.each([
    [
      422,
      { detail: [{ loc: ['body', 'response_format'], msg: 'Extra inputs' }] },
      'schema-as-text',
    ],
    [422, { detail: [{ loc: ['body', 'tools'], msg: 'not permitted' }] }, 'tools-as-text'],
    [400, { error: { message: 'tools are not supported' } }, 'tools-as-text'],
    [400, { error: { message: 'stream is not supported' } }, 'not-streamed'],
  ])('is found in what is said (%i, %j)', (status, body, fallback) => {
    expect(of(status, body)).toBe(fallback)
  })
})

describe('a refusal of another kind', () => {
  it.each([
    [400, "messages with role 'tool' must be a response to a preceding message with 'tool_calls'"],
    [
      400,
      'maximum context length is 8192 tokens, you sent 9000 (8000 in the messages, 100 in the functions)',
    ],
    [401, 'This key may not use tools or response_format.'],
    [429, 'Too many requests with tools that stream.'],
  ])('(%i, %s) is none of these', async (status, message) => {
    model.script = () => refusal(message, status)
    const before = async () => current().start(asking(model.binding()))
    await expect(before()).rejects.toMatchObject({ code: expect.stringMatching(/^model_/) })
    expect(model.server.requests.every(({ tools, body }) => tools.length > 0 && body.stream)).toBe(
      true,
    )
  })
})
