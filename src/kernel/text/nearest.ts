/** Longer input is not a mistyped word, and slow to compare. */
const maxWordLength = 200

/**
 * The candidate that a mistyped word most likely means, or `undefined`. Up to a third of the letters may be wrong; two swapped
 * neighbours count as one.
 */
export function findNearest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > maxWordLength) return undefined
  const most = Math.max(1, Math.floor(word.length / 3))
  const ranked = candidates
    .filter((candidate) => Math.abs(candidate.length - word.length) <= most)
    .map((candidate) => ({ candidate, distance: distanceBetween(word, candidate) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance)
  return ranked[0]?.candidate
}

/**
 * The number of letters to insert, delete, change or swap with a neighbour to get from one word to the other.
 * @see https://en.wikipedia.org/wiki/Damerau%E2%80%93Levenshtein_distance (optimal string alignment)
 */
function distanceBetween(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      let least = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + (isSame ? 0 : 1),
      )
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwap) least = Math.min(least, (beforeLast[j - 2] as number) + 1)
      row.push(least)
    }
    beforeLast = last
    last = row
  }
  return last[b.length] as number
}
