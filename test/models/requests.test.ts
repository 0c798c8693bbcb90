import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import type { Message } from '../../src/kernel/agent/message.ts'
import { toModelPrompt } from '../../src/kernel/model/model-prompt.ts'
import { createModelSource } from '../../src/models/model-source.ts'
import { startFailingServer } from './failing-server.ts'

/** A result of a tool with a tab, quotes and a backslash, and an error. */
const text = 'if (a\t=== "x\\y") {'
const conversation: readonly Message[] = [
  { id: 's', role: 'system', parts: [{ type: 'text', text: 'Rules.' }], createdAt: 0 },
  { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Look.' }], createdAt: 0 },
  {
    id: 'a',
    role: 'assistant',
    parts: ['c1', 'c2'].map((toolCallId) => ({
      type: 'tool-call' as const,
      toolCallId,
      toolName: 'look',
      input: {},
    })),
    createdAt: 0,
  },
  {
    id: 't',
    role: 'tool',
    parts: [
      { type: 'tool-result', toolCallId: 'c1', toolName: 'look', output: text },
      {
        type: 'tool-result',
        toolCallId: 'c2',
        toolName: 'look',
        output: { error: 'No "x".', code: 'tool_failed' },
        isError: true,
      },
    ],
    createdAt: 0,
  },
]

/** What a model's service is sent for a call with a tool and a schema whose members are optional. */
async function sentBy(
  name: string,
  path = '/v1',
  more: Partial<LanguageModelV4CallOptions> = {},
): Promise<Record<string, unknown>> {
  const server = await startFailingServer({ status: 400, body: { error: { message: 'No.' } } })
  const choice = { name, baseUrl: `${server.url}${path}`, apiKey: 'key' }
  const settings = { choices: { default: choice }, environment: {}, builtIn: {} }
  const model = await createModelSource(settings).forRole('default').load()
  const schema = { type: 'object' as const, properties: { a: { type: 'string' as const } } }
  const call = model.doGenerate({
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi.' }] }],
    tools: [{ type: 'function', name: 'look', description: 'Looks.', inputSchema: schema }],
    responseFormat: { type: 'json', name: 'form', schema },
    ...more,
  })
  await expect(call).rejects.toThrow()
  await server.close()
  return JSON.parse(server.bodies[0] ?? '') as Record<string, unknown>
}

describe('what is sent', () => {
  it('to OpenAI asks to keep nothing, and for no strictness that our schemas cannot have', async () => {
    expect(await sentBy('azure:gpt-4o')).toMatchObject({
      store: false,
      text: { format: { type: 'json_schema', strict: false } },
      tools: [{ name: 'look', strict: false }],
    })
  })

  it.each(['openai:gpt-4o', 'ollama:llama3.2', 'openai-compatible:x', 'openrouter:a/b'])(
    'to %s elsewhere holds nothing that only OpenAI knows',
    async (name) => {
      const sent = await sentBy(name)
      expect(sent).not.toHaveProperty('store')
      expect(JSON.stringify(sent.tools)).not.toContain('strict')
      expect(sent.response_format).toMatchObject({
        type: 'json_schema',
        json_schema: { strict: false },
      })
    },
  )

  it.each(['groq:x', 'deepseek:x'])('to %s asks for JSON alone', async (name) => {
    expect((await sentBy(name)).response_format).toEqual({ type: 'json_object' })
  })

  it.each([
    'openai:gpt-4o',
    'azure:gpt-4o',
    'ollama:llama3.2',
    'openrouter:a/b',
    'anthropic:claude-sonnet-5',
    'google:gemini-2.5-pro',
  ])('to %s has results of tools as text and errors as error text, escaped once', async (name) => {
    const sent = JSON.stringify(
      await sentBy(name, '/v1', { prompt: toModelPrompt(conversation, name) }),
    )
    expect(sent).toContain(JSON.stringify(text))
    expect(sent).toContain(JSON.stringify('Error: No "x".'))
    expect(sent).not.toContain('\\\\\\"')
  })

  it('to Anthropic marks instructions and conversation for its cache, in stable order', async () => {
    const prompt = toModelPrompt(conversation, 'anthropic:claude-sonnet-5')
    const sent = await sentBy('anthropic:claude-sonnet-5', '/v1', { prompt })
    const mark = { cache_control: { type: 'ephemeral' } }
    expect(sent.system).toMatchObject([{ text: 'Rules.', ...mark }])
    const messages = sent.messages as readonly { readonly content: readonly object[] }[]
    expect(messages.at(-1)?.content.at(-1)).toMatchObject(mark)
    expect(JSON.stringify(sent).match(/cache_control/g)).toHaveLength(2)
  })

  it.each([
    ['openai-compatible:x', { reasoning_effort: 'low' }],
    ['azure:gpt-5', { reasoning: { effort: 'low' } }],
  ])('to %s has the reasoning effort of its role', async (name, form) => {
    expect(await sentBy(name, '/v1', { reasoning: 'low' })).toMatchObject(form)
  })
})
