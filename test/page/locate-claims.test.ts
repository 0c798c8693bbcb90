import { describe, expect, it } from 'vitest'
import { cutPieces, locateClaims } from '../../web/src/answer/locate-claims.ts'
import type { Claim } from '../../web/src/api/answer.ts'

const claim = (text: string) =>
  ({ text, citations: [1], verdict: 'verbatim', evidence: [], judge: 'code', reason: '' }) as Claim

describe('sentences in an answer', () => {
  it('are found in order, also where two are the same', () => {
    const answer = 'It melts [1]. It melts [1]. Then it sings.'
    const placed = locateClaims(answer, [claim('It melts [1].'), claim('It melts [1].')])
    expect(placed.map(({ index, start }) => [index, start])).toEqual([
      [0, 0],
      [1, 14],
    ])
  })

  it('are cut at the numbers of their sources, with the rest left whole', () => {
    const answer = 'Intro: it melts [1, 12].'
    const placed = locateClaims(answer, [claim('it melts [1, 12].')])
    const pieces = cutPieces(answer, { start: 0, end: answer.length }, placed)
    expect(pieces.map(({ text, claim: of, n }) => [text, of, n])).toEqual([
      ['Intro: ', undefined, undefined],
      ['it melts [', 0, undefined],
      ['1', 0, 1],
      [', ', 0, undefined],
      ['12', 0, 12],
      ['].', 0, undefined],
    ])
    expect(pieces.map(({ isLast }) => isLast).indexOf(true)).toBe(5)
  })
})
