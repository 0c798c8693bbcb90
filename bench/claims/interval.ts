/** A share with the bounds of its 95 % interval, each from 0 to 1. */
export interface ShareInterval {
  readonly share: number
  readonly low: number
  readonly high: number
}

/**
 * The share of `count` in `total` with its 95 % interval; without any, everything from 0 to 1.
 * @see https://doi.org/10.1080/01621459.1927.10502953 (Wilson 1927)
 */
export function wilson(count: number, total: number): ShareInterval {
  if (total === 0) return { share: 0, low: 0, high: 1 }
  const z = 1.959964
  const share = count / total
  const centre = share + z ** 2 / (2 * total)
  const spread = z * Math.sqrt((share * (1 - share)) / total + z ** 2 / (4 * total ** 2))
  const scale = 1 + z ** 2 / total
  return {
    share,
    low: Math.max(0, (centre - spread) / scale),
    high: Math.min(1, (centre + spread) / scale),
  }
}
