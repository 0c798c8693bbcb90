import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApp, type ModelChoices, type RoleModel } from '../../src/index.ts'
import { startFailingServer } from './failing-server.ts'
import { type Shape, secretKey, shapes } from './shapes.ts'
import { startTeamMock } from './team-mock.ts'

const question = 'What does CRISPR stand for?'
let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'scholium-models-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const shapeOf = (label: string) => shapes.find((shape) => shape.label === label) as Shape

/** Everything that a home holds, as text. */
function filesIn(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  const read = files.filter((file) => file.isFile())
  return read.map((file) => readFileSync(join(file.parentPath, file.name), 'latin1')).join('\n')
}

describe('ask', () => {
  it.each(shapes)('is answered by a team behind the interface of $label', async (shape) => {
    const mock = await startTeamMock()
    const models: ModelChoices = { default: shape.model(mock.url) as RoleModel }
    const app = createApp({ home, models, environment: {} })
    const events: unknown[] = []
    const answer = await app.ask({ question }, { onEvent: (event) => events.push(event) })
    const record = await app.showRun(answer.runId)
    await app.close()
    await mock.stop()
    expect(answer).toMatchObject({
      status: 'answered',
      models: { planner: shape.model('').name, critic: shape.model('').name },
    })
    expect(answer.citations.length).toBeGreaterThan(0)
    expect(answer.usage.inputTokens).toBe(100 * answer.usage.modelCalls)
    const seen = JSON.stringify([answer, record, events]) + filesIn(home)
    expect(seen).not.toContain(secretKey)
  })

  it('has a model of another provider for each role, each with its own key and address', async () => {
    const mocks = await Promise.all([startTeamMock(), startTeamMock(), startTeamMock()])
    const [chat, claude, gemini] = mocks.map((mock, index) =>
      shapeOf(['OpenAI chat', 'Anthropic', 'Gemini'][index] as string).model(mock.url),
    )
    const models = { default: chat, critic: claude, finalizer: gemini } as ModelChoices
    const app = createApp({ home, models, environment: {} })
    const answer = await app.ask({ question, depth: 'thorough' })
    await app.close()
    expect(answer.status).toBe('answered')
    const paths = mocks.map((mock) => [...new Set(mock.getRequests().map(({ path }) => path))])
    expect(paths).toEqual([
      ['/v1/chat/completions'],
      ['/v1/messages'],
      [expect.stringContaining(':streamGenerateContent')],
    ])
    await Promise.all(mocks.map((mock) => mock.stop()))
  })

  it.each([
    [
      'the environment',
      (baseUrl: string, key: string) => ({
        environment: { OPENAI_API_KEY: key, OPENAI_BASE_URL: baseUrl },
        models: { default: 'openai:gpt-4o' },
      }),
    ],
    [
      'its role',
      (baseUrl: string, apiKey: string) => ({
        environment: {},
        models: { default: { name: 'openai:gpt-4o', baseUrl, apiKey } },
      }),
    ],
  ])(
    'keeps a wrong key from %s out of everything that is told and kept',
    async (_where, settings) => {
      const key = 'sk-proj-wrong-0123456789'
      const error = { message: `Incorrect API key provided: ${key}.`, code: 'invalid_api_key' }
      const server = await startFailingServer({ status: 401, body: { error } })
      const app = createApp({ home, ...settings(`${server.url}/v1`, key) })
      const events: unknown[] = []
      const answer = await app.ask({ question }, { onEvent: (event) => events.push(event) })
      const log = await Array.fromAsync(app.events(answer.runId))
      await app.close()
      await server.close()
      expect(answer).toMatchObject({ status: 'failed' })
      expect(JSON.stringify(answer)).toContain('[secret]')
      expect(JSON.stringify(log)).toContain('OPENAI_API_KEY')
      expect(JSON.stringify([answer, log, events]) + filesIn(home)).not.toContain(key)
    },
  )
})

describe('a run resumed later', () => {
  it('is reached where it was, with the key that is set by then', async () => {
    const mock = await startTeamMock()
    const { name, baseUrl } = { name: 'openrouter:meta/llama-3', baseUrl: `${mock.url}/api/v1` }
    const first = createApp({ home, models: { default: { name, baseUrl } }, environment: {} })
    const interruption = new AbortController()
    const asking = first.ask(
      { question },
      {
        signal: interruption.signal,
        onEvent: ({ type }) => type === 'step.done' && interruption.abort(),
      },
    )
    await expect(asking).rejects.toMatchObject({ code: 'cancelled' })
    await first.close()
    const second = createApp({ home, environment: {} })
    const answer = await second.resume('last', { grants: [{ kind: 'address', value: baseUrl }] })
    const replay = await replaysAlike(home)
    await second.close()
    await mock.stop()
    expect(answer).toMatchObject({ status: 'answered', models: { planner: name } })
    expect(replay).toBe(true)
  })
})

/** Whether the last run replays to the same, with no address and no key at all. */
async function replaysAlike(folder: string): Promise<boolean> {
  const app = createApp({ home: folder, environment: { OPENAI_BASE_URL: 'no address' } })
  const { isIdentical } = await app.replay('last')
  await app.close()
  return isIdentical
}

describe('an app', () => {
  it.each<[string, RoleModel | string, string]>([
    ['without a key', 'openai:gpt-4o', 'OPENAI_API_KEY'],
    ['with a name of no provider', 'opnai:gpt-4o', 'openai:gpt-4o'],
    [
      'with a secret in its address',
      { name: 'ollama:x', baseUrl: 'http://u:hidden@box' },
      'user name',
    ],
  ])('is not made %s', (_what, model, message) => {
    const make = () => createApp({ home, models: { default: model }, environment: {} })
    expect(make).toThrow(message)
    expect(make).not.toThrow('hidden')
  })

  it('takes the models of a provider of its caller', async () => {
    const mock = await startTeamMock()
    const own = createOpenAICompatible({
      name: 'mine',
      baseURL: `${mock.url}/v1`,
      includeUsage: true,
    })
    const app = createApp({
      home,
      environment: {},
      models: { default: 'mine:my/model:1' },
      providers: { mine: (model) => own.chatModel(model) },
      prices: { 'mine:*': { inputUsdPerMTok: 1, outputUsdPerMTok: 2 } },
    })
    const answer = await app.ask({ question })
    await app.close()
    expect(answer.status).toBe('answered')
    expect(answer.costUsd).toBeCloseTo((answer.usage.modelCalls * (100 + 2 * 10)) / 1e6, 12)
    expect(mock.getLastRequest()?.body).toMatchObject({ model: 'my/model:1' })
    await mock.stop()
  })
})
