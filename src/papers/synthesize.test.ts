import { describe, expect, it } from 'vitest'
import type { Verdict } from '../citations/claim.ts'
import type { PassageId } from '../citations/source.ts'
import type { Analysis, Finding } from './result.ts'
import type { KeptPaper } from './state.ts'
import { fitPapers } from './synthesize.ts'

function finding(text: string, quote = text, verdict: Verdict = 'verbatim'): Finding {
  const evidence = [
    {
      n: 1,
      passageId: 'p' as PassageId,
      start: 0,
      end: quote.length,
      quote,
      page: 3,
    },
  ]
  return { text, verdict, evidence, judge: 'code', reason: '' }
}

function kept(n: number, lists: Partial<Analysis>): KeptPaper {
  const id = `file:${n}`
  const none: readonly Finding[] = []
  return {
    n,
    paper: {
      id,
      title: `Paper ${n}`,
      authors: [],
      abstract: '',
      published: '',
      categories: [],
      foundBy: ['files'],
      csl: { id, type: 'article' },
    },
    analysis: {
      paperId: id,
      title: `Paper ${n}`,
      methodology: none,
      keyFindings: none,
      conclusions: none,
      limitations: none,
      contributions: none,
      confidence: 1,
      chunks: 1,
      ...lists,
    },
  }
}

describe('what the synthesizer is shown', () => {
  it('is bounded however many papers there are and however long they are', () => {
    const many = Array.from({ length: 12 }, (_, at) => finding(`Finding ${at} ${'x'.repeat(900)}`))
    const lists = { methodology: many, keyFindings: many, conclusions: many, limitations: many }
    const papers = Array.from({ length: 20 }, (_, at) => kept(at + 1, lists))
    const shown = fitPapers(papers)
    expect(JSON.stringify(shown.papers).length).toBeLessThan(100_000)
    expect(shown.papers.every(({ key_findings }) => key_findings.length > 0)).toBe(true)
    const left = shown.papers.flatMap((one) => [
      ...one.methodology,
      ...one.key_findings,
      ...one.conclusions,
      ...one.limitations,
    ])
    expect(shown.leftOut).toBe(20 * 48 - left.length)
    expect(shown.leftOut).toBeGreaterThan(0)
  })

  it('is all that holds where there is room, in order, with its place, and marked where that is open', () => {
    const { papers, leftOut } = fitPapers([
      kept(1, {
        keyFindings: [finding('One.'), finding('Two.', 'It is\n two.', 'unchecked')],
        conclusions: [{ ...finding('Three.', '', 'partial'), evidence: [] }],
      }),
    ])
    expect(leftOut).toBe(0)
    expect(papers[0]?.key_findings).toEqual([
      { text: 'One.', quote: 'One.', page: 3 },
      { text: 'Two.', quote: 'It is two.', page: 3, check: 'unchecked' },
    ])
    expect(papers[0]?.conclusions).toEqual([{ text: 'Three.', check: 'partial' }])
  })

  it.each<Verdict>(['altered', 'contradicted', 'not_found', 'unavailable'])(
    'is nothing that the check found %s',
    (verdict) => {
      const { papers, leftOut } = fitPapers([
        kept(1, { keyFindings: [finding('One.'), finding('Two.', 'Three.', verdict)] }),
      ])
      expect(papers[0]?.key_findings.map(({ text }) => text)).toEqual(['One.'])
      expect(leftOut).toBe(0)
    },
  )

  it('fits into the room that there is, as a message has it', () => {
    const many = Array.from({ length: 12 }, (_, at) => finding(`“${at}” „ö“ ${'ß"'.repeat(200)}`))
    const { papers, leftOut } = fitPapers([kept(1, { keyFindings: many })], 9_000)
    const message = JSON.stringify(papers.map((paper) => JSON.stringify(paper)).join('\n'))
    expect(Buffer.byteLength(message)).toBeLessThan(9_500)
    expect(papers[0]?.key_findings.length).toBe(12 - leftOut)
    expect(leftOut).toBeGreaterThan(0)
    expect(leftOut).toBeLessThan(12)
  })

  it('has of long words of a page a beginning that stands there', () => {
    const quote = 'Nine words of which a long table is made. '.repeat(40)
    const [paper] = fitPapers([kept(1, { keyFindings: [finding('It says.', quote)] })]).papers
    const shown = paper?.key_findings[0]?.quote ?? ''
    expect(shown.length).toBeGreaterThan(500)
    expect(shown.length).toBeLessThanOrEqual(600)
    expect(quote.startsWith(shown)).toBe(true)
  })
})
