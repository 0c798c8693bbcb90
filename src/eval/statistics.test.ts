import { describe, expect, it } from 'vitest'
import { percentileOf, rateOf } from './statistics.ts'

describe('a rate', () => {
  it.each([
    // Computed with SciPy: binomtest(hits, of).proportion_ci(method="wilson").
    [8, 10, 0.4901625, 0.9433178],
    [1, 100, 0.0017674, 0.0544862],
    [50, 100, 0.4038315, 0.5961685],
  ])('of %d in %d has the Wilson interval from %d to %d', (hits, of, low, high) => {
    const rate = rateOf(hits, of)
    expect(rate?.rate).toBe(hits / of)
    expect(rate?.low).toBeCloseTo(low, 6)
    expect(rate?.high).toBeCloseTo(high, 6)
  })

  it('never leaves 0 to 1, and is none of no cases', () => {
    expect(rateOf(0, 7)).toMatchObject({ low: 0, rate: 0 })
    expect(rateOf(7, 7)).toMatchObject({ high: 1, rate: 1 })
    expect(rateOf(0, 0)).toBe(null)
  })
})

describe('a percentile', () => {
  it('is the nearest rank', () => {
    const values = [5, 1, 4, 2, 3]
    expect(percentileOf(values, 0.5)).toBe(3)
    expect(percentileOf(values, 0.95)).toBe(5)
    expect(percentileOf([7], 0.95)).toBe(7)
    expect(percentileOf([], 0.5)).toBe(null)
  })
})
