import { functionWords } from '../language/function-words.ts'
import type { Word } from '../language/words.ts'
import type { SourcePassage } from './source-passage.ts'

/** How much more a number or a name says about a passage than another word of the same rarity. */
const nameWeight = 2

/**
 * Sorts passages by how well they fit the words of a claim: each word that a passage has counts by its rarity among the
 * passages, numbers and names double. Passages that fit equally well keep their order.
 * @see https://doi.org/10.1108/eb026526 (Spärck Jones 1972, inverse document frequency)
 */
export function rankPassages(
  words: readonly Word[],
  passages: readonly SourcePassage[],
): readonly SourcePassage[] {
  const scores = new Map<SourcePassage, number>(passages.map((passage) => [passage, 0]))
  const byKey = new Map(
    words.filter(({ lemma }) => !functionWords.has(lemma)).map((word) => [word.key, word]),
  )
  for (const [key, { kind, isCapital, isFirst }] of byKey) {
    const having = passages.filter(({ sentences }) => sentences.some(({ keys }) => keys.has(key)))
    const isName = kind === 'number' || (isCapital && !isFirst)
    const weight = Math.log(1 + passages.length / having.length) * (isName ? nameWeight : 1)
    for (const passage of having) scores.set(passage, (scores.get(passage) ?? 0) + weight)
  }
  return passages.toSorted((one, other) => (scores.get(other) ?? 0) - (scores.get(one) ?? 0))
}
