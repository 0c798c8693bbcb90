import type { AskStatus } from '../ask/result.ts'
import { countClaims, type EvalResult, type Scores } from './result.ts'

/** The cost of several questions, as far as known. */
export type CostSummary = {
  /** The sum of the known costs; `null` if none is known. */
  readonly knownUsd: number | null
  /** For how many questions the cost is unknown. */
  readonly unknown: number
}

/** The scores of a set. Rates are `null` if there is nothing to count. */
export type SetSummary = {
  readonly set: string
  readonly questions: number
  readonly statuses: Readonly<Record<AskStatus, number>>
  readonly answered: Rate | null
  readonly exactMatch: Rate | null
  readonly gaia: Rate | null
  readonly label: Rate | null
  /** The mean, 0 to 1. */
  readonly f1: number | null
  /** Supported claims, of those checked, over all questions. */
  readonly support: Rate | null
  /** Checked claims, of all claims. */
  readonly coverage: Rate | null
  readonly cost: CostSummary
  readonly seconds: { readonly p50: number | null; readonly p95: number | null }
  readonly usage: EvalResult['usage']
}

/** Summarizes the scores by set, in order of first appearance, and in total if there are several sets. */
export function summarize(results: readonly EvalResult[]): readonly SetSummary[] {
  const sets = [...new Set(results.map(({ set }) => set))]
  const each = sets.map((set) =>
    summarizeSet(
      set,
      results.filter((result) => result.set === set),
    ),
  )
  return sets.length < 2 ? each : [...each, summarizeSet('all', results)]
}

function summarizeSet(set: string, results: readonly EvalResult[]): SetSummary {
  const counts = results.map(countClaims)
  const claims = sum(counts.map(({ claims }) => claims))
  const checked = sum(counts.map(({ checked }) => checked))
  const seconds = results.flatMap(({ seconds }) => seconds ?? [])
  return {
    set,
    questions: results.length,
    statuses: countStatuses(results),
    answered: computeRate(countStatuses(results).answered, results.length),
    exactMatch: rateScores(results, 'exactMatch'),
    gaia: rateScores(results, 'gaia'),
    label: rateScores(results, 'label'),
    f1: computeMean(results.flatMap(({ scores }) => scores.f1 ?? [])),
    support: computeRate(sum(counts.map(({ supported }) => supported)), checked),
    coverage: computeRate(checked, claims),
    cost: sumCost(results),
    seconds: { p50: computePercentile(seconds, 0.5), p95: computePercentile(seconds, 0.95) },
    usage: sumUsage(results),
  }
}

/** The cost of several questions. */
export function sumCost(results: readonly EvalResult[]): CostSummary {
  const known = results.flatMap(({ costUsd }) => costUsd ?? [])
  return {
    knownUsd: known.length === 0 && results.length > 0 ? null : sum(known),
    unknown: results.length - known.length,
  }
}

/** The share of correct answers among the questions that have this score. */
export function rateScores(
  results: readonly EvalResult[],
  name: Exclude<keyof Scores, 'f1'>,
): Rate | null {
  const scored = results.flatMap(({ scores }) => scores[name] ?? [])
  return computeRate(scored.filter((isRight) => isRight).length, scored.length)
}

function countStatuses(results: readonly EvalResult[]): Readonly<Record<AskStatus, number>> {
  const statuses = { answered: 0, partial: 0, unanswered: 0, failed: 0 }
  for (const { status } of results) statuses[status]++
  return statuses
}

function sumUsage(results: readonly EvalResult[]): EvalResult['usage'] {
  const of = (name: keyof EvalResult['usage']) => sum(results.map(({ usage }) => usage[name]))
  return {
    inputTokens: of('inputTokens'),
    outputTokens: of('outputTokens'),
    embeddingTokens: of('embeddingTokens'),
    modelCalls: of('modelCalls'),
    toolCalls: of('toolCalls'),
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** A share with its 95 % interval. */
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
 * A share with its 95 % Wilson score interval; `null` for no cases.
 * @see https://doi.org/10.1080/01621459.1927.10502953
 */
export function computeRate(hits: number, of: number): Rate | null {
  if (of === 0) return null
  const rate = hits / of
  const denominator = 1 + z ** 2 / of
  const middle = (rate + z ** 2 / (2 * of)) / denominator
  const half = (z / denominator) * Math.sqrt((rate * (1 - rate)) / of + z ** 2 / (4 * of ** 2))
  // At the ends the bounds are exactly 0 and 1, apart from rounding.
  const low = hits === 0 ? 0 : middle - half
  return { hits, of, rate, low, high: hits === of ? 1 : middle + half }
}

/** The mean; `null` for no values. */
function computeMean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}

/** The percentile by nearest rank, for a share of 0 to 1; `null` for no values. */
export function computePercentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null
}
