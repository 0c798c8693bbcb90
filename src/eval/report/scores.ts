import type { CostSummary, Rate, SetSummary } from '../summary.ts'

/** The columns of the score table: header and cell text. */
export const scoreColumns: readonly {
  readonly head: string
  text(summary: SetSummary): string
}[] = [
  { head: 'set', text: ({ set }) => set },
  { head: 'n', text: ({ questions }) => String(questions) },
  { head: 'answered', text: ({ answered }) => formatRate(answered) },
  { head: 'EM', text: ({ exactMatch }) => formatRate(exactMatch) },
  { head: 'GAIA', text: ({ gaia }) => formatRate(gaia) },
  { head: 'label', text: ({ label }) => formatRate(label) },
  { head: 'F1', text: ({ f1 }) => formatPercent(f1) },
  { head: 'supported', text: ({ support }) => formatRate(support) },
  { head: 'checked', text: ({ coverage }) => formatRate(coverage) },
  { head: 'cost', text: ({ cost }) => formatCost(cost) },
  { head: 'p50', text: ({ seconds }) => formatSeconds(seconds.p50) },
  { head: 'p95', text: ({ seconds }) => formatSeconds(seconds.p95) },
]

/** The names of the models used, each once. */
export function engineNames(models: Readonly<Record<string, string>>): readonly string[] {
  return [...new Set(Object.values(models))]
}

/** A note if the built-in engine has answered. */
export function engineNotes(models: Readonly<Record<string, string>>): readonly string[] {
  return engineNames(models).includes('extractive')
    ? ['The built-in extractive engine is not a language model: it selects and quotes sentences.']
    : []
}

/** A share as "62.5 %", or a dash. */
export function formatPercent(rate: number | null): string {
  return rate === null ? '–' : `${(rate * 100).toFixed(1)} %`
}

/** A share with its interval: "62.5 % (47–76)". */
export function formatRate(rate: Rate | null): string {
  if (rate === null) return '–'
  const [low, high] = [rate.low, rate.high].map((value) => (value * 100).toFixed(0))
  return `${formatPercent(rate.rate)} (${low}–${high})`
}

/** Dollars with four decimals, or "unknown". */
export function formatUsd(costUsd: number | null): string {
  return costUsd === null ? 'unknown' : `$${costUsd.toFixed(4)}`
}

/** The cost of several questions, and for how many it is unknown. */
export function formatCost({ knownUsd, unknown }: CostSummary): string {
  if (unknown === 0 || knownUsd === null) return formatUsd(knownUsd)
  return `at least ${formatUsd(knownUsd)}, unknown for ${unknown}`
}

/** Seconds for people: "0.31 s", "12.4 s". */
export function formatSeconds(seconds: number | null): string {
  if (seconds === null) return '–'
  return `${seconds.toFixed(seconds < 10 ? 2 : 1)} s`
}
