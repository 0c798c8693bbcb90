import type { Rate } from '../statistics.ts'
import type { CostSummary } from '../summary.ts'

/** A share as "62.5 %", or a dash where there is none. */
export function percent(rate: number | null): string {
  return rate === null ? '–' : `${(rate * 100).toFixed(1)} %`
}

/** A share with its interval: "62.5 % (47–76)". */
export function rateText(rate: Rate | null): string {
  if (rate === null) return '–'
  const [low, high] = [rate.low, rate.high].map((value) => (value * 100).toFixed(0))
  return `${percent(rate.rate)} (${low}–${high})`
}

/** Dollars with four decimals, or "unknown". */
export function usd(costUsd: number | null): string {
  return costUsd === null ? 'unknown' : `$${costUsd.toFixed(4)}`
}

/** What several questions cost; where a part is not known, that. */
export function costText({ knownUsd, unknown }: CostSummary): string {
  if (unknown === 0 || knownUsd === null) return usd(knownUsd)
  return `at least ${usd(knownUsd)}, unknown for ${unknown}`
}

/** Seconds as they are read: "0.31 s", "12.4 s". */
export function secondsText(seconds: number | null): string {
  if (seconds === null) return '–'
  return `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`
}
