import type { Ground } from '../claims/check/differences.ts'
import { judge } from '../claims/check/judge.ts'
import { areOpposite } from '../claims/language/opposites.ts'
import { tokensOf } from '../claims/language/tokens.ts'
import { functionWords } from '../claims/language/vocabulary.ts'
import { type Word, wordsOf } from '../claims/language/words.ts'
import { isSameMatter } from './same-matter.ts'

/** A sentence made ready to be compared. */
export interface ComparedSentence {
  readonly words: readonly Word[]
  /** Of the words that tell something, and of units; numbers left out. */
  readonly keys: ReadonlySet<string>
}

/** How two sentences of different papers stand to each other. */
export type Likeness = 'alike' | 'against' | 'apart'

/** A sentence as it is compared. */
export function readSentence(text: string): ComparedSentence {
  const words = wordsOf(text, tokensOf(text))
  const telling = words.filter(
    ({ kind, lemma }) =>
      kind === 'unit' || (kind === 'word' && !functionWords.has(lemma) && lemma.length > 2),
  )
  return { words, keys: new Set(telling.map(({ key }) => key)) }
}

/** The share of the telling words of the shorter sentence that both have, 0 to 1; 0 where they are too few. */
export function overlapOf(one: ComparedSentence, other: ComparedSentence): number {
  let shared = 0
  for (const key of one.keys) if (other.keys.has(key)) shared++
  return shared < fewestShared ? 0 : shared / Math.min(one.keys.size, other.keys.size)
}

const fewestShared = 4
const alikeFrom = 0.6

/**
 * Whether two sentences say the same, by their words alone: `against` where they differ in a direction, a negation or a number, and
 * in what they speak of in nothing; `alike` where they differ in nothing that changes what is said.
 */
export function likenessOf(one: ComparedSentence, other: ComparedSentence): Likeness {
  const likeness = likenessOfWords(one, other)
  return likeness === 'against' && !isSameMatter(one.words, other.words) ? 'apart' : likeness
}

function likenessOfWords(one: ComparedSentence, other: ComparedSentence): Likeness {
  if (overlapOf(one, other) < alikeFrom) return 'apart'
  const { verdict, findings } = judge(one.words, other.words, groundOf(other.words))
  // A number that only one of them has makes it the more exact one, and no other.
  const isOpposed = findings.some(
    ({ kind, claim, source }) =>
      opposing.has(kind) && (kind !== 'number' || (claim.length > 0 && source.length > 0)),
  )
  if (verdict === 'altered') return isOpposed ? 'against' : 'apart'
  if (haveOpposites(one, other) || areDenied(one, other)) return 'against'
  if (negators(one).length !== negators(other).length) return 'apart'
  return numbersOf(one).every((key) => numbersOf(other).includes(key)) ? 'alike' : 'apart'
}

const opposing: ReadonlySet<string> = new Set(['number', 'negation', 'direction'])

/** "increases" in the one and "decreases" in the other, where neither has both. */
function haveOpposites(one: ComparedSentence, other: ComparedSentence): boolean {
  const lemmas = new Set(other.words.map(({ lemma }) => lemma))
  const own = new Set(one.words.map(({ lemma }) => lemma))
  return one.words.some(
    ({ lemma }) =>
      !lemmas.has(lemma) &&
      other.words.some((word) => !own.has(word.lemma) && areOpposite(lemma, word.lemma)),
  )
}

/** Whether one of two sentences denies what the other says. */
function areDenied(one: ComparedSentence, other: ComparedSentence): boolean {
  return (deniedIn(one, other) + deniedIn(other, one)) % 2 === 1
}

/** How often a sentence denies something that the other one speaks of: "without further data" says nothing of what has no data in it. */
function deniedIn({ words, keys }: ComparedSentence, other: ComparedSentence): number {
  return words.filter(({ kind }, index) => {
    if (kind !== 'negator' || words[index + 1]?.lemma === 'only') return false
    const denied = words.slice(index + 1).find(({ key }) => keys.has(key))
    return denied !== undefined && other.keys.has(denied.key)
  }).length
}

function negators({ words }: ComparedSentence): readonly Word[] {
  return words.filter(({ kind }) => kind === 'negator')
}

function numbersOf({ words }: ComparedSentence): readonly string[] {
  return words.flatMap(({ kind, key }) => (kind === 'number' ? [key] : []))
}

/** What stands in a sentence, where there is nothing else to look into. */
function groundOf(words: readonly Word[]): Ground {
  const keys = new Set(words.map(({ key }) => key))
  const isBefore = (word: Word, fits: (before: Word | undefined) => boolean) =>
    words.some(({ key }, index) => key === word.key && fits(words[index - 1]))
  return {
    hasNumber: (key) => keys.has(key),
    hasKey: (key) => keys.has(key),
    hasName: (lemma) =>
      words.some((word) => word.lemma === lemma && word.isCapital && !word.isFirst),
    follows: (word, before) => isBefore(word, (other) => other?.key === before.key),
    standsWithout: (word, before) => isBefore(word, (other) => other?.key !== before.key),
    isAbbreviation: () => false,
  }
}
