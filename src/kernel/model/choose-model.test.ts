import { describe, expect, it } from 'vitest'
import { useHttpModel } from '../../../test/kernel/http-model.ts'
import { type Body, useRuns } from '../../../test/kernel/runs.ts'
import { createModelSource } from '../../models/model-source.ts'
import { messageText } from '../agent/message.ts'
import { callModel } from '../index.ts'
import { chooseEmbedding, chooseModel } from './choose-model.ts'

const current = useRuns()
const model = useHttpModel()

/** Asks the model of a name. */
const asking =
  (name?: string): Body =>
  async (context) => {
    const binding = await chooseModel(context, 'critic', name)
    const { message } = await callModel(context, 'model', binding, {
      messages: [{ id: 'q', role: 'user', parts: [{ type: 'text', text: '?' }], createdAt: 0 }],
    })
    return [binding.role, binding.name, messageText(message)]
  }

describe('chooseModel', () => {
  it('gives the model of a name, which is the one that is called', async () => {
    const models = model.source()
    const body = asking('openai-compatible:other')
    expect(await current().start(body, { models })).toEqual([
      'critic',
      'openai-compatible:other',
      'hello',
    ])
    expect(model.server.requests.map((seen) => seen.model)).toEqual(['other'])
    expect((await current().replay(body, { models })).result.value).toEqual([
      'critic',
      'openai-compatible:other',
      'hello',
    ])
    expect(model.server.requests).toHaveLength(1)
  })

  it('gives the role’s own model without a name', async () => {
    expect(await current().start(asking(), { models: model.source() })).toEqual([
      'critic',
      'openai-compatible:scripted',
      'hello',
    ])
  })

  it('reaches a model as the role that has it', async () => {
    const models = model.source({ environment: {}, baseUrl: model.server.url, apiKey: 'k-1' })
    await current().start(asking('openai-compatible:scripted'), { models })
    expect(model.server.requests.map(({ apiKey }) => apiKey)).toEqual(['k-1'])
  })

  it('refuses a name that stands for no model', async () => {
    await expect(
      current().start(asking('nothing'), { models: model.source() }),
    ).rejects.toMatchObject({ code: 'invalid_configuration' })
    expect(model.server.requests).toEqual([])
  })

  it('refuses a name where only roles are known', async () => {
    const { forRole } = model.source()
    await expect(
      current().start(asking('openai-compatible:other'), { models: { forRole } }),
    ).rejects.toMatchObject({ code: 'invalid_configuration', hint: expect.any(String) })
  })

  it.each([
    [{ maxCostUsd: 1 }, 'invalid_configuration'],
    [{ maxCostUsd: 1, maxTokens: 100_000 }, undefined],
    [{ maxTokens: 100_000 }, undefined],
  ])('keeps dollars: an unknown price under %o', async (limits, code) => {
    const run = current().start(asking('openai-compatible:other'), {
      models: model.source(),
      limits,
    })
    if (code === undefined) await run
    else await expect(run).rejects.toMatchObject({ code })
    expect(model.server.requests).toHaveLength(code === undefined ? 1 : 0)
  })
})

describe('chooseEmbedding', () => {
  const vectors = 'openai-compatible:vectors'
  const sourceOf = (choices: object) =>
    createModelSource({
      choices,
      environment: { OPENAI_BASE_URL: model.server.url },
      builtIn: {},
      prices: {},
    })
  const choosing =
    (name?: string): Body =>
    async (context) =>
      (await chooseEmbedding(context, name)).name

  it('gives the model of the role, or of a name', async () => {
    const models = sourceOf({ embedding: vectors })
    expect(await current().start(choosing(), { models })).toBe(vectors)
  })

  it('lets no model of another role stand in', async () => {
    const models = sourceOf({ default: 'openai-compatible:words' })
    await expect(current().start(choosing(), { models })).rejects.toMatchObject({
      code: 'invalid_configuration',
      hint: expect.stringContaining('--model embedding='),
    })
  })
})
