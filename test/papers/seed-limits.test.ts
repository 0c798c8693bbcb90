import { afterAll, describe, expect, it } from 'vitest'
import { createQuickClock } from '../../src/testing/index.ts'
import { manyPapers } from './workflow-papers.ts'
import { type PapersScript, PapersWorld } from './workflow-world.ts'

const query = 'At what temperature does glimmerstone melt?'
const worlds: PapersWorld[] = []
afterAll(() => Promise.all(worlds.map((world) => world.close())))

function worldOf(count: number): PapersWorld {
  const world = new PapersWorld(manyPapers(count))
  worlds.push(world)
  return world
}

describe('a slow synthesizer', () => {
  it('is stopped after its 90 seconds, and code puts the findings together', async () => {
    const world = worldOf(2)
    const clock = createQuickClock()
    const script: PapersScript = (seen) => {
      if (seen.role !== 'synthesizer') return undefined
      // The first answer has no form; when it is there, the time for a second one has passed.
      clock.advance(91_000)
      return { text: 'Hm.' }
    }
    const { result, runId } = await world.run(query, { script, execution: { clock } })
    expect(result.errors).toEqual(['synthesizer: The synthesis took longer than 90 seconds.'])
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
