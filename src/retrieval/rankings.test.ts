import { describe, expect, it } from 'vitest'
import { computeCosine, fuseRankings } from './rankings.ts'

describe('rankings fused', () => {
  it('give each item one part of sixty and its rank for each ranking', () => {
    expect(fuseRankings([[7, 3], [3]])).toEqual([
      { item: 3, score: 1 / 62 + 1 / 61 },
      { item: 7, score: 1 / 61 },
    ])
  })

  it('put equal items in the order of their numbers', () => {
    expect(
      fuseRankings([
        [9, 1],
        [1, 9],
      ]).map(({ item }) => item),
    ).toEqual([1, 9])
    expect(fuseRankings([])).toEqual([])
  })
})

describe('the cosine of two vectors', () => {
  it('is that of the angle between them', () => {
    expect(computeCosine([3, 0], [5, 0])).toBeCloseTo(1)
    expect(computeCosine([1, 0], [0, 2])).toBe(0)
    expect(computeCosine([1, 1], [-2, -2])).toBeCloseTo(-1)
    expect(computeCosine([1, 0], [1, 1])).toBeCloseTo(Math.SQRT1_2)
  })

  it('is 0 for a vector of nothing, and is refused for different dimensions', () => {
    expect(computeCosine([0, 0], [1, 1])).toBe(0)
    expect(() => computeCosine([1], [1, 1])).toThrow(RangeError)
  })
})
