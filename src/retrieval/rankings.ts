/** How much lower ranks still count; the paper's value. */
const rankOffset = 60

/**
 * Combines several rankings of item numbers by reciprocal rank fusion, best first; ties in numeric order. Items missing
 * from a ranking get nothing from it.
 *
 * @see https://doi.org/10.1145/1571941.1572114 (Cormack, Clarke and Büttcher, Reciprocal rank fusion outperforms Condorcet
 * and individual rank learning methods, 2009; its k is 60)
 */
export function fuseRankings(
  rankings: readonly (readonly number[])[],
): readonly { readonly item: number; readonly score: number }[] {
  const scores = new Map<number, number>()
  for (const ranking of rankings) {
    for (const [index, item] of ranking.entries())
      scores.set(item, (scores.get(item) ?? 0) + 1 / (rankOffset + index + 1))
  }
  return [...scores]
    .map(([item, score]) => ({ item, score }))
    .sort((one, other) => other.score - one.score || one.item - other.item)
}

/** The cosine similarity of two vectors, -1 to 1; 0 if either has no length. @throws for different dimensions */
export function computeCosine(one: readonly number[], other: readonly number[]): number {
  if (one.length !== other.length)
    throw new RangeError(`Vectors of ${one.length} and ${other.length} dimensions have no angle.`)
  let product = 0
  let oneSquare = 0
  let otherSquare = 0
  for (let index = 0; index < one.length; index++) {
    const [left, right] = [one[index] as number, other[index] as number]
    product += left * right
    oneSquare += left * left
    otherSquare += right * right
  }
  const lengths = Math.sqrt(oneSquare) * Math.sqrt(otherSquare)
  return lengths === 0 ? 0 : product / lengths
}
