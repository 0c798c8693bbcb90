import type { Word } from '../language/words.ts'

/** Where two sentences differ: half-open ranges of word indexes; either range may be empty. */
export interface Difference {
  readonly claimFrom: number
  readonly claimTo: number
  readonly sourceFrom: number
  readonly sourceTo: number
}

/** How a claim's words align with a source's: how many match in order, and where they differ. */
export interface Alignment {
  readonly matched: number
  readonly differences: readonly Difference[]
}

/** The costs of one edit. A word may only be replaced by one of its kind; otherwise one is deleted and the other inserted. */
const gapCost = 4
const cheapGapCost = 2
const substitutionCost = 7
const impossibleCost = 1000

/**
 * Finds the cheapest edits that turn the source's words into the claim's, in order. Source words at the ends and in
 * brackets cost less to leave out.
 * @see https://doi.org/10.1016/0022-2836(70)90057-4 (Needleman and Wunsch, 1970)
 */
export function align(claim: readonly Word[], source: readonly Word[]): Alignment {
  const width = source.length + 1
  const costs = computeCosts(claim, source)
  const differences: Difference[] = []
  let [row, column, matched] = [claim.length, source.length, 0]
  let [claimTo, sourceTo] = [row, column]
  const close = (): void => {
    if (row < claimTo || column < sourceTo)
      differences.push({ claimFrom: row, claimTo, sourceFrom: column, sourceTo })
  }
  while (row > 0 || column > 0) {
    const here = costs[row * width + column] as number
    const [mine, theirs] = [claim[row - 1], source[column - 1]]
    const diagonal =
      row > 0 && column > 0
        ? (costs[(row - 1) * width + column - 1] as number)
        : Number.POSITIVE_INFINITY
    if (mine?.key === theirs?.key && here === diagonal) {
      close()
      ;[row, column, matched] = [row - 1, column - 1, matched + 1]
      ;[claimTo, sourceTo] = [row, column]
    } else if (mine?.kind === theirs?.kind && here === diagonal + substitutionCost)
      [row, column] = [row - 1, column - 1]
    else if (
      theirs !== undefined &&
      here === (costs[row * width + column - 1] as number) + deletionCost(theirs, row, claim.length)
    )
      column--
    else row--
  }
  close()
  return { matched, differences: differences.reverse() }
}

function computeCosts(claim: readonly Word[], source: readonly Word[]): Uint16Array {
  const width = source.length + 1
  const costs = new Uint16Array((claim.length + 1) * width)
  for (let column = 1; column < width; column++)
    costs[column] =
      (costs[column - 1] as number) + deletionCost(source[column - 1] as Word, 0, claim.length)
  for (let row = 1; row <= claim.length; row++) {
    const mine = claim[row - 1] as Word
    costs[row * width] = row * gapCost
    for (let column = 1; column < width; column++) {
      const theirs = source[column - 1] as Word
      const at = row * width + column
      const diagonal = costs[at - width - 1] as number
      const change =
        mine.key === theirs.key ? 0 : mine.kind === theirs.kind ? substitutionCost : impossibleCost
      const left = (costs[at - 1] as number) + deletionCost(theirs, row, claim.length)
      costs[at] = Math.min(diagonal + change, (costs[at - width] as number) + gapCost, left)
    }
  }
  return costs
}

function deletionCost(word: Word, row: number, rows: number): number {
  return word.inBrackets || row === 0 || row === rows ? cheapGapCost : gapCost
}
