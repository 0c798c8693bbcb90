import { createOpenResponses } from '@ai-sdk/open-responses'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../src/index.ts'
import { TokenFile } from '../../src/server/index.ts'
import { HeldModel, question, readEvents, ServedApp } from './served-app.ts'

const held = new HeldModel()
const served = new ServedApp()
const apiKey = 'token-of-the-tests'
const model = 'scholium/ask'
let app: App
let client: OpenAI
beforeAll(async () => {
  await held.start()
  served.write(
    'agents/greet.yaml',
    'name: greet\nnodes:\n  - name: hello\n    run: |\n      return {"greeting": "Hello " + state["who"]}\nedges:\n  - {from: __start__, to: hello}\n  - {from: hello, to: __end__}\n',
  )
  app = await served.start({ agentsFolder: `${served.folder}/agents` }, held.options)
  client = new OpenAI({ apiKey, baseURL: `${served.url}/v1`, maxRetries: 0 })
})
afterEach(() => held.letGo())
afterAll(async () => {
  await served.close()
  await held.model?.close()
})

const link = (runId: string) => `[1](${served.url}/#/runs/${runId}/1/1)`

describe('the openai package', () => {
  it('lists the models', async () => {
    const { data } = await client.models.list()
    expect(data.map(({ id }) => id)).toEqual(['scholium/ask', 'scholium/papers', 'agent:greet'])
  })

  it('gets an answer whose citations are links and annotations', async () => {
    const response = await client.responses.create({ model, input: question })
    expect(response.status).toBe('completed')
    expect(response.output_text).toContain('412')
    expect(response.output_text).toContain(link(response.id))
    const message = response.output.find((item) => item.type === 'message')
    const [part] = message?.content ?? []
    const [annotation] = part?.type === 'output_text' ? part.annotations : []
    if (annotation?.type !== 'url_citation') throw new Error('There is no citation.')
    const { start_index, end_index } = annotation
    expect(response.output_text.slice(start_index, end_index)).toBe(link(response.id))
    expect(response.usage?.total_tokens).toBeGreaterThan(0)
    expect(await app.recordedAnswer(response.id)).toMatchObject({ question, status: 'answered' })
  })

  it('streams a response with its helper', async () => {
    const stream = client.responses.stream({ model, input: question })
    let text = ''
    stream.on('response.output_text.delta', ({ delta }) => {
      text += delta
    })
    const final = await stream.finalResponse()
    expect(final.output_text).toBe(text)
    expect(text).toContain(link(final.id))
  })

  it('leaves a response in the background and takes its stream up again at each event', async () => {
    held.hold()
    const started = await client.responses.create({ model, input: question, background: true })
    expect(started.status).toBe('in_progress')
    held.letGo()
    const read = async (starting_after?: number) => {
      const after = starting_after === undefined ? {} : { starting_after }
      return Array.fromAsync(
        await client.responses.retrieve(started.id, { stream: true, ...after }),
      )
    }
    const all = await read()
    expect(all.map((event) => event.sequence_number)).toEqual(all.map((_, index) => index))
    expect(all.at(-1)?.type).toBe('response.completed')
    for (const { sequence_number } of all)
      expect(await read(sequence_number)).toEqual(all.slice(sequence_number + 1))
    expect((await client.responses.retrieve(started.id)).output_text).toContain('412')
  })

  it('continues a background response after its stream was left, and interrupts another one', async () => {
    const leave = async (background: boolean) => {
      held.hold()
      const stream = await client.responses.create({
        model,
        input: question,
        stream: true,
        background,
      })
      for await (const event of stream)
        if (event.type === 'response.created') {
          stream.controller.abort()
          held.letGo()
          return served.ended(event.response.id)
        }
      throw new Error('There is no response.')
    }
    expect((await leave(true)).body.status).toBe('answered')
    expect((await leave(false)).body.status).toBe('interrupted')
  })

  it('cancels and deletes a response', async () => {
    held.hold()
    const { id } = await client.responses.create({ model, input: question, background: true })
    expect((await client.responses.cancel(id)).status).toBe('cancelled')
    await client.responses.delete(id)
    await expect(client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 })
  })

  it('follows up by the id of a response, or by the link in a conversation, also an old one', async () => {
    const first = await client.responses.create({ model, input: question })
    const input = 'At what temperature does it melt?'
    const next = await client.responses.create({ model, input, previous_response_id: first.id })
    const ask = async (content: string) =>
      client.chat.completions.create({
        model,
        messages: [
          { role: 'user', content: question },
          { role: 'assistant', content },
          { role: 'user', content: input },
        ],
      })
    const linked = await ask(first.output_text)
    const old = await ask(`It melts. [Run ${first.id}](https://example.org/runs/${first.id})`)
    expect(await app.followUps(first.id)).toEqual([next.id, linked.id, old.id])
  })

  it('completes a chat, whole and in chunks', async () => {
    const messages = [{ role: 'user' as const, content: question }]
    const whole = await client.chat.completions.create({ model, messages })
    const [choice] = whole.choices
    expect(choice).toMatchObject({
      finish_reason: 'stop',
      message: { annotations: [{ type: 'url_citation' }] },
    })
    expect(choice?.message.content).toContain(link(whole.id))
    const chunks = await Array.fromAsync(
      await client.chat.completions.create({
        model,
        messages,
        stream: true,
        stream_options: { include_usage: true },
      }),
    )
    const text = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')
    expect(text).toContain(link(chunks[0]?.id ?? ''))
    expect(chunks.at(-1)?.usage?.total_tokens).toBeGreaterThan(0)
  })

  it('runs an agent file', async () => {
    const response = await client.responses.create({
      model: 'agent:greet',
      input: '{"who": "Ada"}',
    })
    expect(response.output_text).toContain('Hello Ada')
  })
})

describe('the AI SDK', () => {
  it.each<[string, () => LanguageModelV4]>([
    [
      'openai, responses',
      () => createOpenAI({ apiKey, baseURL: `${served.url}/v1` }).responses(model),
    ],
    ['openai, chat', () => createOpenAI({ apiKey, baseURL: `${served.url}/v1` }).chat(model)],
    [
      'openai-compatible',
      () =>
        createOpenAICompatible({ name: 'scholium', apiKey, baseURL: `${served.url}/v1` })(model),
    ],
    [
      'open-responses',
      () =>
        createOpenResponses({ name: 'scholium', apiKey, url: `${served.url}/v1/responses` })(model),
    ],
  ])('gets and streams an answer: %s', async (_, create) => {
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: question }] }]
    const { content, finishReason } = await create().doGenerate({ prompt })
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
    expect(text).toMatch(/\[1\]\(http:\/\/127\.0\.0\.1:\d+\/#\/runs\/[\w-]+\/1\/1\)/)
    expect(finishReason.unified).toBe('stop')
    const { stream } = await create().doStream({ prompt })
    const parts = await Array.fromAsync(stream)
    expect(parts.filter(({ type }) => type === 'error')).toEqual([])
    const streamed = parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')
    expect(streamed).toContain('412')
  })
})

describe('a response', () => {
  it('says again what was asked, also later and in its stream', async () => {
    const request = {
      instructions: 'Be short.',
      metadata: { ticket: '17' },
      tools: [{ type: 'file_search' as const, vector_store_ids: ['x'] }],
      tool_choice: 'auto' as const,
      background: true,
    }
    const { id } = await client.responses.create({
      model,
      input: question,
      ...request,
    })
    await served.ended(id)
    const again = await client.responses.retrieve(id)
    const [created] = await Array.fromAsync(await client.responses.retrieve(id, { stream: true }))
    expect(again).toMatchObject(request)
    expect(created).toMatchObject({ type: 'response.created', response: request })
    const next = { model, input: 'At what temperature does it melt?', previous_response_id: id }
    expect(await client.responses.create(next)).toMatchObject({ previous_response_id: id })
  })

  it('keeps no key of an MCP server that it may not use', async () => {
    const { body } = await served.call('post', '/v1/responses', {
      model,
      input: question,
      tools: [{ type: 'mcp', server_label: 'x', headers: { Authorization: 'Bearer key-of-x' } }],
      tool_choice: 'none',
    })
    expect(body.tools).toEqual([{ type: 'mcp' }])
    const events = await served.fetch(`/api/runs/${body.id}/events`)
    expect(await events.text()).not.toContain('key-of-x')
  })

  it('is listed by its question, without the wishes and the messages around it', async () => {
    const { id } = await client.responses.create({
      model,
      instructions: 'Be short.',
      input: [
        { role: 'developer', content: 'Be polite.' },
        { role: 'user', content: 'Hello.' },
        { role: 'assistant', content: 'Hello!' },
        { role: 'user', content: question },
      ],
    })
    const { title, result } = (await served.call('get', `/api/runs/${id}`)).body
    expect(title).toBe(question)
    for (const part of ['Be short.', 'Be polite.', 'User: Hello.'])
      expect(result.question).toContain(part)
  })

  it('of the built-in engine answers the question alone, whatever the chat sends with it', async () => {
    const plain = new ServedApp()
    await plain.start()
    const ask = async (...before: OpenAI.ChatCompletionMessageParam[]) =>
      new OpenAI({ apiKey, baseURL: `${plain.url}/v1` }).chat.completions.create({
        model,
        messages: [...before, { role: 'user', content: question }],
      })
    const alone = await ask()
    const chat = await ask(
      { role: 'system', content: 'You are a helpful assistant. What is a lighthouse?' },
      { role: 'user', content: 'Where does the river end?' },
      { role: 'assistant', content: 'In the sea.' },
    )
    const resultOf = async (id: string) => (await plain.call('get', `/api/runs/${id}`)).body.result
    const [one, other] = [await resultOf(alone.id), await resultOf(chat.id)]
    expect(one.answer).toContain('412')
    expect(other).toMatchObject({ question, answer: one.answer })
    const tools = [{ type: 'function', name: 'get_weather' }]
    const refused = await plain.call('post', '/v1/responses', { model, input: question, tools })
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'unsupported_value' } } })
    await plain.close()
  })

  it('follows up by a reference to an item, as the AI SDK sends it', async () => {
    const sdk = createOpenAI({ apiKey, baseURL: `${served.url}/v1` }).responses(model)
    const ask = { role: 'user' as const, content: [{ type: 'text' as const, text: question }] }
    const first = await sdk.doGenerate({ prompt: [ask] })
    const said = first.content.flatMap((part) =>
      part.type === 'text' && part.providerMetadata !== undefined
        ? [{ type: part.type, text: 'It is a stone.', providerOptions: part.providerMetadata }]
        : [],
    )
    const answer = { role: 'assistant' as const, content: said }
    const second = await sdk.doGenerate({ prompt: [ask, answer, ask] })
    expect(await app.followUps(first.response?.id ?? '')).toEqual([second.response?.id])
  })
})

describe('another token', () => {
  it('neither sees a response nor follows up on it', async () => {
    const ada = new TokenFile(app.home.path).add('ada', 'run')
    const { id, output_text } = await client.responses.create({ model, input: question })
    const by = (method: 'get' | 'post' | 'delete', path: string, body?: object) =>
      served.call(method, `/v1/${path}`, body, ada)
    const follow = { model, input: question, previous_response_id: id }
    for (const { status } of [
      await by('get', `responses/${id}`),
      await by('get', `responses/${id}?stream=true`),
      await by('post', `responses/${id}/cancel`),
      await by('delete', `responses/${id}`),
      await by('post', 'responses', follow),
    ])
      expect(status).toBe(404)
    const messages = [
      { role: 'assistant', content: output_text },
      { role: 'user', content: question },
    ]
    const { body } = await by('post', 'chat/completions', { model, messages })
    expect((await by('get', `responses/${body.id}`)).body.status).toBe('completed')
    expect(await app.followUps(id)).toEqual([])
  })
})

describe('requests that cannot be met', () => {
  it.each<[number, object]>([
    [404, { model: 'gpt-5', input: question }],
    [404, { model: 'agent:none', input: question }],
    [
      400,
      {
        model,
        input: question,
        tools: [{ type: 'computer_use_preview' }],
      },
    ],
    [400, { model, input: question, text: { format: { type: 'json_schema' } } }],
    [400, { model, input: question, conversation: 'c' }],
    [400, { model, input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'x' }] }] }],
    [400, { model, input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'x' }] }] }],
    [400, { model, input: [{ type: 'function_call_output', call_id: 'c', output: 'x' }] }],
    [400, { model, input: '' }],
    [400, { model, input: question, store: false }],
    [400, { model, input: question, metadata: { ticket: 17 } }],
    [400, { model: 'scholium/papers', input: question, instructions: 'Be short.' }],
    [
      404,
      {
        model,
        input: [
          { type: 'item_reference', id: 'msg_20200101-aaaaaa' },
          { role: 'user', content: 'y' },
        ],
      },
    ],
    [400, { model }],
    [403, { model, input: question, tools: [{ type: 'web_search' }] }],
    [404, { model, input: question, previous_response_id: '20200101-aaaaaa' }],
  ])('are refused with %i: %o', async (status, body) => {
    const before = await app.listRuns()
    const reply = await served.call('post', '/v1/responses', body)
    expect(reply.status).toBe(status)
    expect(reply.body).toEqual({
      error: {
        message: expect.any(String),
        type: expect.stringContaining('_error'),
        param: reply.body.error.param,
        code: expect.any(String),
      },
    })
    expect(await app.listRuns()).toEqual(before)
  })

  it("have OpenAI's form also without a token, with another type and a large body", async () => {
    const post = (headers: Record<string, string>, body: string) =>
      served.fetch('/v1/responses', { method: 'POST', headers, body })
    const json = { 'content-type': 'application/json' }
    const replies = [
      [401, await post({ ...json, authorization: 'Bearer wrong' }, '{}')],
      [403, await post({ ...json, origin: 'https://example.org' }, '{}')],
      [415, await post({ 'content-type': 'text/plain' }, '{}')],
      [413, await post(json, JSON.stringify({ model, input: 'x'.repeat(1_000_001) }))],
      [404, await served.fetch('/v1/nothing')],
    ] as const
    for (const [status, reply] of replies) {
      expect(reply.status).toBe(status)
      const { error } = (await reply.json()) as { readonly error: object }
      expect(Object.keys(error)).toEqual(['message', 'type', 'param', 'code'])
    }
  })
})

describe('the web', () => {
  const reached = new ServedApp()
  beforeAll(async () => {
    const defaults = () => ({ ask: { web: true }, papers: { web: true } })
    await reached.start({ defaults }, held.options)
  })
  afterAll(() => reached.close())

  it.each<[boolean, object]>([
    [true, {}],
    [true, { tools: [{ type: 'web_search' }] }],
    [false, { tools: [{ type: 'web_search', external_web_access: false }] }],
    [false, { tools: [{ type: 'web_search' }], tool_choice: 'none' }],
  ])('is used (%s) as the request says: %o', async (web, request) => {
    held.hold()
    const { body } = await reached.call('post', '/v1/responses', {
      model,
      input: question,
      background: true,
      ...request,
    })
    await reached.call('post', `/v1/responses/${body.id}/cancel`)
    held.letGo()
    const events = await reached.fetch(`/api/runs/${body.id}/events`)
    for await (const { type, data } of readEvents(events))
      if (type === 'run.started') return expect(data.output.web ?? false).toBe(web)
    throw new Error('There is no start.')
  })
})
