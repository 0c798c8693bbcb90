import { describe, expect, it } from 'vitest'
import type { AnalysedPaper } from '../citations/papers-role-input.ts'
import { synthesize } from './synthesizer.ts'

function paper(n: number, lists: Partial<AnalysedPaper>): AnalysedPaper {
  const none = { methodology: [], key_findings: [], conclusions: [], limitations: [] }
  return { n, id: `file:${n}`, title: `Paper ${n}`, ...none, contributions: [], ...lists }
}

const ten = 'The model was trained for 10 epochs on the ImageNet data set.'
const ninety = 'The model was trained for 90 epochs on the ImageNet data set.'

describe('the synthesis of the built-in engine', () => {
  it('takes a difference in what was found for a contradiction, and none in how it was found', () => {
    const as = (topic: 'methodology' | 'key_findings') =>
      synthesize({
        question: 'training',
        papers: [paper(1, { [topic]: [{ text: ten }] }), paper(2, { [topic]: [{ text: ninety }] })],
      }).contradictions
    expect(as('key_findings')).toMatchObject([
      { a: { says: ten, papers: ['1'] }, b: { says: ninety, papers: ['2'] } },
    ])
    expect(as('methodology')).toEqual([])
  })

  it('still takes what papers did alike for consensus', () => {
    const { consensus } = synthesize({
      question: 'training',
      papers: [
        paper(1, { methodology: [{ text: ten }] }),
        paper(2, { methodology: [{ text: ten }] }),
      ],
    })
    expect(consensus).toMatchObject([{ point: ten, papers: ['1', '2'] }])
  })
})
