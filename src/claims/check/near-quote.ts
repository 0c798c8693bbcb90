import { shortened } from '../language/abbreviations.ts'
import { tokensOf } from '../language/tokens.ts'
import { functionWords } from '../language/vocabulary.ts'
import { type Word, wordsOf } from '../language/words.ts'
import type { Ground } from './differences.ts'
import { contrastOf, differenceOf, type Judgement, judge } from './judge.ts'
import type { Place, SourcePassage, SourceSentence } from './source-text.ts'
import { spliceOf } from './splice.ts'

/** What comparing a statement with the one or two sentences that come closest to it shows. */
export interface NearQuote {
  readonly verdict: Judgement['verdict']
  /** The words that differ. */
  readonly difference: string
  /** Whether the sentences say something of the same thing at all. */
  readonly isNear: boolean
  /** The share of the statement's words that stand there in the same order, 0 to 1. */
  readonly closeness: number
  readonly places: readonly Place[]
}

/** How many sentences are tried alone, and how many beside the best one. */
const singles = 3
const partners = 3
/** How much closer two sentences must be than one to be taken. */
const pairMargin = 0.15
/** A longer statement is not compared: the table of its words would be too large. */
const longestWords = 300
/** What follows in a text without sentences (a table) is not compared; the costs of more would not fit into 16 bits. */
const longestSentence = 4000
/** The least share of the statement's telling words that one sentence, or all that was read, must have to be near. */
const nearSentence = 0.2
const nearPassages = 0.34
/** How many of its telling words, by their first letters, are enough whatever their share is: more is a free rewording. */
const nearStems = 2
const stemLength = 5

/** The statement beside the one or two sentences that come closest to it; `undefined` where none shares a telling word with it. */
export function nearQuote(
  statement: string,
  passages: readonly SourcePassage[],
): NearQuote | undefined {
  const words = shortened(
    wordsOf(statement, tokensOf(statement)),
    passages.flatMap(({ abbreviations }) => abbreviations),
  )
  const telling = new Set(
    words.filter(({ lemma }) => !functionWords.has(lemma)).map(({ key }) => key),
  )
  const ranked = rank(telling, passages)
  const [top] = ranked
  if (top === undefined || words.length > longestWords) return undefined
  const everywhere = [...telling].filter((key) =>
    passages.some(({ sentences }) => sentences.some(({ keys }) => keys.has(key))),
  )
  const isNear =
    top.share >= nearSentence ||
    everywhere.length >= nearPassages * telling.size ||
    sharedStems(telling, passages) >= nearStems
  const { judgement, sentences } = closest(
    words,
    telling,
    ranked.map(({ sentence }) => sentence),
    groundOf(passages),
  )
  const splice =
    judgement.verdict === 'unchecked'
      ? spliceOf(
          words,
          ranked.map(({ sentence }) => sentence),
        )
      : undefined
  if (splice !== undefined)
    return {
      verdict: 'altered',
      difference: contrastOf(splice),
      isNear,
      closeness: judgement.closeness,
      places: splice.sentences,
    }
  return {
    verdict: judgement.verdict,
    difference: differenceOf(judgement),
    isNear,
    closeness: judgement.closeness,
    places: sentences,
  }
}

/** How many telling words start like a word that was read: "regulate" like "regulation". */
function sharedStems(telling: ReadonlySet<string>, passages: readonly SourcePassage[]): number {
  const read = new Set<string>()
  for (const { sentences } of passages)
    for (const { keys } of sentences) for (const key of keys) read.add(key.slice(0, stemLength))
  return [...telling].filter((key) => read.has(key.slice(0, stemLength))).length
}

interface Comparison {
  readonly judgement: Judgement
  readonly sentences: readonly SourceSentence[]
}

function closest(
  words: readonly Word[],
  telling: ReadonlySet<string>,
  ranked: readonly SourceSentence[],
  ground: Ground,
): Comparison {
  const beside = (sentences: readonly SourceSentence[]): Comparison => ({
    judgement: judge(
      words,
      sentences.flatMap((sentence) => sentence.words.slice(0, longestSentence)),
      ground,
    ),
    sentences,
  })
  const one = best(ranked.slice(0, singles).map((sentence) => beside([sentence])))
  if (one.judgement.verdict === 'supported') return one
  const isAltered = one.judgement.verdict === 'altered'
  const [first] = one.sentences as [SourceSentence]
  const missing = [...telling].filter((key) => !first.keys.has(key))
  const others = ranked
    .filter((sentence) => missing.some((key) => sentence.keys.has(key)))
    .slice(0, partners)
  if (others.length === 0) return one
  const two = best(others.flatMap((other) => [beside([first, other]), beside([other, first])]))
  const isBetter =
    two.judgement.verdict === 'supported' ||
    (!isAltered && two.judgement.closeness > one.judgement.closeness + pairMargin)
  return isBetter ? two : one
}

function best(comparisons: readonly Comparison[]): Comparison {
  const worth = ({ judgement }: Comparison): number =>
    judgement.closeness + (judgement.verdict === 'supported' ? 1 : 0)
  return comparisons.reduce((one, other) => (worth(other) > worth(one) ? other : one))
}

/** The sentences that share a telling word with the statement, those with the largest share first. */
function rank(
  telling: ReadonlySet<string>,
  passages: readonly SourcePassage[],
): { sentence: SourceSentence; share: number }[] {
  const ranked: { sentence: SourceSentence; share: number }[] = []
  for (const { sentences } of passages) {
    for (const sentence of sentences) {
      let shared = 0
      for (const key of telling) if (sentence.keys.has(key)) shared++
      if (shared > 0) ranked.push({ sentence, share: shared / telling.size })
    }
  }
  return ranked.sort((one, other) => other.share - one.share)
}

function groundOf(passages: readonly SourcePassage[]): Ground {
  const sentences = passages.flatMap((passage) => passage.sentences)
  const someBefore = (word: Word, fits: (before: Word | undefined) => boolean): boolean =>
    sentences.some(
      ({ keys, words }) =>
        keys.has(word.key) &&
        words.some(({ key }, index) => key === word.key && fits(words[index - 1])),
    )
  const hasKey = (key: string): boolean => sentences.some(({ keys }) => keys.has(key))
  return {
    hasNumber: hasKey,
    hasKey,
    hasName: (lemma) => passages.some(({ names }) => names.has(lemma)),
    follows: (word, before) => someBefore(word, (other) => other?.key === before.key),
    isAbbreviation: (short, long) =>
      passages.some(({ abbreviations }) =>
        abbreviations.some((one) => one.short === short && one.long.join(' ') === long.join(' ')),
      ),
    standsWithout: (word, before) => someBefore(word, (other) => other?.key !== before.key),
  }
}
