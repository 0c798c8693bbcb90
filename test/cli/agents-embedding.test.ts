import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type App, type AppOptions, createApp } from '../../src/app.ts'
import type { LiveEvent } from '../../src/kernel/run/event.ts'
import { type ScriptedModel, startScriptedModel } from '../../src/testing/scripted-model.ts'

let folder = ''
let model: ScriptedModel
const opened: App[] = []
beforeEach(async () => {
  model = await startScriptedModel(({ texts, model: name }) =>
    texts.length === 0 ? { text: name } : { vectors: texts.map(() => [1, 2]), tokens: 10 },
  )
  folder = mkdtempSync(join(tmpdir(), 'scholium-agents-embedding-'))
  mkdirSync(join(folder, 'home'))
  writeFileSync(
    join(folder, 'embed.yaml'),
    `name: embed
nodes:
  - {name: one, uses: llm.embed, with: {text: one}, output: one}
  - {name: two, uses: llm.embed, with: {text: two}, output: two}
  - {name: three, uses: llm.call, with: {prompt: three}, output: three}
`,
  )
})
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close()
  await model.close()
  rmSync(folder, { recursive: true })
})

function open(models?: AppOptions['models'], more: AppOptions = {}): App {
  const app = createApp({
    home: join(folder, 'home'),
    folder,
    environment: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'sk-of-the-service-1' },
    ...(models === undefined ? {} : { models }),
    ...more,
  })
  opened.push(app)
  return app
}

const models = {
  default: 'openai-compatible:scripted',
  embedding: 'openai-compatible:vectors',
}
const prices = { 'openai-compatible:*': { inputUsdPerMTok: 1, outputUsdPerMTok: 1 } }
const asked = () => model.requests.map((seen) => seen.model)

describe('a model of embeddings', () => {
  it('is counted with its tokens and what they cost', async () => {
    const result = await open(models, { prices }).runAgent('embed.yaml')
    expect(result).toMatchObject({
      state: { one: { embedding: [1, 2], dimensions: 2 }, three: { content: 'scripted' } },
      usage: { modelCalls: 3, embeddingTokens: 20 },
      models,
    })
    const { inputTokens, outputTokens } = result.usage
    expect(inputTokens).toBeGreaterThan(0)
    expect(result.costUsd).toBeCloseTo((20 + inputTokens + outputTokens) / 1e6, 12)
  })

  it('stays that of the run when it continues, and in a fork with another default', async () => {
    const interruption = new AbortController()
    const onEvent = (event: LiveEvent) => {
      if (event.type === 'node.done') interruption.abort()
    }
    const options = { onEvent, signal: interruption.signal }
    const running = open(models).runAgent('embed.yaml', {}, options)
    await expect(running).rejects.toMatchObject({ code: 'cancelled' })
    const { runId } = await open().resume('last')
    expect(asked()).toEqual(['vectors', 'vectors', 'scripted'])
    await open({ default: 'openai-compatible:other' }).fork(runId, { at: 'two[1]' })
    expect(asked().slice(3)).toEqual(['vectors', 'other'])
  })

  it('comes from the log in a replay', async () => {
    const { runId } = await open(models).runAgent('embed.yaml')
    expect(await open().replay(runId)).toMatchObject({ isIdentical: true })
    expect(model.requests).toHaveLength(3)
  })

  it('is not called where a limit in dollars cannot be kept', async () => {
    const options = { limits: { maxCostUsd: 1 } }
    const priced = { 'openai-compatible:scripted': prices['openai-compatible:*'] }
    const run = open(models, { prices: priced }).runAgent('embed.yaml', {}, options)
    expect(await run.catch(({ code }) => ({ failure: { code } }))).toMatchObject({
      failure: { code: 'invalid_configuration' },
    })
    expect(model.requests).toHaveLength(0)
  })
})
