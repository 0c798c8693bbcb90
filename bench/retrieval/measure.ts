import type { Collection } from './collection.ts'

/** What a search gives for a collection's questions, each mean from 0 to 1. */
export interface Quality {
  readonly ndcgAt10: number
  readonly recallAt100: number
}

/** Time of each question, in milliseconds. */
export interface Times {
  readonly meanMs: number
  readonly medianMs: number
  readonly p95Ms: number
}

/** Asks every question once. `search` gives ids of items, best first, each once. */
export async function measure(
  { queries, relevant }: Collection,
  search: (query: string) => Promise<readonly string[]>,
): Promise<Quality & Times> {
  let ndcgAt10 = 0
  let recallAt100 = 0
  const times: number[] = []
  for (const { _id, text } of queries) {
    const start = performance.now()
    const ranking = await search(text)
    times.push(performance.now() - start)
    const grades = relevant.get(_id) ?? new Map<string, number>()
    ndcgAt10 += ndcg(ranking, grades) / queries.length
    recallAt100 += recall(ranking, grades) / queries.length
  }
  return { ndcgAt10, recallAt100, ...timesOf(times) }
}

/** Mean, median and 95th percentile. */
export function timesOf(times: readonly number[]): Times {
  const sorted = [...times].sort((left, right) => left - right)
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0
  const sum = sorted.reduce((total, time) => total + time, 0)
  return { meanMs: sum / Math.max(1, sorted.length), medianMs: at(0.5), p95Ms: at(0.95) }
}

/** @see https://doi.org/10.1145/582415.582418 with the grade itself as gain, as BEIR's figures are counted */
function ndcg(ranking: readonly string[], grades: ReadonlyMap<string, number>): number {
  const gain = (values: readonly number[]): number =>
    values.slice(0, 10).reduce((sum, grade, index) => sum + grade / Math.log2(index + 2), 0)
  const ideal = [...grades.values()].sort((left, right) => right - left)
  return gain(ranking.map((id) => grades.get(id) ?? 0)) / gain(ideal)
}

function recall(ranking: readonly string[], grades: ReadonlyMap<string, number>): number {
  return ranking.slice(0, 100).filter((id) => grades.has(id)).length / grades.size
}
