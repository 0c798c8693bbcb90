import { join } from 'node:path'
import {
  Agent,
  AgentHarness,
  BACKGROUND_CONTEXT,
  JsonlSessionRepo,
} from '@earendil-works/pi-agent-core'
import { NodeExecutionEnv } from '@earendil-works/pi-agent-core/node'
import { createModels, createProvider } from '@earendil-works/pi-ai'
import { openAICompletionsApi } from '@earendil-works/pi-ai/api/openai-completions.lazy'
import { questionText, systemText, toolOffer, toolResult } from '../../model-call/conversation.ts'
import type { OpenLibrary } from '../library.ts'

const look = {
  ...toolOffer.function,
  label: 'Look',
  execute: async () => ({
    content: [{ type: 'text', text: JSON.stringify(toolResult) }],
    details: {},
  }),
}

/** Pi always streams. */
export const open: OpenLibrary = async ({ url, folder, isStored }) => {
  const model = {
    id: 'm',
    name: 'Bench',
    api: 'openai-completions',
    provider: 'bench',
    baseUrl: url,
    reasoning: false,
    input: ['text'],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 128_000,
    maxTokens: 32_000,
  }
  const models = createModels()
  models.setProvider(
    createProvider({
      id: 'bench',
      name: 'Bench',
      baseUrl: url,
      auth: { apiKey: { name: 'Bench', resolve: async () => ({ auth: { apiKey: 'none' } }) } },
      models: [model],
      api: openAICompletionsApi(),
    }),
  )
  if (!isStored)
    return async () => {
      const initialState = { systemPrompt: systemText, model, tools: [look] }
      const streamFn = models.streamSimple.bind(models)
      await new Agent({ initialState, streamFn }).prompt(questionText)
    }
  const repo = new JsonlSessionRepo({
    fileSystem: new NodeExecutionEnv({ cwd: folder }),
    sessionsRoot: join(folder, 'sessions'),
  })
  return async () => {
    const session = await repo.create({ cwd: folder }, BACKGROUND_CONTEXT)
    const settings = { session, models, model, systemPrompt: systemText, tools: [look] }
    const { harness } = await AgentHarness.create(settings, BACKGROUND_CONTEXT)
    const lane = await harness.lane('main', BACKGROUND_CONTEXT)
    await lane.prompt(questionText, undefined, BACKGROUND_CONTEXT)
    await harness.close(BACKGROUND_CONTEXT)
  }
}
