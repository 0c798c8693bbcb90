import { describe, expect, it } from 'vitest'
import { assumedWindowTokens, contextWindowOf } from './context-window.ts'

describe('the window of a model', () => {
  it.each([
    ['openai:gpt-4o-mini', 128_000],
    ['openai:gpt-5.4-mini', 400_000],
    ['anthropic:claude-sonnet-4-5', 200_000],
    ['openrouter:anthropic/claude-sonnet-4.5', 200_000],
    ['google:gemini-2.5-flash', 1_048_576],
  ])('%s has %i tokens, and says where that is written', (name, tokens) => {
    expect(contextWindowOf(name)).toEqual({ tokens, source: expect.stringMatching(/^https:/) })
  })

  it('is a small one where the model is not known, or a server of one’s own may cut it', () => {
    expect(contextWindowOf('openai-compatible:mine')).toEqual({ tokens: assumedWindowTokens })
    expect(contextWindowOf('ollama:llama3.2')).toEqual({ tokens: assumedWindowTokens })
    expect(contextWindowOf('extractive')).toEqual({ tokens: assumedWindowTokens })
  })
})
