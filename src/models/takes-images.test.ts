import { describe, expect, it } from 'vitest'
import { takesImages } from './takes-images.ts'

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
