import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EmbeddingBinding } from '../kernel/model/model.ts'
import type { ModelSettings } from './model-settings.ts'
import { createModelSource, modelNamesOf, pricesOf } from './model-source.ts'

const sourceOf = (settings: Partial<ModelSettings>) =>
  createModelSource({ choices: {}, environment: {}, builtIn: {}, ...settings })

function embedding(settings: Partial<ModelSettings>, name?: string): EmbeddingBinding | undefined {
  return sourceOf(settings).forEmbedding?.(name)
}

describe('a model of embeddings', () => {
  let server: Server
  let origin = ''
  let seen: { path: string; authorization: string; key: string; body: unknown }[] = []

  beforeEach(async () => {
    seen = []
    server = createServer(async (request, response) => {
      const { authorization = '', 'x-goog-api-key': key = '' } = request.headers
      const body = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString())
      seen.push({ path: request.url ?? '', authorization, key: String(key), body })
      response.setHeader('content-type', 'application/json')
      const isGoogle = request.url?.includes('batchEmbedContents')
      const data = [{ embedding: [1, 2] }, { embedding: [3, 4] }]
      const google = { embeddings: [{ values: [1, 2] }, { values: [3, 4] }] }
      response.end(JSON.stringify(isGoogle ? google : { data, usage: { prompt_tokens: 4 } }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterEach(() => server.close())

  it.each([
    ['ollama:nomic-embed-text', 'OLLAMA_HOST', 'OLLAMA_API_KEY', '/v1/embeddings'],
    ['openai:text-embedding-3-small', 'OPENAI_BASE_URL', 'OPENAI_API_KEY', '/embeddings'],
    ['openai-compatible:x', 'OPENAI_BASE_URL', 'OPENAI_API_KEY', '/embeddings'],
    ['azure:x', 'AZURE_OPENAI_ENDPOINT', 'AZURE_OPENAI_API_KEY', '/openai/v1/embeddings'],
    [
      'google:gemini-embedding-001',
      'GOOGLE_GEMINI_BASE_URL',
      'GEMINI_API_KEY',
      '/v1beta/models/gemini-embedding-001:batchEmbedContents',
    ],
  ])('%s is asked at its address, with its key', async (name, address, keyVariable, path) => {
    const environment = { [address]: origin, [keyVariable]: 'sk-1' }
    const model = await embedding({ environment }, name)?.load()
    const result = await model?.doEmbed({ values: ['a', 'b'] })
    expect(result?.embeddings).toEqual([
      [1, 2],
      [3, 4],
    ])
    expect(seen).toHaveLength(1)
    expect(seen[0]?.path).toBe(path)
    expect(`${seen[0]?.authorization}${seen[0]?.key}`).toContain('sk-1')
  })

  it.each(['anthropic:claude-haiku-4-5', 'extractive', 'mine:x'])('is not %s', (name) => {
    const settings = {
      environment: { ANTHROPIC_API_KEY: 'k' },
      builtIn: { extractive: () => Promise.reject(new Error('not called')) },
      providers: { mine: () => ({}) as never },
    }
    const failure = { code: 'invalid_configuration', message: expect.stringContaining(name) }
    expect(() => embedding(settings, name)).toThrow(expect.objectContaining(failure))
    const chosen = { ...settings, choices: { embedding: name } }
    expect(() => sourceOf(chosen)).toThrow(expect.objectContaining(failure))
  })

  it('is that of its role, which no other stands in for', () => {
    expect(embedding({ choices: { default: 'ollama:llama3.2' } })).toBeUndefined()
    const choices = {
      default: 'ollama:llama3.2',
      embedding: { name: 'ollama:nomic-embed-text', timeoutMs: 5 },
    }
    expect(embedding({ choices })).toMatchObject({ name: 'ollama:nomic-embed-text', timeoutMs: 5 })
    expect(embedding({ choices }, 'vllm:x')).toMatchObject({ name: 'vllm:x', timeoutMs: 120_000 })
  })

  it('is recorded where one was chosen, with its price', () => {
    const roles = ['default', 'embedding'] as const
    const choices = { default: 'ollama:llama3.2' }
    expect(modelNamesOf(sourceOf({ choices }), roles)).toEqual({ default: 'ollama:llama3.2' })
    const source = sourceOf({
      choices: { ...choices, embedding: 'openai:text-embedding-3-small' },
      environment: { OPENAI_API_KEY: 'k' },
    })
    expect(modelNamesOf(source, roles)).toMatchObject({
      embedding: 'openai:text-embedding-3-small',
    })
    expect(pricesOf(source, roles)).toMatchObject({ embedding: { inputUsdPerMTok: 0.02 } })
  })
})
