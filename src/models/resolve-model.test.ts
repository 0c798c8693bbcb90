import { describe, expect, it } from 'vitest'
import type { ModelSettings, RoleModel } from './model-settings.ts'
import { providers } from './providers.ts'
import { resolveModel } from './resolve-model.ts'

function reach(choice: RoleModel, environment: ModelSettings['environment'] = {}) {
  return resolveModel(choice, { choices: {}, environment, builtIn: {} })
}

describe('where a model is reached', () => {
  it.each<[string, string, Record<string, string>, string]>([
    ['Ollama on this machine', 'ollama:x', {}, 'http://127.0.0.1:11434/v1'],
    ['Ollama at a host', 'ollama:x', { OLLAMA_HOST: 'box' }, 'http://box:11434/v1'],
    ['… and port', 'ollama:x', { OLLAMA_HOST: 'box:9' }, 'http://box:9/v1'],
    ['… at a port', 'ollama:x', { OLLAMA_HOST: ':9' }, 'http://127.0.0.1:9/v1'],
    ['… where it listens', 'ollama:x', { OLLAMA_HOST: '0.0.0.0' }, 'http://127.0.0.1:11434/v1'],
    ['… at an address', 'ollama:x', { OLLAMA_HOST: 'https://box/' }, 'https://box/v1'],
    ['… under a path', 'ollama:x', { OLLAMA_HOST: 'http://box:9/o/v1' }, 'http://box:9/o/v1'],
    ['LM Studio', 'lmstudio:x', {}, 'http://127.0.0.1:1234/v1'],
    ['vLLM', 'vllm:x', {}, 'http://127.0.0.1:8000/v1'],
    ['llama.cpp', 'llamacpp:x', {}, 'http://127.0.0.1:8080/v1'],
    ['OpenAI', 'openai:x', { OPENAI_API_KEY: 'k' }, 'https://api.openai.com/v1'],
    [
      'a gateway of OpenAI',
      'openai:x',
      { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'https://gate.example/v1/' },
      'https://gate.example/v1',
    ],
    [
      'Anthropic, as its own tools take the address',
      'anthropic:x',
      { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'https://gate.example' },
      'https://gate.example/v1',
    ],
    [
      'Google by its own address',
      'google:x',
      { GOOGLE_API_KEY: 'k' },
      'https://generativelanguage.googleapis.com/v1beta',
    ],
    [
      'Azure by its endpoint',
      'azure:x',
      { AZURE_OPENAI_API_KEY: 'k', AZURE_OPENAI_ENDPOINT: 'https://r.openai.azure.com/' },
      'https://r.openai.azure.com/openai/v1',
    ],
    [
      'Azure by its resource',
      'azure:x',
      { AZURE_OPENAI_API_KEY: 'k', AZURE_RESOURCE_NAME: 'r' },
      'https://r.openai.azure.com/openai/v1',
    ],
  ])('%s', (_what, name, environment, baseUrl) => {
    expect(reach({ name }, environment).baseUrl).toBe(baseUrl)
  })

  it('is where its role says, before all variables', () => {
    const choice = { name: 'ollama:x', baseUrl: 'http://other:1/v1' }
    expect(reach(choice, { OLLAMA_HOST: 'box' }).baseUrl).toBe('http://other:1/v1')
  })

  it.each([
    'openrouter:meta/llama-3',
    'ollama:llama3.2:3b',
    'fireworks:accounts/fireworks/models/x',
  ])('keeps the model of %s whole', (name) => {
    const choice = { name, apiKey: 'k' }
    expect(reach(choice).model).toBe(name.slice(name.indexOf(':') + 1))
  })

  it.each(['http://box/v1?key=s3cret', 'http://u:s3cret@box/v1', 'http://s3cret@box/v1', 'box'])(
    'is not at %s, and what is in it is not repeated',
    (baseUrl) => {
      expect(() => reach({ name: 'ollama:x', baseUrl })).toThrow(
        expect.objectContaining({
          code: 'invalid_configuration',
          message: expect.not.stringContaining('s3cret'),
        }),
      )
    },
  )
})

describe('the key of a model', () => {
  it.each([
    ['openai:x', 'OPENAI_API_KEY'],
    ['anthropic:x', 'ANTHROPIC_API_KEY'],
    ['google:x', 'GEMINI_API_KEY'],
    ['google:x', 'GOOGLE_API_KEY'],
    ['google:x', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    ['openrouter:x', 'OPENROUTER_API_KEY'],
    ['groq:x', 'GROQ_API_KEY'],
  ])('of %s may stand in %s', (name, variable) => {
    expect(reach({ name }, { [variable]: ' key ' }).apiKey).toBe('key')
  })

  it('of its role comes before the variable', () => {
    const choice = { name: 'openai:x', apiKey: 'own' }
    expect(reach(choice, { OPENAI_API_KEY: 'general' }).apiKey).toBe('own')
  })

  it.each(providers.filter(({ needsKey }) => needsKey).map(({ provider }) => provider))(
    'of %s is asked for at once, with where to get one',
    (provider) => {
      const environment = { AZURE_RESOURCE_NAME: 'r', OPENAI_API_KEY: '' }
      const facts = providers.find((known) => known.provider === provider)
      expect(() => reach({ name: `${provider}:x` }, environment)).toThrow(
        expect.objectContaining({
          code: 'invalid_configuration',
          message: expect.stringContaining(facts?.keyVariables[0] ?? ''),
          hint: expect.stringContaining(facts?.docsUrl ?? ''),
        }),
      )
    },
  )

  it.each(['openai:x', 'openai-compatible:x', 'anthropic:x'])(
    'in a variable does not go to another address that a role of %s names',
    (name) => {
      const environment = {
        OPENAI_API_KEY: 'k',
        ANTHROPIC_API_KEY: 'k',
        OPENAI_BASE_URL: 'http://a/v1',
      }
      const away = { name, baseUrl: 'https://elsewhere.example/v1' }
      expect(reach(away, environment)).not.toHaveProperty('apiKey')
    },
  )

  it('goes to the address that stands in the same environment, whatever its path', () => {
    const environment = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://a/v1' }
    const choice = { name: 'openai-compatible:x', baseUrl: 'http://a/other/v1' }
    expect(reach(choice, environment).apiKey).toBe('k')
  })

  it('is not needed by what replaces a provider', () => {
    const environment = { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }
    expect(reach({ name: 'openai:x' }, environment)).not.toHaveProperty('apiKey')
  })
})

describe('a name that stands for no model', () => {
  it.each([
    ['olama:llama3.2', 'ollama:llama3.2'],
    ['anthropc:claude-haiku-4-5', 'anthropic:claude-haiku-4-5'],
    ['gpt-4o', 'openai:gpt-4o'],
    ['claude-haiku-4-5', 'anthropic:claude-haiku-4-5'],
    ['gemini-2.5-flash', 'google:gemini-2.5-flash'],
    ['llama3.2:3b', 'ollama:llama3.2:3b'],
    ['openai', 'openai:MODEL'],
  ])('%s: did you mean %s', (name, meant) => {
    expect(() => reach({ name })).toThrow(`Did you mean "${meant}"?`)
  })

  it('is told with all providers, those of the caller first', () => {
    const own = { bedrock: () => ({}) as never }
    const settings = { choices: {}, environment: {}, builtIn: {}, providers: own }
    expect(() => resolveModel({ name: 'nothing-like-it:x' }, settings)).toThrow(
      expect.objectContaining({
        hint: expect.stringMatching(
          /one of bedrock:MODEL, ollama:MODEL, .*openai-compatible:MODEL/,
        ),
      }),
    )
  })
})
