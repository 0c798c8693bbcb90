import { describe, expect, it } from 'vitest'
import type { AnalysedPaper } from '../../citations/papers-role-requests.ts'
import { synthesize } from './synthesizer.ts'

function paper(n: number, lists: Partial<AnalysedPaper>): AnalysedPaper {
  const none = { methodology: [], key_findings: [], conclusions: [], limitations: [] }
  return { n, id: `file:${n}`, title: `Paper ${n}`, ...none, contributions: [], ...lists }
}

const cool = 'Glimmerstone melts at 410 degrees Celsius under high pressure.'
const hot = 'Glimmerstone melts at 490 degrees Celsius under high pressure.'

describe('the synthesis of the built-in engine', () => {
  it('takes a difference in what was found for a contradiction, and none in how it was found', () => {
    const as = (topic: 'methodology' | 'key_findings') =>
      synthesize({
        question: 'glimmerstone',
        papers: [paper(1, { [topic]: [{ text: cool }] }), paper(2, { [topic]: [{ text: hot }] })],
      }).contradictions
    expect(as('key_findings')).toMatchObject([
      { a: { says: cool, papers: ['1'] }, b: { says: hot, papers: ['2'] } },
    ])
    expect(as('methodology')).toEqual([])
  })

  it('still takes what papers did alike for consensus', () => {
    const { consensus } = synthesize({
      question: 'glimmerstone',
      papers: [
        paper(1, { methodology: [{ text: cool }] }),
        paper(2, { methodology: [{ text: cool }] }),
      ],
    })
    expect(consensus).toMatchObject([{ point: cool, papers: ['1', '2'] }])
  })
})
