import { shortened } from '../language/abbreviations.ts'
import { tokensOf } from '../language/tokens.ts'
import { functionWords, anaphors, generalSubjects, linkVerbs } from '../language/vocabulary.ts'
import { type Word, wordsOf } from '../language/words.ts'
import type { Ground } from './differences.ts'
import { contrastOf, differenceOf, type Judgement, judge } from './judge.ts'
import type { Place, SourcePassage, SourceSentence } from './source-passage.ts'
import { isTelling } from './alterations.ts'

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

/** A claim that is the beginning of one sentence with the end of another, which says it of something else. */
interface Splice {
  /** What the claim is about. */
  readonly claim: readonly Word[]
  /** What the source says it of. */
  readonly source: readonly Word[]
  readonly sentences: readonly SourceSentence[]
}

/** The least that the end of the other sentence must have, its verb included. */
const shortestEnd = 3

/**
 * The splice that a claim is, `undefined` if it is none: its words are the first of one sentence and the last, from a verb
 * on, of another, whose own beginning names something else and does not point back ("This", "The …").
 */
function spliceOf(
  claim: readonly Word[],
  sentences: readonly SourceSentence[],
): Splice | undefined {
  const starts = sentences.map((sentence) => sharedStart(claim, sentence.words))
  const longest = Math.max(0, ...starts)
  const first = sentences[starts.indexOf(longest)]
  if (first === undefined || longest === 0) return undefined
  for (const second of sentences) {
    const end = second === first ? 0 : sharedEnd(claim, second.words)
    if (longest + end < claim.length) continue
    const at = verbIn(claim, Math.max(1, claim.length - end), longest)
    if (at === undefined || claim.length - at < shortestEnd) continue
    const [mine, theirs] = [
      claim.slice(0, at),
      second.words.slice(0, second.words.length - (claim.length - at)),
    ]
    if (first.words.length > at && areOtherSubjects(mine, theirs) && !pointsBack(second))
      return { claim: mine, source: theirs, sentences: [first, second] }
  }
  return undefined
}

function sharedStart(claim: readonly Word[], source: readonly Word[]): number {
  let count = 0
  while (count < claim.length && claim[count]?.key === source[count]?.key) count++
  return count
}

function sharedEnd(claim: readonly Word[], source: readonly Word[]): number {
  let count = 0
  while (count < claim.length && claim.at(-1 - count)?.key === source.at(-1 - count)?.key) count++
  return count
}

/** The last place from `from` to `to` at which a verb stands. */
function verbIn(claim: readonly Word[], from: number, to: number): number | undefined {
  for (let at = Math.min(to, claim.length - 1); at >= from; at--) {
    const word = claim[at] as Word
    if (linkVerbs.has(word.lemma) || /[^e]ed$/.test(word.plain)) return at
  }
  return undefined
}

function areOtherSubjects(mine: readonly Word[], theirs: readonly Word[]): boolean {
  const [own, others] = [mine.filter(isTelling), theirs.filter(isTelling)]
  if (own.length === 0 || !others.some(({ lemma }) => !generalSubjects.has(lemma))) return false
  if (theirs.some(({ lemma }) => anaphors.has(lemma))) return false
  return !others.some(({ key }) => own.some((word) => word.key === key))
}

function pointsBack({ passage, start }: SourceSentence): boolean {
  const [first = ''] = /^\p{L}+/u.exec(passage.read.text.slice(start, start + 24)) ?? []
  return anaphors.has(first.toLowerCase())
}
