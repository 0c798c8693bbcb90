/** A share of some cases with the interval in which it lies at 95 %. */
export type Rate = {
  readonly hits: number
  readonly of: number
  /** 0 to 1. */
  readonly rate: number
  readonly low: number
  readonly high: number
}

/** The two-sided 95 % point of the normal distribution. */
const z = 1.959963984540054

/**
 * A share with its Wilson score interval at 95 %; null of no cases.
 * @see https://doi.org/10.1080/01621459.1927.10502953
 */
export function rateOf(hits: number, of: number): Rate | null {
  if (of === 0) return null
  const rate = hits / of
  const denominator = 1 + z ** 2 / of
  const middle = (rate + z ** 2 / (2 * of)) / denominator
  const half = (z / denominator) * Math.sqrt((rate * (1 - rate)) / of + z ** 2 / (4 * of ** 2))
  // At the ends the sums are 0 and 1 but for rounding.
  const low = hits === 0 ? 0 : middle - half
  return { hits, of, rate, low, high: hits === of ? 1 : middle + half }
}

/** The mean; null of nothing. */
export function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}

/** The smallest value that is not exceeded by the share of them (0 to 1): nearest rank. Null of nothing. */
export function percentileOf(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null
}
