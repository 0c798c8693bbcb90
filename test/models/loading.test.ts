import { describe, expect, it } from 'vitest'
import { evaluatedByProgram } from '../evaluated.ts'

/** The provider packages that are evaluated once a program has run. */
async function loadedBy(program: string): Promise<readonly string[]> {
  const modules = await evaluatedByProgram(program)
  const names = modules.flatMap((path) => /@ai-sdk\/([\w-]+)/.exec(path)?.[1] ?? [])
  return [...new Set(names)].filter((name) => !name.startsWith('provider')).toSorted()
}

const making = (names: Record<string, string>) => `
  import { createModelSource } from './dist/index.js'
  const environment = { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', GEMINI_API_KEY: 'k', AZURE_OPENAI_API_KEY: 'k', AZURE_RESOURCE_NAME: 'r' }
  const models = createModelSource({ choices: ${JSON.stringify(names)}, environment, builtIn: {} })
  const critic = models.forRole('critic')`

describe('the packages of providers', () => {
  const all = {
    default: 'openai:a',
    planner: 'anthropic:b',
    expert: 'google:c',
    finalizer: 'ollama:d',
  }

  it('are not loaded by naming models', async () => {
    expect(await loadedBy(making(all))).toEqual([])
  })

  it.each([
    ['openai:a', 'openai'],
    ['azure:a', 'openai'],
    ['anthropic:b', 'anthropic'],
    ['google:c', 'google'],
    ['ollama:d', 'openai-compatible'],
  ])('%s loads %s alone, when it is used', async (name, loaded) => {
    const program = `${making({ ...all, critic: name })}\nawait critic.load()`
    expect(await loadedBy(program)).toEqual([loaded])
  })
})
