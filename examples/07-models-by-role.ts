// Each role with a model of its own, at two services, with prices: here a scripted model stands in for both.
import assert from 'node:assert/strict'
import { createApp } from '../src/index.ts'
import { scriptTeam, startScriptedModel } from '../src/testing/index.ts'
import { temporaryFolder } from './shared/temporary-folder.ts'

const small = await startScriptedModel(scriptTeam())
const large = await startScriptedModel(scriptTeam())
const app = createApp({
  home: temporaryFolder(),
  environment: {},
  models: {
    default: { name: 'openai-compatible:small', baseUrl: small.url },
    expert: { name: 'openai-compatible:large', baseUrl: large.url, apiKey: 'a key of its own' },
  },
  prices: { 'openai-compatible:*': { inputUsdPerMTok: 2, outputUsdPerMTok: 8 } },
  limits: { maxCostUsd: 0.5 },
})
const { answer, models, costUsd } = await app.ask({ question: 'What does CRISPR stand for?' })
console.log(`${answer}\n$${costUsd?.toFixed(4)}`, models)
assert.equal(models.planner, 'openai-compatible:small')
assert.equal(models.expert, 'openai-compatible:large')
assert.equal(large.requests[0]?.apiKey, 'a key of its own')
assert.ok(small.requests.every(({ apiKey }) => apiKey === ''))
assert.ok(costUsd !== null && costUsd > 0 && costUsd < 0.5)
await app.close()
await Promise.all([small.close(), large.close()])
