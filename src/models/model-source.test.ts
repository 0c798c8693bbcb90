import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EmbeddingBinding } from '../kernel/model/model.ts'
import type { ModelSettings } from './model-settings.ts'
import {
  collectSecrets,
  createModelSource,
  listBaseUrls,
  listModelNames,
  listPrices,
} from './model-source.ts'

const environment = { OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1' }
const builtIn = { extractive: async () => ({ modelId: 'built in' }) as never }

function sourceOf(settings: Partial<ModelSettings> = {}) {
  return createModelSource({ choices: {}, environment, builtIn, ...settings })
}

describe('createModelSource', () => {
  it('chooses nothing that is paid unless it is told to', () => {
    expect(sourceOf().forRole('planner')).toMatchObject({
      role: 'planner',
      name: 'extractive',
      effect: 'pure',
      price: { inputUsdPerMTok: 0, outputUsdPerMTok: 0 },
      temperature: 0,
    })
  })

  it('has a model for each role, the default one where none is named', () => {
    const choices = { default: 'openai-compatible:big', critic: 'extractive' }
    expect(listModelNames(sourceOf({ choices }), ['planner', 'critic', 'finalizer'])).toEqual({
      planner: 'openai-compatible:big',
      critic: 'extractive',
      finalizer: 'openai-compatible:big',
    })
  })

  it('knows a service from what is computed here, and a price only where it is given', () => {
    const choices = {
      default: { name: 'openai-compatible:a:b', timeoutMs: 5, maxOutputTokens: 6 },
      critic: 'openai-compatible:free',
    }
    const prices = { 'openai-compatible:free': { inputUsdPerMTok: 1, outputUsdPerMTok: 2 } }
    const source = sourceOf({ choices, prices })
    expect(source.forRole('default')).toMatchObject({
      effect: 'read',
      price: null,
      timeoutMs: 5,
      maxOutputTokens: 6,
    })
    expect(source.forRole('critic').price).toEqual({ inputUsdPerMTok: 1, outputUsdPerMTok: 2 })
  })

  it.each(['nothing', 'openai-compatible', 'openai-compatible:', 'other:model', 'constructor', ''])(
    'refuses the name "%s" at once, and says which can be used',
    (name) => {
      expect(() => sourceOf({ choices: { critic: name } })).toThrow(
        expect.objectContaining({
          code: 'invalid_configuration',
          hint: expect.stringContaining('openai-compatible:MODEL'),
        }),
      )
    },
  )

  it('loads a model on first use, once', async () => {
    let loads = 0
    const load = async () => ({ load: ++loads }) as never
    const source = sourceOf({ builtIn: { extractive: load } })
    expect(loads).toBe(0)
    const [first, second] = [source.forRole('planner'), source.forRole('critic')]
    expect(await first.load()).toBe(await second.load())
    expect(loads).toBe(1)
  })

  it.each([undefined, '', 'not an address', 'file:///etc', '127.0.0.1:11434'])(
    'refuses a service whose address is %j at once',
    (address) => {
      const choices = { default: 'openai-compatible:x' }
      expect(() => sourceOf({ choices, environment: { OPENAI_BASE_URL: address } })).toThrow(
        expect.objectContaining({
          code: 'invalid_configuration',
          message: expect.stringContaining('OPENAI_BASE_URL'),
          hint: expect.stringContaining('http://127.0.0.1:11434/v1'),
        }),
      )
    },
  )

  it.each(['user:s3cret', 's3cret', ':s3cret'])(
    'refuses an address with %s in it, says where a key goes, and does not repeat it',
    (secret) => {
      const environment = { OPENAI_BASE_URL: `http://${secret}@127.0.0.1:9/v1` }
      const choices = { default: 'openai-compatible:x' }
      expect(() => sourceOf({ choices, environment })).toThrow(
        expect.objectContaining({
          code: 'invalid_configuration',
          message: expect.not.stringContaining('s3cret'),
          hint: expect.stringContaining('OPENAI_API_KEY'),
        }),
      )
    },
  )
})

describe('the model of a role', () => {
  const roles = ['planner', 'critic', 'expert'] as const

  it('has its own settings', () => {
    const critic = {
      name: 'ollama:llama3.2',
      baseUrl: 'http://127.0.0.1:9/v1',
      temperature: 0.7,
      maxOutputTokens: 6,
      timeoutMs: 5,
      isStreamed: false,
    }
    const source = sourceOf({ choices: { default: 'ollama:llama3.2', critic } })
    const { name, temperature, maxOutputTokens, timeoutMs, isStreamed } = critic
    expect(source.forRole('critic')).toMatchObject({
      name,
      temperature,
      maxOutputTokens,
      timeoutMs,
      isStreamed,
      reach: {
        provider: 'ollama',
        baseUrl: 'http://127.0.0.1:9/v1',
        keyVariable: 'OLLAMA_API_KEY',
      },
    })
    expect(source.forRole('planner')).toMatchObject({
      name,
      temperature: 0,
      maxOutputTokens: null,
      timeoutMs: 120_000,
      isStreamed: true,
      reach: { baseUrl: 'http://127.0.0.1:11434/v1' },
    })
  })

  it.each([
    ['temperature', 2.1],
    ['temperature', Number.NaN],
    ['maxOutputTokens', 0],
    ['maxOutputTokens', 1.5],
    ['timeoutMs', -1],
  ])('cannot have a %s of %d', (key, value) => {
    const choices = { default: { name: 'ollama:x', [key]: value } }
    expect(() => sourceOf({ choices })).toThrow(
      expect.objectContaining({
        code: 'invalid_configuration',
        message: expect.stringContaining(key),
      }),
    )
  })

  it('is loaded once for one address and key, and again for another', async () => {
    const name = 'ollama:x'
    const source = sourceOf({
      choices: {
        planner: name,
        expert: name,
        critic: { name, baseUrl: 'http://127.0.0.1:9/v1' },
        finalizer: { name, apiKey: 'another' },
      },
    })
    const models = ['planner', 'expert', 'critic', 'finalizer'] as const
    const loaded = await Promise.all(models.map((role) => source.forRole(role).load()))
    expect(loaded[0]).toBe(loaded[1])
    expect(new Set(loaded).size).toBe(3)
  })

  it('may come from a provider of the caller, whose price is not known', async () => {
    const model = { modelId: 'own' } as never
    const asked: string[] = []
    const bedrock = (name: string) => {
      asked.push(name)
      return model
    }
    const providers = { bedrock }
    const binding = sourceOf({ choices: { default: 'bedrock:a/b:1' }, providers }).forRole('expert')
    expect(binding).toMatchObject({ effect: 'read', price: null, reach: { provider: 'bedrock' } })
    expect(asked).toEqual([])
    expect(await binding.load()).toBe(model)
    expect(asked).toEqual(['a/b:1'])
    expect(() => sourceOf({ choices: { default: 'bedrock:' }, providers })).toThrow('bedrock:')
  })

  it('needs neither key nor address where nothing will be called', () => {
    const choices = { default: 'openai-compatible:x', critic: 'openai:gpt-4o' }
    const source = sourceOf({ choices, environment: {}, isOffline: true })
    expect(source.forRole('critic').name).toBe('openai:gpt-4o')
  })

  it('is told with its address where that is not the usual one', () => {
    const choices = {
      planner: 'ollama:x',
      critic: { name: 'ollama:x', baseUrl: 'http://box:11434' },
      expert: 'extractive',
    }
    expect(listBaseUrls(sourceOf({ choices }), roles)).toEqual({ critic: 'http://box:11434/v1' })
  })
})

describe('collectSecrets', () => {
  it('knows every key: of roles and of all providers in the environment', () => {
    const choices = { default: 'openai:x', critic: { name: 'groq:y', apiKey: 'own key' } }
    const keys = {
      GEMINI_API_KEY: 'g',
      OPENROUTER_API_KEY: ' o ',
      AZURE_OPENAI_API_KEY: '',
      PATH: 'p',
    }
    expect([...collectSecrets({ choices, environment: keys })].toSorted()).toEqual(
      [' o ', 'g', 'o', 'own key'].toSorted(),
    )
  })
})

describe('azure alone', () => {
  const environment = {
    AZURE_OPENAI_ENDPOINT: 'https://r.openai.azure.com',
    AZURE_OPENAI_API_KEY: 'k',
    AZURE_OPENAI_DEPLOYMENT_NAME: 'gpt-4o-mini',
    AZURE_OPENAI_EMBEDDING_DEPLOYMENT_NAME: 'text-embedding-3-small',
  }

  it('is the deployment that the environment names, for the role', () => {
    const choices = { default: 'azure', embedding: 'azure' }
    const models = createModelSource({ choices, environment, builtIn: {} })
    expect(models.forRole('expert').name).toBe('azure:gpt-4o-mini')
    expect(models.forName?.('azure', 'default').name).toBe('azure:gpt-4o-mini')
    expect(models.forEmbedding?.()?.name).toBe('azure:text-embedding-3-small')
  })

  it('is refused where the environment names none, with what to do', () => {
    const source = () =>
      createModelSource({
        choices: { default: 'azure' },
        environment: { ...environment, AZURE_OPENAI_DEPLOYMENT_NAME: ' ' },
        builtIn: {},
      })
    expect(source).toThrow(
      expect.objectContaining({
        hint: expect.stringContaining('set AZURE_OPENAI_DEPLOYMENT_NAME'),
      }),
    )
  })
})

const createBare = (settings: Partial<ModelSettings>) =>
  createModelSource({ choices: {}, environment: {}, builtIn: {}, ...settings })

function embedding(settings: Partial<ModelSettings>, name?: string): EmbeddingBinding | undefined {
  return createBare(settings).forEmbedding?.(name)
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
    expect(() => createBare(chosen)).toThrow(expect.objectContaining(failure))
  })

  it('is that of its role, which no other replaces', () => {
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
    expect(listModelNames(createBare({ choices }), roles)).toEqual({ default: 'ollama:llama3.2' })
    const source = createBare({
      choices: { ...choices, embedding: 'openai:text-embedding-3-small' },
      environment: { OPENAI_API_KEY: 'k' },
    })
    expect(listModelNames(source, roles)).toMatchObject({
      embedding: 'openai:text-embedding-3-small',
    })
    expect(listPrices(source, roles)).toMatchObject({ embedding: { inputUsdPerMTok: 0.02 } })
  })
})
