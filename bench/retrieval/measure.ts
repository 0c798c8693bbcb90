import { timeMs } from '../timing.ts'
import type { Collection } from './collection.ts'

/** Finds texts. Gives the ids of items, best first, each once. */
export type Search = (query: string) => Promise<readonly string[]>

/** What a search gives for a collection's questions: means from 0 to 1, and the time of each question in milliseconds. */
export interface Found {
  readonly ndcgAt10: number
  readonly recallAt100: number
  readonly timesMs: readonly number[]
}

/** Asks every question once of each search, in turns, so that other work on the machine affects all of them alike. */
export async function measureSearches<Name extends string>(
  { queries, relevant }: Pick<Collection, 'queries' | 'relevant'>,
  searches: Readonly<Record<Name, Search>>,
): Promise<Readonly<Record<Name, Found>>> {
  const names = Object.keys(searches) as Name[]
  const found = Object.fromEntries(
    names.map((name) => [name, { ndcgAt10: 0, recallAt100: 0, timesMs: [] as number[] }]),
  ) as Record<Name, { ndcgAt10: number; recallAt100: number; timesMs: number[] }>
  for (const { _id, text } of queries) {
    const grades = relevant.get(_id) ?? new Map<string, number>()
    for (const name of names) {
      let ranking: readonly string[] = []
      found[name].timesMs.push(
        await timeMs(async () => {
          ranking = await searches[name](text)
        }),
      )
      found[name].ndcgAt10 += ndcg(ranking, grades) / queries.length
      found[name].recallAt100 += recall(ranking, grades) / queries.length
    }
  }
  return found
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
