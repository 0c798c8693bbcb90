import { join } from 'node:path'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AppOptions, verifyBundle } from '../../src/index.ts'
import { AppWorld } from './app-world.ts'

const models = { default: 'openai-compatible:scripted', embedding: 'openai-compatible:vectors' }
let world: AppWorld
let runId = ''
beforeAll(async () => {
  world = await AppWorld.start()
  const source = world.pdfs('pdfs', 2)
  const app = world.app({ models })
  const answer = await app.papers({ query: 'sparse attention memory', sources: [source] })
  runId = answer.runId
  expect(answer.usage.embeddingTokens).toBeGreaterThan(0)
})
afterAll(() => world.close())

describe('a run with a model of embeddings', () => {
  it.each<[string, Partial<AppOptions>]>([
    ['nothing configured', { environment: {} }],
    [
      'no model of embeddings',
      {
        environment: { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' },
        models: { default: 'openai-compatible:scripted' },
      },
    ],
  ])('replays with %s, without a call', async (_what, options) => {
    const before = world.modelCalls
    const { isIdentical, unclaimed } = await world.offline(options).replay(runId)
    expect({ isIdentical, unclaimed }).toEqual({ isIdentical: true, unclaimed: [] })
    expect(world.modelCalls).toBe(before)
  })

  it('is whole in a bundle', async () => {
    const file = join(world.folder, 'run.scholium')
    await world.offline().exportRun(runId, { file })
    expect(await verifyBundle(file)).toMatchObject({ isSound: true, isComplete: true })
  })
})

describe('an embedding model object', () => {
  it('embeds, is recorded by name, and is needed to resume but not to replay', async () => {
    const voyage = createOpenAICompatible({ name: 'voyage', baseURL: world.model.url })
    const own = { ...models, embedding: voyage.embeddingModel('vectors') }
    const source = world.pdfs('more', 2, 2)
    const request = { query: 'sparse attention accuracy', sources: [source] }
    const app = world.app({ models: own })
    let started = ''
    for await (const event of app.stream('papers', request)) {
      if ('runId' in event) started = event.runId
      if (event.type === 'node.done' && event.data.node === 'retriever') break
    }
    const environment = { OPENAI_BASE_URL: world.model.url }
    await expect(world.offline({ environment }).resume(started)).rejects.toMatchObject({
      code: 'run_incompatible',
      hint: 'Give the app the same model: createApp({ models: { embedding: model } }).',
    })
    const answer = await world.app({ models: own }).resume(started)
    expect(answer.models.embedding).toBe('voyage:vectors')
    expect(answer.usage.embeddingTokens).toBeGreaterThan(0)
    const before = world.modelCalls
    expect(await world.offline().replay(started)).toMatchObject({ isIdentical: true })
    expect(world.modelCalls).toBe(before)
  })
})
