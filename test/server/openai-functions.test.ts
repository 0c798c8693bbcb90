import { createOpenAI } from '@ai-sdk/openai'
import type { LanguageModelV4, LanguageModelV4Prompt } from '@ai-sdk/provider'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createHandler, TokenFile } from '../../src/server/index.ts'
import { type ScriptedModel, startScriptedModel } from '../../src/testing/index.ts'
import { ServedApp } from './served-app.ts'

/** A model that asks for the weather of two places, and says what it was told. */
let scripted: ScriptedModel
const served = new ServedApp()
const apiKey = 'token-of-the-tests'
const model = 'scholium/ask'
const input = 'Where is it warmer, in Rome or in Oslo?'
const refusedInput = 'Say nothing.'
let client: OpenAI
let modelCalls = 0
beforeAll(async () => {
  scripted = await startScriptedModel(({ lastRole, body }) => {
    modelCalls++
    if (JSON.stringify(body).includes(refusedInput))
      return { status: 400, body: { error: { message: `No words at ${served.folder}/words.` } } }
    if (lastRole !== 'tool') {
      const weatherOf = (city: string) => ({ name: 'get_weather', input: { city } })
      return { toolCalls: [weatherOf('Rome'), weatherOf('Oslo')] }
    }
    const messages = body.messages as readonly { readonly role: string; readonly content: string }[]
    const told = messages.filter(({ role }) => role === 'tool').map(({ content }) => content)
    return { text: `I was told: ${told.join(' and ')}.` }
  })
  await served.start({}, options())
  client = new OpenAI({ apiKey, baseURL: `${served.url}/v1`, maxRetries: 0 })
})
beforeEach(() => {
  modelCalls = 0
})
afterAll(async () => {
  await served.close()
  await scripted.close()
})

const options = () => ({
  models: { default: 'openai-compatible:scripted' },
  environment: { OPENAI_BASE_URL: scripted.url, OPENAI_API_KEY: 'key-of-the-tests' },
})

const parameters = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
}
const description = 'The weather of a city.'
const weather = { type: 'function' as const, name: 'get_weather', description, parameters }
const tools = [{ ...weather, strict: false }]
const said = 'I was told: Rome: 31 and Oslo: 12.'

const results = (output: OpenAI.Responses.ResponseOutputItem[]) =>
  output.flatMap((item) =>
    item.type === 'function_call'
      ? [{ type: 'function_call_output' as const, call_id: item.call_id, output: resultOf(item) }]
      : [],
  )

function resultOf({ arguments: given }: { readonly arguments: string }): string {
  const { city } = JSON.parse(given)
  return `${city}: ${city === 'Rome' ? 31 : 12}`
}

describe('functions of the client', () => {
  it('are called by a response, whose run goes on with their results', async () => {
    const asked = await client.responses.create({ model, input, tools })
    expect(asked).toMatchObject({ status: 'completed', model, tools })
    expect(asked.output.map(({ type }) => type)).toEqual(['function_call', 'function_call'])
    expect(asked.usage?.total_tokens).toBeGreaterThan(0)
    expect((await client.responses.retrieve(asked.id)).output).toEqual(asked.output)
    const answer = { model, tools, previous_response_id: asked.id, input: results(asked.output) }
    const told = await client.responses.create(answer)
    expect(told).toMatchObject({ id: asked.id, status: 'completed' })
    expect(told.output_text).toContain(said)
    expect(told.output.map(({ type }) => type)).toEqual(['message'])
    expect((await client.responses.create(answer)).output).toEqual(told.output)
    expect(modelCalls).toBe(2)
    const next = await client.responses.create({ ...answer, previous_response_id: told.id, input })
    expect(next.id).not.toBe(told.id)
    const prompt = (await served.call('get', `/api/runs/${next.id}`)).body.question.prompt
    expect(prompt.data).toMatchObject({ function: 'get_weather' })
  })

  it('are called in a stream, and its numbers go on with the results', async () => {
    const stream = client.responses.stream({ model, input, tools })
    const asked = await stream.finalResponse()
    expect(results(asked.output).map(({ output }) => output)).toEqual(['Rome: 31', 'Oslo: 12'])
    const read = async (starting_after?: number) =>
      Array.fromAsync(
        await client.responses.retrieve(asked.id, {
          stream: true,
          ...(starting_after === undefined ? {} : { starting_after }),
        }),
      )
    const before = await read()
    const input_ = [{ role: 'user' as const, content: input }, ...asked.output]
    const more = client.responses.stream({
      model,
      tools,
      input: [...input_, ...results(asked.output)] as OpenAI.Responses.ResponseInput,
    })
    expect((await more.finalResponse()).output_text).toContain(said)
    const last = before.at(-1)?.sequence_number ?? 0
    const rest = await read(last)
    expect(rest.at(-1)?.type).toBe('response.completed')
    expect(rest.every(({ sequence_number }) => sequence_number > last)).toBe(true)
  })

  it('are called in a chat, whole and in chunks', async () => {
    const chatTools = [{ type: 'function' as const, function: { ...weather, type: undefined } }]
    const user = { role: 'user' as const, content: input }
    const asked = await client.chat.completions.create({
      model,
      messages: [user],
      tools: chatTools,
    } as OpenAI.ChatCompletionCreateParamsNonStreaming)
    const [choice] = asked.choices
    expect(choice).toMatchObject({ finish_reason: 'tool_calls', message: { content: null } })
    const calls = (choice?.message.tool_calls ??
      []) as OpenAI.ChatCompletionMessageFunctionToolCall[]
    const told = calls.map((call) => ({
      role: 'tool' as const,
      tool_call_id: call.id,
      content: resultOf(call.function),
    }))
    const messages = [user, choice?.message as OpenAI.ChatCompletionMessage, ...told]
    const answer = client.chat.completions.stream({ model, messages })
    expect(await answer.finalContent()).toContain(said)
  })

  it.each<[string, () => LanguageModelV4]>([
    ['responses', () => createOpenAI({ apiKey, baseURL: `${served.url}/v1` }).responses(model)],
    ['chat', () => createOpenAI({ apiKey, baseURL: `${served.url}/v1` }).chat(model)],
  ])('are called through the AI SDK: %s', async (_, create) => {
    const { name } = weather
    const sdkTools = [
      { type: 'function' as const, name, description, inputSchema: parameters as object },
    ]
    const prompt: LanguageModelV4Prompt = [
      { role: 'user', content: [{ type: 'text', text: input }] },
    ]
    const { content, finishReason } = await create().doGenerate({ prompt, tools: sdkTools })
    expect(finishReason.unified).toBe('tool-calls')
    const calls = content.flatMap((part) => (part.type === 'tool-call' ? [part] : []))
    const next: LanguageModelV4Prompt = [
      ...prompt,
      {
        role: 'assistant',
        content: calls.map(({ providerMetadata, ...call }) => ({
          ...call,
          input: JSON.parse(call.input),
          ...(providerMetadata && { providerOptions: providerMetadata }),
        })),
      },
      {
        role: 'tool',
        content: calls.map(({ toolCallId, toolName, input: given }) => ({
          type: 'tool-result',
          toolCallId,
          toolName,
          output: { type: 'text', value: resultOf({ arguments: given }) },
        })),
      },
    ]
    const { stream } = await create().doStream({ prompt: next, tools: sdkTools })
    const parts = await Array.fromAsync(stream)
    const text = parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')
    expect(text).toContain(said)
    expect(modelCalls).toBe(2)
  })

  it('get results only whole, from whoever may see the run', async () => {
    const asked = await client.responses.create({ model, input, tools })
    const [first, second] = results(asked.output)
    const post = (given: readonly unknown[], by?: string) =>
      served.call('post', '/v1/responses', { model, input: given }, by)
    const missing = await post([first])
    expect([missing.status, missing.body.error.message]).toEqual([
      400,
      expect.stringContaining(second?.call_id ?? ''),
    ])
    const strange = { type: 'function_call_output', call_id: `call_${asked.id}_9`, output: 'x' }
    expect((await post([first, second, strange])).status).toBe(400)
    const home = `${served.folder}/home`
    const ada = new TokenFile(home).add('ada', 'run')
    expect((await post([first, second], ada)).status).toBe(404)
    expect((await post([first, second])).body.status).toBe('completed')
  })

  it('get results also after a restart, from an app without models of its own', async () => {
    const { id, output } = await client.responses.create({ model, input, tools })
    const { models: _, ...others } = options()
    const resuming = served.openApp(others)
    const handler = createHandler(served.openApp(others), { token: apiKey, resuming })
    const response = await handler(
      new Request('http://localhost/v1/responses', {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, input: results(output) }),
      }),
    )
    const told = (await response.json()) as { readonly id: string; readonly output: unknown }
    expect(told).toMatchObject({ id, status: 'completed' })
    expect(JSON.stringify(told.output)).toContain(said)
    await handler.close()
  })

  it('take results of calls that no run made as what was said before', async () => {
    const given = [
      { type: 'message', role: 'user', content: input },
      { type: 'function_call', call_id: 'a', name: 'get_weather', arguments: '{"city":"Bonn"}' },
      { type: 'function_call_output', call_id: 'a', output: 'Bonn: 20' },
    ]
    await served.call('post', '/v1/responses', { model, input: given, tools })
    expect(JSON.stringify(scripted.requests.at(-1)?.body)).toContain('Bonn: 20')
  })

  it('end with why the model refused, without a place of this machine', async () => {
    const asked = await client.responses.create({ model, input: refusedInput, tools })
    const error = { code: 'model_failed', message: expect.stringContaining('No words at words.') }
    expect(asked).toMatchObject({ status: 'failed', error })
    expect(asked.error?.message).not.toContain(served.folder)
    expect(await client.responses.retrieve(asked.id)).toMatchObject({ error: asked.error })
    const events = client.responses.retrieve(asked.id, { stream: true })
    const last = (await Array.fromAsync(await events)).at(-1)
    expect(last).toMatchObject({ type: 'response.failed', response: { error: asked.error } })
  })

  it.each<[object]>([
    [{ tools: [...tools, { type: 'web_search' }] }],
    [{ tools: [...tools, ...tools] }],
    [{ tools, tool_choice: 'required' }],
    [{ tools: [{ type: 'function', name: 'a b' }] }],
    [{ tools: [{ type: 'custom', name: 'a' }] }],
    [{ tools, model: 'scholium/papers' }],
  ])('are refused in %o', async (request) => {
    const { status, body } = await served.call('post', '/v1/responses', {
      model,
      input,
      ...request,
    })
    expect([status, body.error.code]).toEqual([400, 'unsupported_value'])
  })
})
