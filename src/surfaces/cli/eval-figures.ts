import type { EvalProgress, EvalReport } from '../../app.ts'

type Rate = NonNullable<EvalProgress['exactMatch']>
type Cost = EvalReport['sets'][number]['cost']

/** "62.5 % (47–76)": a share with its interval at 95 %, in per cent; a dash where there is none. */
export function rateText(rate: Rate | null): string {
  if (rate === null) return '–'
  const [low, high] = [rate.low, rate.high].map((value) => (value * 100).toFixed(0))
  return `${(rate.rate * 100).toFixed(1)} % (${low}–${high})`
}

/** "$0.0123", "unknown", or "$0.0123 + ?" where the cost of some is not known. */
export function costText({ knownUsd, unknown }: Cost): string {
  if (knownUsd === null) return 'unknown'
  return `$${knownUsd.toFixed(4)}${unknown > 0 ? ' + ?' : ''}`
}

/** "0.31", "12.4": seconds. */
export function secondsText(seconds: number | null): string {
  return seconds === null ? '–' : seconds.toFixed(seconds < 10 ? 2 : 1)
}
