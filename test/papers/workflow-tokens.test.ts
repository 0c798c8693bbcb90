import type { EmbeddingModelV4 } from '@ai-sdk/provider'
import { afterAll, describe, expect, it } from 'vitest'
import type { ModelSource } from '../../src/kernel/model/model.ts'
import { sumAccounts } from '../../src/kernel/run/accounts.ts'
import { stateAt } from '../../src/kernel/run/state-at.ts'
import { papersWorkflow } from '../../src/papers/papers.ts'
import type { PapersState } from '../../src/papers/state.ts'
import { sparsePapers } from './workflow-papers.ts'
import { type PapersRun, type PapersScript, PapersWorld } from './workflow-world.ts'

const query = 'What does sparse attention change?'
const worlds: PapersWorld[] = []
afterAll(() => Promise.all(worlds.map((world) => world.close())))

function opened(): PapersWorld {
  const world = new PapersWorld(sparsePapers)
  worlds.push(world)
  return world
}

/** Models with one of embeddings that counts a token for each text. */
function withVectors(models: ModelSource): ModelSource {
  const doEmbed = async ({ values }: { readonly values: readonly string[] }) => ({
    embeddings: values.map((text) => [text.length, 1]),
    usage: { tokens: values.length },
    warnings: [],
  })
  const model = { specificationVersion: 'v4', provider: 'test', modelId: 'vectors', doEmbed }
  return {
    ...models,
    forEmbedding: () => ({
      name: 'test:vectors',
      effect: 'read',
      price: null,
      timeoutMs: 30_000,
      load: async () => model as unknown as EmbeddingModelV4,
    }),
  }
}

/** What the state of a run says that models used, and what the log says. */
async function tokensOf(world: PapersWorld, { runId, events }: PapersRun) {
  const seq = events.at(-1)?.seq ?? 0
  const state = await stateAt(papersWorkflow(world.parts()), world.store, runId, { seq })
  const accounts = await sumAccounts(world.store.events(runId))
  const { inputTokens: input, outputTokens: output, embeddingTokens: embedding } = accounts
  const { tokenUsage } = state as unknown as PapersState
  return { tokenUsage, accounts: { input, output, embedding } }
}

describe('the tokens in the state', () => {
  it('are the sum of what all nodes used, as the log has it', async () => {
    const world = opened()
    const { tokenUsage, accounts } = await tokensOf(
      world,
      await world.run(query, { topK: 10, schedule: withVectors }),
    )
    expect(tokenUsage).toEqual(accounts)
    for (const tokens of Object.values(tokenUsage)) expect(tokens).toBeGreaterThan(0)
  })

  it.each<[string, PapersScript]>([
    ['analyses', ({ role }) => (role === 'analyzer' ? { text: 'no JSON' } : undefined)],
    ['a synthesis', ({ role }) => (role === 'synthesizer' ? { text: 'no JSON' } : undefined)],
  ])('have those of %s that came to nothing', async (_what, script) => {
    const world = opened()
    const { tokenUsage, accounts } = await tokensOf(world, await world.run(query, { script }))
    expect(tokenUsage).toEqual(accounts)
    expect(tokenUsage.output).toBeGreaterThan(0)
  })
})
