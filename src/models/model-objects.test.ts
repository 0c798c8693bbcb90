import type { EmbeddingModelV4, LanguageModelV4 } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { scriptModels } from '../testing/index.ts'
import { nameModels, splitEmbeddingCalls } from './model-objects.ts'

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
      'The model for "default" is not a language model.',
    )
    expect(() => nameModels({ default: model, critic: like({}) })).toThrow(
      'Two models are named "test:scripted".',
    )
    expect(nameModels({ default: model, critic: model }).models.critic).toBe('test:scripted')
  })

  it('are refused for a role that needs the other kind', () => {
    const swapped = [{ embedding: model }, { default: vectorModel(2) }] as never[]
    for (const choices of swapped)
      expect(() => nameModels(choices)).toThrow(/is not an? (?:language|embedding) model\.$/)
    expect(nameModels({ embedding: vectorModel(2) }).models).toEqual({ embedding: 'own:letters' })
  })
})

/** A model whose vector of a text is its length, and which takes at most `maxValues` texts at once. */
function vectorModel(maxValues: number | undefined, requests: string[][] = []): EmbeddingModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'own.embedding',
    modelId: 'letters',
    maxEmbeddingsPerCall: maxValues,
    supportsParallelCalls: false,
    async doEmbed({ values }) {
      requests.push(values)
      const embeddings = values.map((text) => [text.length])
      return { embeddings, usage: { tokens: values.length }, warnings: [] }
    },
  }
}

describe('an embedding model object', () => {
  it.each([
    [2, [['a', 'bb'], ['ccc']]],
    [undefined, [['a', 'bb', 'ccc']]],
    [Infinity, [['a', 'bb', 'ccc']]],
  ])('that takes %s texts at once gets no more, and its answers are joined', async (max, sent) => {
    const requests: string[][] = []
    const split = splitEmbeddingCalls(vectorModel(max, requests))
    const { embeddings, usage } = await split.doEmbed({ values: ['a', 'bb', 'ccc'] })
    expect(requests).toEqual(sent)
    expect({ embeddings, usage }).toEqual({ embeddings: [[1], [2], [3]], usage: { tokens: 3 } })
  })
})
