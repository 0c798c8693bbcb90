import { afterAll, describe, expect, it } from 'vitest'
import { manyPapers, sparsePapers } from './workflow-papers.ts'
import { extractiveModels, PapersWorld } from './workflow-world.ts'

const world = new PapersWorld(sparsePapers)
afterAll(() => world.close())
const query = 'Does sparse attention reduce memory use?'
const run = world.run(query, { execution: { models: extractiveModels } })

describe('the built-in engine', () => {
  it('copies sentences, each found on its page', async () => {
    const { result } = await run
    expect(result).toMatchObject({ status: 'answered', stopReason: 'answered' })
    const [first] = result.analyses
    expect(first?.methodology.map(({ text }) => text)).toEqual([
      'We trained twelve models with windowed attention on the Harrowmere corpus.',
      'The corpus has 40,000 documents of legal text.',
    ])
    expect(first?.conclusions.map(({ text }) => text)).toEqual([
      'We conclude that windows of 512 tokens suffice for legal text.',
    ])
    expect(first?.limitations).toHaveLength(2)
    expect(result.coverageOfPoints.verbatim).toBe(result.coverageOfPoints.claims)
    expect(result.coverage.verbatim).toBe(result.coverage.claims)
  })

  it('answers with the sentences that have the words of the question', async () => {
    const { result } = await run
    expect(result.answer).toContain(
      'Sparse attention reduces memory use by 38 percent on long documents [1].',
    )
    expect(result.answer).not.toContain('benchmarks are missing')
  })

  it('takes sentences that differ in nothing that counts for consensus', async () => {
    const twins = manyPapers(2).map((paper, index) => ({
      ...paper,
      pages: [
        `Results. The melting point of glimmerstone ${index === 0 ? 'was found' : 'is found'} to rise with pressure.`,
      ],
    }))
    const alike = new PapersWorld(twins)
    const { result } = await alike.run('glimmerstone', { execution: { models: extractiveModels } })
    expect(result.synthesis.consensus).toHaveLength(1)
    const [point] = result.synthesis.consensus
    expect(point?.stances.map(({ n, evidence }) => [n, evidence[0]?.page])).toEqual([
      [1, 1],
      [2, 1],
    ])
    await alike.close()
  })

  it('takes opposite sentences for contradictions, both sides with their pages', async () => {
    const { result } = await run
    expect(result.synthesis.contradictions).toHaveLength(1)
    expect(result.synthesis.contradictions[0]).toMatchObject({
      description: 'Two papers differ in what they say of the same.',
      sideA: {
        says: 'Training time increases with the number of windows per layer.',
        stances: [{ n: 1, verdict: 'verbatim', evidence: [{ page: 2 }] }],
      },
      sideB: {
        says: 'Training time decreases with the number of windows per layer.',
        stances: [{ n: 2, verdict: 'verbatim', evidence: [{ page: 2 }] }],
      },
    })
  })

  it('takes what papers call their limits for gaps', async () => {
    const { result } = await run
    expect(result.synthesis.gaps.map(({ text, stances }) => [text, stances[0]?.n])).toContainEqual([
      'We leave the question of very short texts to future work.',
      2,
    ])
  })

  it('says what it is', async () => {
    const { result } = await run
    expect(result.reasoning).toContain('The built-in engine is not a language model')
  })

  it('says the same each time, and in a replay', async () => {
    const { result, runId } = await run
    const again = await world.run(query, { execution: { models: extractiveModels } })
    expect(again.result).toEqual(result)
    expect(runId).toBe('run-1')
  })
})

describe('the built-in engine and a query of which the papers say nothing', () => {
  const models = extractiveModels

  it('says so, and puts no summary together', async () => {
    for (const of of ['Photosynthesis in algae', 'Wie wachsen Moose?']) {
      const { result, runId } = await world.run(of, { execution: { models } })
      expect(result).toMatchObject({ status: 'unanswered', stopReason: 'no_evidence', claims: [] })
      expect(result.answer).toBe('The sources do not say.')
      expect(result.synthesis).toMatchObject({ consensus: [], gaps: [], summary: '' })
      expect(result.analyses).toHaveLength(3)
      expect(result.gaps).toContainEqual({
        kind: 'no_evidence',
        detail:
          'No word of the query occurs in any of the 3 papers that could be read; the built-in engine works with words only.',
      })
      expect((await world.replay(runId, () => models)).result).toEqual(result)
    }
  })

  it('asks for words that can be looked for', async () => {
    const { result } = await world.run('🦄🦄', { execution: { models } })
    expect(result.stopReason).toBe('no_evidence')
    expect(result.gaps[0]?.detail).toContain('The query has no word to search for')
  })

  it('answers in part where a word of it stands only next to what was found', async () => {
    const aside = sparsePapers.map((paper) => ({ ...paper, pages: [...paper.pages, 'Glowworms.'] }))
    const one = new PapersWorld(aside)
    const { result } = await one.run('glowworm', { execution: { models } })
    expect(result).toMatchObject({ status: 'partial', stopReason: 'gaps' })
    expect(result.gaps[0]?.detail).toContain('No finding contains a word of the query')
    await one.close()
  })

  it('leaves it to a language model what is said in other words', async () => {
    const { result } = await world.run('Photosynthesis in algae')
    expect(result.gaps).toEqual([])
    expect(result.status).toBe('answered')
  })
})
