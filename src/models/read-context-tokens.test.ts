import { createServer, type Server } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { createModelSource } from './model-source.ts'

let server: Server | undefined
afterEach(() => server?.close())

/** A server that answers these paths; its address. */
async function serve(answers: Readonly<Record<string, unknown>>): Promise<string> {
  server = createServer((request, response) => {
    const body = answers[request.url ?? '']
    response.statusCode = body === undefined ? 404 : 200
    response.end(JSON.stringify(body ?? {}))
  })
  await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done))
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/v1`
}

async function windowOf(name: string, answers: Readonly<Record<string, unknown>>, more = {}) {
  const baseUrl = await serve(answers)
  const choices = { default: { name, baseUrl, apiKey: 'k', ...more } }
  const models = createModelSource({ choices, environment: {}, builtIn: {} })
  await models.readWindows?.(['default', 'expert'])
  return models.forRole('expert').sizes?.windowTokens
}

describe('the context window of a model', () => {
  it.each<[string, string, Readonly<Record<string, unknown>>, number]>([
    ['vLLM', 'vllm:m', { '/v1/models': { data: [{ id: 'm', max_model_len: 16_384 }] } }, 16_384],
    [
      'OpenRouter',
      'openrouter:a/b',
      { '/v1/models': { data: [{ id: 'a/b', context_length: 163_840 }] } },
      163_840,
    ],
    [
      'llama.cpp',
      'llamacpp:m',
      { '/props': { default_generation_settings: { n_ctx: 8_192 } } },
      8_192,
    ],
    [
      'a server of one’s own',
      'openai-compatible:m',
      { '/v1/models': { data: [{ id: 'm', max_model_len: 4_096 }] } },
      4_096,
    ],
    [
      'LM Studio',
      'lmstudio:m',
      { '/api/v0/models/m': { max_context_length: 131_072, loaded_context_length: 12_288 } },
      12_288,
    ],
    [
      'Ollama’s setting',
      'ollama:m',
      { '/api/show': { parameters: 'stop "x"\nnum_ctx    65536' } },
      65_536,
    ],
    [
      'Ollama’s loaded model',
      'ollama:m',
      { '/api/show': {}, '/api/ps': { models: [{ name: 'm:latest', context_length: 4_096 }] } },
      4_096,
    ],
  ])('is read from %s', async (_what, name, answers, tokens) => {
    expect(await windowOf(name, answers)).toBe(tokens)
  })

  it('is what the configuration says, and the server is not asked', async () => {
    const answers = { '/v1/models': { data: [{ id: 'm', max_model_len: 16_384 }] } }
    expect(await windowOf('vllm:m', answers, { contextTokens: 50_000 })).toBe(50_000)
  })

  it('is as known or assumed where the server says nothing or is not there', async () => {
    expect(await windowOf('vllm:m', {})).toBe(32_000)
    expect(await windowOf('ollama:qwen3', { '/api/show': { parameters: 'num_ctx many' } })).toBe(
      32_000,
    )
  })
})
