import type { CostSummary, Rate, SetSummary } from '../summary.ts'

/** The columns of the table of scores: the head of each and what it says of a set. */
export const scoreColumns: readonly {
  readonly head: string
  text(summary: SetSummary): string
}[] = [
  { head: 'set', text: ({ set }) => set },
  { head: 'n', text: ({ questions }) => String(questions) },
  { head: 'answered', text: ({ answered }) => rateText(answered) },
  { head: 'EM', text: ({ exactMatch }) => rateText(exactMatch) },
  { head: 'GAIA', text: ({ gaia }) => rateText(gaia) },
  { head: 'label', text: ({ label }) => rateText(label) },
  { head: 'F1', text: ({ f1 }) => percent(f1) },
  { head: 'supported', text: ({ support }) => rateText(support) },
  { head: 'checked', text: ({ coverage }) => rateText(coverage) },
  { head: 'cost', text: ({ cost }) => costText(cost) },
  { head: 'p50', text: ({ seconds }) => secondsText(seconds.p50) },
  { head: 'p95', text: ({ seconds }) => secondsText(seconds.p95) },
]

/** The names of the models that were at work, each once. */
export function engineNames(models: Readonly<Record<string, string>>): readonly string[] {
  return [...new Set(Object.values(models))]
}

/** What is said where the built-in engine has answered; nothing elsewhere. */
export function engineNotes(models: Readonly<Record<string, string>>): readonly string[] {
  return engineNames(models).includes('extractive')
    ? ['The built-in extractive engine is not a language model: it selects and quotes sentences.']
    : []
}

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
