import { describe, expect, it } from 'vitest'
import type { CitedSource, Claim, Verdict } from '../citations/claim.ts'
import type { SourceId } from '../citations/source.ts'
import { type AnswerClaims, pairClaims } from './pair-claims.ts'

function claim(text: string, verdict: Verdict = 'supported'): Claim {
  const citations = [...text.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number))
  return { text, citations, verdict, evidence: [], judge: 'code', reason: '' }
}

/** An answer whose number n stands for the n-th source. */
function answer(sources: readonly string[], ...claims: readonly Claim[]): AnswerClaims {
  const citations = sources.map((id, index): CitedSource => {
    const sourceId = id as SourceId
    return { n: index + 1, sourceId, title: id, csl: { id, type: 'document' } }
  })
  return { claims, citations }
}

const told = (first: AnswerClaims, second: AnswerClaims) =>
  pairClaims(first, second).map((pair) => [
    pair.first?.text,
    pair.second?.text,
    pair.differences.join(' '),
  ])

describe('pairClaims', () => {
  it('finds the same sentence under other numbers of the same source', () => {
    const first = answer(['light', 'sound'], claim('Sound needs air [2].'))
    const second = answer(['sound'], claim('Sound  needs air [1].'))
    expect(told(first, second)).toEqual([['Sound needs air [2].', 'Sound  needs air [1].', '']])
  })

  it('says what differs: wording, sources, verdict', () => {
    const first = answer(['a', 'b'], claim('Glass melts at 1,400 degrees [1].', 'verbatim'))
    const second = answer(['a', 'b'], claim('Glass melts at 1,500 degrees [2].', 'altered'))
    expect(told(first, second).map(([, , differences]) => differences)).toEqual([
      'wording sources verdict',
    ])
  })

  it('pairs each sentence once, with the one most like it, and lists the others alone', () => {
    const first = answer(
      ['a'],
      claim('Iron melts at 1,538 degrees [1].'),
      claim('Copper conducts heat well [1].'),
    )
    const second = answer(
      ['a'],
      claim('Whales sing at night [1].'),
      claim('Pure iron melts at 1,538 degrees Celsius [1].'),
      claim('Iron melts at 1,538 degrees [1].'),
    )
    expect(told(first, second)).toEqual([
      ['Iron melts at 1,538 degrees [1].', 'Iron melts at 1,538 degrees [1].', ''],
      ['Copper conducts heat well [1].', undefined, ''],
      [undefined, 'Whales sing at night [1].', ''],
      [undefined, 'Pure iron melts at 1,538 degrees Celsius [1].', ''],
    ])
  })

  it('does not take a negated sentence for the same', () => {
    const first = answer(['a'], claim('The drug lowers the risk of stroke [1].'))
    const second = answer(['a'], claim('The drug does not lower the risk of stroke [1].'))
    expect(told(first, second).map(([, , differences]) => differences)).toEqual(['wording'])
  })
})
