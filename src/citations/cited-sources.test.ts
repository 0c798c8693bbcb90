import { describe, expect, it } from 'vitest'
import { checkClaims } from '../claims/check/check-claim.ts'
import { splitClaims } from '../claims/check/parse-claims.ts'
import { passageId, type SourceId } from './source.ts'

/** The verdicts on an answer that cites sources of one passage each, numbered from 1. */
function check(answer: string, ...sources: readonly string[]) {
  const read = sources.map((text, index) => {
    const sourceId = String(index).repeat(64) as SourceId
    const place = { start: 0, end: text.length }
    return {
      n: index + 1,
      sourceId,
      passageId: passageId(sourceId, 0, text.length),
      ...place,
      text,
    }
  })
  const citations = read.map(({ n, sourceId }) => ({ n, sourceId, title: `Page ${n}` }))
  return checkClaims(splitClaims(answer), read, citations)
}

describe('a sentence that cites several sources', () => {
  const dog = 'The dog barked twice at night.'

  it('is partial where one of them says nothing like it or says it otherwise, and its reason names that one', () => {
    const ran = 'The dog ran 12 km at night.'
    const [silent, other] = [
      check('The dog barked twice at night [2][1].', 'Prices rose in spring.', dog),
      check('The dog ran 12 km at night [1][2].', ran, 'The dog ran 19 km at night.'),
    ].flat()
    expect(silent).toMatchObject({
      verdict: 'partial',
      evidence: [{ n: 2, quote: dog }],
      reason: 'Supported by [2]. Nothing similar was found in what was read under [1].',
    })
    expect(other).toMatchObject({ verdict: 'partial', evidence: [{ n: 1 }] })
    expect(other?.reason).toBe('Supported by [1]. [2]: "12" in the answer, "19" in the source.')
  })

  it('has a place in each that says it, in whatever words', () => {
    const [claim] = check(
      'The dog barked twice at night [1][2].',
      dog,
      'At night the dog barked twice.',
    )
    expect(claim).toMatchObject({ verdict: 'verbatim', evidence: [{ n: 1 }, { n: 2 }] })
  })

  it('stands where code cannot tell whether another says it too, and its reason says so', () => {
    const [claim] = check(
      'The dog barked twice at night [1][2].',
      dog,
      'During both evenings a loud bark of the dog could be heard by neighbours at night.',
    )
    expect(claim).toMatchObject({
      verdict: 'verbatim',
      evidence: [{ n: 1 }],
      reason: 'Verbatim. Undecided whether [2] supports it too.',
    })
  })
})
