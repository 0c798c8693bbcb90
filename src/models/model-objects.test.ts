import type { LanguageModelV4 } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { scriptModels } from '../testing/index.ts'
import { nameModels } from './model-objects.ts'

const { model } = scriptModels(() => ({ text: 'yes' }))
const like = (changes: object) => ({ ...model, ...changes }) as LanguageModelV4

describe('models that are given as objects', () => {
  it('are named by provider and id, without the kind of the API', () => {
    const openai = like({ provider: 'openai.responses', modelId: 'gpt-5' })
    const named = nameModels({ default: openai, critic: model, expert: 'ollama:qwen3' })
    expect(named.models).toEqual({
      default: 'openai:gpt-5',
      critic: 'test:scripted',
      expert: 'ollama:qwen3',
    })
    expect(named.objects).toEqual({ 'openai:gpt-5': openai, 'test:scripted': model })
  })

  it('are refused where they are of another version, or two have one name', () => {
    expect(() => nameModels({ default: like({ specificationVersion: 'v2' }) })).toThrow(
      /not an AI SDK model object/,
    )
    expect(() => nameModels({ default: model, critic: like({}) })).toThrow(
      'Two models are named "test:scripted".',
    )
    expect(nameModels({ default: model, critic: model }).models.critic).toBe('test:scripted')
  })
})
