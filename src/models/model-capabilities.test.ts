import { describe, expect, it } from 'vitest'
import { assumedWindowTokens } from '../kernel/limits/output-cap.ts'
import { findContextWindow, findModelSizes, takesImages } from './model-capabilities.ts'

describe('the window of a model', () => {
  it.each([
    ['openai:gpt-4o-mini', 128_000],
    ['openai:gpt-5.4-mini', 400_000],
    ['anthropic:claude-sonnet-4-5', 200_000],
    ['openrouter:anthropic/claude-sonnet-4.5', 200_000],
    ['google:gemini-2.5-flash', 1_048_576],
  ])('%s has %i tokens, and says where that is written', (name, tokens) => {
    expect(findContextWindow(name)).toEqual({ tokens, source: expect.stringMatching(/^https:/) })
  })

  it('is a small one where the model is not known, or a server of one’s own may cut it', () => {
    expect(findContextWindow('openai-compatible:mine')).toEqual({ tokens: assumedWindowTokens })
    expect(findContextWindow('ollama:llama3.2')).toEqual({ tokens: assumedWindowTokens })
    expect(findContextWindow('extractive')).toEqual({ tokens: assumedWindowTokens })
  })
})

describe('the longest answer of a model', () => {
  it.each([
    ['openai:gpt-4o-mini', 16_384],
    ['azure:gpt-4.1', 32_768],
    ['anthropic:claude-opus-4-20250514', 32_000],
    ['anthropic:claude-opus-4-5-20251101', 64_000],
    ['anthropic:claude-opus-4-8', 128_000],
    ['anthropic:claude-haiku-4-5', 64_000],
    ['google:gemini-2.5-pro', 65_535],
    ['deepseek:deepseek-chat', 8_192],
    ['mistral:mistral-large-latest', undefined],
    ['openai-compatible:mine', undefined],
  ])('%s gives %s', (name, outputTokens) => {
    expect(findModelSizes(name, false).outputTokens).toBe(outputTokens)
  })

  it('is a matter of one’s own server where that is asked', () => {
    const own = { isUncapped: true, windowTokens: assumedWindowTokens }
    expect(findModelSizes('ollama:gpt-oss:20b', true)).toEqual(own)
    expect(findModelSizes('vllm:mine', true)).toEqual(own)
    expect(findModelSizes('openrouter:unknown', false)).toEqual({})
  })
})

describe('takesImages', () => {
  it.each([
    'openai:gpt-4o',
    'openai:gpt-5.4-mini',
    'openai:o3',
    'anthropic:claude-opus-5',
    'google:gemini-3-pro',
    'ollama:llava:13b',
    'ollama:gemma3:4b',
    'ollama:qwen2.5vl:7b',
    'ollama:llama3.2-vision',
    'vllm:Qwen/Qwen3-VL-8B-Instruct',
    'openrouter:anthropic/claude-sonnet-5',
  ])('knows that %s does', (name) => {
    expect(takesImages(name)).toBe(true)
  })

  it.each([
    'openai:gpt-3.5-turbo',
    'openai:o3-mini',
    'ollama:llama3.2',
    'ollama:gemma3:1b',
    'ollama:qwen3',
    'vllm:my-model',
    'extractive',
  ])('knows nothing of the kind of %s', (name) => {
    expect(takesImages(name)).toBe(false)
  })
})
