import { afterAll, describe, expect, it } from 'vitest'
import type { ModelSource } from '../../src/kernel/model/model.ts'
import { createQuickClock } from '../../src/testing/index.ts'
import { manyPapers } from './workflow-papers.ts'
import { type PapersScript, PapersWorld, withSilence } from './workflow-world.ts'

const query = 'At what temperature does glimmerstone melt?'
const worlds: PapersWorld[] = []
afterAll(() => Promise.all(worlds.map((world) => world.close())))

function worldOf(count: number): PapersWorld {
  const world = new PapersWorld(manyPapers(count))
  worlds.push(world)
  return world
}

describe('a slow synthesizer', () => {
  it('is waited for as long as its own time limit says', async () => {
    const world = worldOf(2)
    const clock = createQuickClock()
    const script: PapersScript = (seen) => {
      if (seen.role !== 'synthesizer') return undefined
      clock.advance(400_000)
      return seen.lastText.includes('could not be used') ? undefined : { text: 'Hm.' }
    }
    const { result } = await world.run(query, { script, execution: { clock } })
    expect(result).toMatchObject({ status: 'answered', errors: [] })
  })

  it('is stopped when its time is up, and code puts the findings together', async () => {
    const world = worldOf(2)
    const clock = createQuickClock()
    const schedule = (models: ModelSource) => withSilence(models, 'synthesizer')
    const { result, runId } = await world.run(query, { schedule, execution: { clock } })
    expect(result.errors).toEqual([expect.stringMatching(/^synthesizer: .* did not answer/)])
    expect(result).toMatchObject({ status: 'partial', synthesis: { confidence: 0 } })
    expect(result.claims.map(({ verdict }) => verdict)).toContain('verbatim')
    expect((await world.replay(runId)).result).toEqual(result)
  })
})

describe('how many papers are looked for', () => {
  it('is five unless told otherwise', async () => {
    const world = worldOf(7)
    expect((await world.run(query)).result.papers).toHaveLength(5)
    expect((await world.run(query, { count: 6 })).result.papers).toHaveLength(6)
  })
})
