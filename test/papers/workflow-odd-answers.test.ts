import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import type { Json } from '../../src/kernel/json.ts'
import type { PaperStance, PapersResult } from '../../src/papers/result.ts'
import { sparsePapers } from './workflow-papers.ts'
import { type PapersScript, PapersWorld } from './workflow-world.ts'

const world = new PapersWorld(sparsePapers)
afterAll(() => world.close())
const query = 'Does sparse attention save memory?'
const said = 'Sparse attention reduces memory use on long documents'

/** Anything that a model may write where a sentence, a paper or a list of them is asked for. */
const anything = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Json>(null, '', ' ', 0, 1, 2, 3, 9, '[1]', 'Paper 2', said, `${said} [1].`),
    fc.constantFrom<Json>('arxiv:2401.00001', '2402.00002v3', '<script>', '![x](http://a.b/c)'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom('point', 'papers', 'quotes', 'paper', 'quote', 'a', 'b', 'says', 'text'),
      tie('value'),
      { maxKeys: 3 },
    ),
  ),
})).value

/** Every stance of a result. */
function stancesIn({ synthesis }: PapersResult): readonly PaperStance[] {
  const { consensus, contradictions, gaps } = synthesis
  return [
    ...[...consensus, ...gaps].flatMap(({ stances }) => stances),
    ...contradictions.flatMap(({ sideA, sideB }) => [...sideA.stances, ...sideB.stances]),
  ]
}

describe('whatever a model answers', () => {
  it('no point survives that is not tied to papers and their pages', async () => {
    const answer = fc.dictionary(
      fc.constantFrom('consensus', 'contradictions', 'gaps', 'summary', 'other'),
      anything,
      { maxKeys: 5 },
    )
    await fc.assert(
      fc.asyncProperty(answer, async (json) => {
        const script: PapersScript = ({ role }) => (role === 'synthesizer' ? { json } : undefined)
        const { result } = await world.run(query, { script })
        for (const { n, evidence, paperId } of stancesIn(result)) {
          expect(result.papers.find((paper) => paper.n === n)?.id).toBe(paperId)
          expect(evidence.length).toBeGreaterThan(0)
          expect(evidence.every((place) => place.n === n && place.page !== undefined)).toBe(true)
        }
        for (const { stances } of result.synthesis.consensus)
          expect(new Set(stances.map(({ n }) => n)).size).toBeGreaterThan(1)
        for (const { sideA, sideB } of result.synthesis.contradictions) {
          const [a, b] = [sideA, sideB].map(({ stances }) => new Set(stances.map(({ n }) => n)))
          expect(a?.isDisjointFrom(b ?? new Set())).toBe(true)
          expect([a?.size, b?.size]).not.toContain(0)
        }
        for (const { citations } of result.claims)
          expect(citations.every((n) => n >= 1 && n <= 3)).toBe(true)
        expect(JSON.stringify(result.synthesis)).not.toMatch(/<script|[^\\]!\[/)
      }),
      { numRuns: 60 },
    )
  }, 60_000)

  it('an analysis is lists of sentences', async () => {
    const answer = fc.dictionary(
      fc.constantFrom('methodology', 'key_findings', 'conclusions', 'limitations', 'x'),
      anything,
      { maxKeys: 5 },
    )
    await fc.assert(
      fc.asyncProperty(answer, async (json) => {
        const script: PapersScript = ({ role }) => (role === 'analyzer' ? { json } : undefined)
        const { result } = await world.run(query, { script, concurrency: 1 })
        for (const { methodology, keyFindings, conclusions, error } of result.analyses) {
          const texts = [...methodology, ...keyFindings, ...conclusions].map(({ text }) => text)
          expect(texts.every((text) => text.trim() === text && text !== '')).toBe(true)
          expect('key_findings' in json).toBe(error === undefined)
        }
      }),
      { numRuns: 40 },
    )
  }, 60_000)
})
