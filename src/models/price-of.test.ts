import { describe, expect, it } from 'vitest'
import type { ModelSettings } from './model-settings.ts'
import { findPrice } from './price-of.ts'
import { prices } from './prices.ts'

const keys = { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', OPENROUTER_API_KEY: 'k' }
function priced(choice: Parameters<typeof findPrice>[0], own: Partial<ModelSettings> = {}) {
  const builtIn = { extractive: async () => ({}) as never }
  return findPrice(choice, { choices: {}, environment: keys, builtIn, ...own })
}

describe('what a model costs', () => {
  it('is in the table for what is asked of its maker', () => {
    expect(priced('anthropic:claude-haiku-4-5')).toEqual({
      from: 'table',
      price: {
        inputUsdPerMTok: 1,
        outputUsdPerMTok: 5,
        cachedInputUsdPerMTok: 0.1,
        cacheWriteUsdPerMTok: 1.25,
      },
    })
    const [dated, alias] = ['claude-haiku-4-5-20251001', 'claude-haiku-4-5']
    expect(priced(`anthropic:${dated}`)).toEqual(priced(`anthropic:${alias}`))
  })

  it.each([
    ['no model of the table', 'anthropic:claude-haiku-4-5-20991231', {}],
    [
      'a model behind a gateway',
      { name: 'openai:gpt-4.1', baseUrl: 'https://gate.example/v1' },
      {},
    ],
    ['a router', 'openrouter:openai/gpt-4.1', {}],
    [
      'any service',
      'openai-compatible:x',
      { environment: { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' } },
    ],
    ['Ollama on another machine', { name: 'ollama:x', baseUrl: 'http://box:11434' }, {}],
    ['what Ollama passes on', 'ollama:gpt-oss:120b-cloud', {}],
    ['a provider of the caller', 'mine:x', { providers: { mine: () => ({}) as never } }],
  ] as const)('is not known for %s', (_what, choice, own) => {
    expect(priced(choice, own)).toEqual({ from: 'unknown', price: null })
  })

  it.each(['ollama:llama3.2', 'lmstudio:x', 'vllm:x', 'llamacpp:x', 'extractive'])(
    'is nothing for %s on this machine',
    (name) => {
      expect(priced(name)).toMatchObject({
        from: 'local',
        price: { inputUsdPerMTok: 0, outputUsdPerMTok: 0 },
      })
    },
  )

  it('is first of all what the settings say, by the name or by its longest beginning', () => {
    const price = (inputUsdPerMTok: number) => ({ inputUsdPerMTok, outputUsdPerMTok: 0 })
    const own = {
      prices: { 'openai:*': price(1), 'openai:gpt-4*': price(2), 'openai:gpt-4.1': price(3) },
    }
    const inputs = ['openai:o3', 'openai:gpt-4o', 'openai:gpt-4.1', 'anthropic:claude-opus-5'].map(
      (name) => priced(name, own).price?.inputUsdPerMTok,
    )
    expect(inputs).toEqual([1, 2, 3, 5])
    expect(priced('openai:o3', own).from).toBe('override')
  })
})

describe('the table of prices', () => {
  it('names each model once, with the page it was read on and the day', () => {
    const names = prices.flatMap((entry) => entry.names)
    expect(new Set(names).size).toBe(names.length)
    for (const { names: models, source, readOn, price } of prices) {
      expect(source).toMatch(/^https:\/\//)
      expect(readOn).toMatch(/^2026-\d\d-\d\d$/)
      const makesVectors = models.every((name) => name.includes('embedding'))
      if (makesVectors) expect(price.outputUsdPerMTok).toBe(0)
      else expect(price.outputUsdPerMTok).toBeGreaterThan(price.inputUsdPerMTok)
      expect(price.cachedInputUsdPerMTok ?? 0).toBeLessThan(price.inputUsdPerMTok)
      expect(price.longPrompt?.inputUsdPerMTok ?? Infinity).toBeGreaterThan(price.inputUsdPerMTok)
    }
  })
})
