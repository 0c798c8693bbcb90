import { describe, expect, it } from 'vitest'
import type { Answer } from '../arguments/app-settings.ts'
import { explainSigns, markSentences } from './mark-sentences.ts'

type Claim = Answer['claims'][number]

const claim = (text: string, verdict: Claim['verdict'], page?: number): Claim => ({
  text,
  citations: [1],
  verdict,
  evidence:
    page === undefined
      ? []
      : [{ n: 1, passageId: 'a:0-1' as never, quote: 'x', start: 0, end: 1, page }],
  judge: 'code',
  reason: '',
})
const citations = [{ n: 1, title: 'Stones', path: 'a.pdf' }] as unknown as Answer['citations']

describe('a text for reading', () => {
  it('has the page behind a number, and a sign behind what is not supported', () => {
    const claims = [
      claim('It melts at 412 °C [1].', 'verbatim', 3),
      claim('It is blue [1].', 'not_found'),
      claim('It is old [1].', 'unchecked'),
    ]
    const text = `${claims[0]?.text} ${claims[1]?.text}\n\n- ${claims[2]?.text}`
    expect(markSentences(text, { claims, citations })).toBe(
      'It melts at 412 °C [1, p. 3]. It is blue [1]. ✗\n\n- It is old [1]. ?',
    )
    expect(explainSigns(claims)).toBe('✗ not supported by a source · ? not checked')
  })

  it('has pages in citations only, not in code', () => {
    const claims = [claim('The array `x[1]` has 5 items [1].', 'verbatim', 3)]
    expect(markSentences('The array `x[1]` has 5 items [1].', { claims, citations })).toBe(
      'The array `x[1]` has 5 items [1, p. 3].',
    )
  })

  it('marks the second of two equal sentences by its own verdict', () => {
    const claims = [claim('So [1].', 'supported'), claim('So [1].', 'altered')]
    expect(markSentences('So [1]. So [1].', { claims, citations })).toBe('So [1]. So [1]. ✗')
  })

  it('is left alone where a sentence is not found in it, and has no legend without signs', () => {
    const claims = [claim('Elsewhere [1].', 'altered')]
    expect(markSentences('Here [1].', { claims, citations })).toBe('Here [1].')
    expect(explainSigns([claim('So [1].', 'supported')])).toBe('')
  })

  it('leaves rows of tables in their form', () => {
    const claims = [claim('| a | 5 [1] |', 'altered')]
    expect(markSentences('| a | 5 [1] |', { claims, citations })).toBe('| a | 5 [1] |')
  })
})
