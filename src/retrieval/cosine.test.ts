import { describe, expect, it } from 'vitest'
import { cosine } from './cosine.ts'

describe('the cosine of two vectors', () => {
  it('is that of the angle between them', () => {
    expect(cosine([3, 0], [5, 0])).toBeCloseTo(1)
    expect(cosine([1, 0], [0, 2])).toBe(0)
    expect(cosine([1, 1], [-2, -2])).toBeCloseTo(-1)
    expect(cosine([1, 0], [1, 1])).toBeCloseTo(Math.SQRT1_2)
  })

  it('is 0 for a vector of nothing, and is refused for different dimensions', () => {
    expect(cosine([0, 0], [1, 1])).toBe(0)
    expect(() => cosine([1], [1, 1])).toThrow(RangeError)
  })
})
