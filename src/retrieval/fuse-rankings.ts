/** How far down a ranking still counts; the value of the paper. */
const RANK_OFFSET = 60

/**
 * One ranking out of several by reciprocal rank fusion: items, by number, best first; equal ones in the order of their
 * numbers. An item that a ranking leaves out gets nothing from it.
 *
 * @see https://doi.org/10.1145/1571941.1572114 (Cormack, Clarke and Büttcher, Reciprocal rank fusion outperforms
 * Condorcet and individual rank learning methods, 2009; its k is 60)
 */
export function fuseRankings(
  rankings: readonly (readonly number[])[],
): readonly { readonly item: number; readonly score: number }[] {
  const scores = new Map<number, number>()
  for (const ranking of rankings) {
    for (const [index, item] of ranking.entries())
      scores.set(item, (scores.get(item) ?? 0) + 1 / (RANK_OFFSET + index + 1))
  }
  return [...scores]
    .map(([item, score]) => ({ item, score }))
    .sort((one, other) => other.score - one.score || one.item - other.item)
}
