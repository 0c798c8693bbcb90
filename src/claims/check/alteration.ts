import { functionWords } from '../language/vocabulary.ts'
import type { Word } from '../language/words.ts'

/**
 * What a change alters; `term`: one thing for another of its class; `strength`: how much, how often, how surely, or a tie
 * made a cause; `role`: who does what to whom.
 */
export type Alteration =
  | 'number'
  | 'unit'
  | 'name'
  | 'term'
  | 'negation'
  | 'direction'
  | 'strength'
  | 'role'

/** The words of a claim and those of its source in which two differ. */
export interface Contrast {
  readonly claim: readonly Word[]
  readonly source: readonly Word[]
}

/** An alteration with the words that show it. */
export interface Altered extends Contrast {
  readonly kind: Alteration
}

/** The first two words, one of each side, that `fits` holds for. */
export function findPair(
  { claim, source }: Contrast,
  fits: (mine: Word, theirs: Word) => boolean,
): Contrast | undefined {
  for (const mine of claim) {
    const theirs = source.find((word) => fits(mine, word))
    if (theirs !== undefined) return { claim: [mine], source: [theirs] }
  }
  return undefined
}

/** Whether a word tells something by itself; an adverb ("not significantly") does not. */
export function isTelling({ kind, lemma, plain }: Word): boolean {
  return kind === 'word' && !functionWords.has(lemma) && !plain.endsWith('ly')
}
