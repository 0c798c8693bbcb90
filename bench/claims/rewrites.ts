import { corruptions } from './corruptions.ts'
import { paraphrases } from './paraphrases.ts'
import { pick, type Random, type Rewrite, type Rewrites } from './rewrite.ts'

/** A corruption under a light paraphrase that does not leave it out again. */
export const hiddenCorruption: Rewrite = (sentence, random, names) => {
  const { bracket: _, ...others } = paraphrases
  return twice(sentence, random, names, corruptions, others)
}

/** Two light paraphrases, one over the other. */
export const doubleParaphrase: Rewrite = (sentence, random, names) =>
  twice(sentence, random, names, paraphrases, paraphrases)

function twice(
  sentence: string,
  random: Random,
  names: readonly string[],
  first: Rewrites,
  second: Rewrites,
): string | undefined {
  const once = pick(Object.values(first), random)?.(sentence, random, names)
  return once === undefined ? undefined : pick(Object.values(second), random)?.(once, random, names)
}

export { corruptions } from './corruptions.ts'
export { paraphrases } from './paraphrases.ts'
export { pick, type Random, type Rewrite, seededRandom } from './rewrite.ts'
