import type { EmbeddingModelV4 } from '@ai-sdk/provider'
import { afterAll, describe, expect, it } from 'vitest'
import type { ModelSource } from '../../src/kernel/model/model.ts'
import { manyPapers } from './workflow-papers.ts'
import { PapersWorld, passagesIn } from './workflow-world.ts'

const query = 'At what temperature does quartz melt?'
/** A paper in which no word of the question or the broad queries stands. */
const wordless = {
  ...(manyPapers(1)[0] as ReturnType<typeof manyPapers>[0]),
  pages: ['Moths fly at night.\nLamps shine.\nGlimmerstone glows.\nStones are heavy.'],
}
const worlds: PapersWorld[] = []
afterAll(() => Promise.all(worlds.map((world) => world.close())))

function opened(): PapersWorld {
  const world = new PapersWorld([wordless])
  worlds.push(world)
  return world
}

/** Models with one of embeddings, which says this of a text or fails. */
function withVectors(
  models: ModelSource,
  vectorOf: (text: string) => readonly number[],
): ModelSource {
  const doEmbed = async ({ values }: { readonly values: readonly string[] }) => ({
    embeddings: values.map((text) => [...vectorOf(text)]),
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

describe('a model of embeddings', () => {
  it('finds by meaning what no word finds', async () => {
    const world = opened()
    const without = await world.run(query, { topK: 10 })
    expect(without.result.stopReason).toBe('none_kept')
    const schedule = (models: ModelSource) => withVectors(models, (text) => [text.length, 1, 1])
    const ran = await world.run(query, { topK: 10, schedule })
    expect(ran.result.stopReason).toBe('answered')
    const [asked] = ran.calls
    expect(
      passagesIn(asked as never)
        .join('\n')
        .split('\n'),
    ).toHaveLength(3)
    const embeddings = ran.events.filter(
      ({ type, data }) => type === 'step.done' && data.isEmbedding === true,
    )
    expect(embeddings.map(({ key }) => key)).toEqual([
      'papers/analyzer[1]/queries[1]',
      'papers/analyzer[1]/paper[1]/embed[1]',
    ])
    expect((await world.replay(ran.runId, schedule)).result).toEqual(ran.result)
  })

  it('leaves the words where it fails, and says so', async () => {
    const world = opened()
    const { result, events } = await world.run(query, {
      topK: 10,
      schedule: (models) =>
        withVectors(models, () => {
          throw new Error('No vectors today.')
        }),
    })
    expect(result.stopReason).toBe('none_kept')
    const notices = events.flatMap(({ type, data }) => (type === 'notice' ? [data.text] : []))
    expect(notices.join(' ')).toContain('searched by words only')
  })
})
