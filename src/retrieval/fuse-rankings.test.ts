import { describe, expect, it } from 'vitest'
import { fuseRankings } from './fuse-rankings.ts'

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
