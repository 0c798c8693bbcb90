import { applyAbbreviations } from '../language/abbreviations.ts'
import { tokenize } from '../language/tokens.ts'
import { anaphors, functionWords, generalSubjects, linkVerbs } from '../language/vocabulary.ts'
import { parseWords, type Word } from '../language/words.ts'
import { isContentWord } from './alterations.ts'
import type { SourceContext } from './differences.ts'
import { compareWords, describeContrast, describeDifferences, type Judgement } from './judge.ts'
import type { PassageSpan, SourcePassage, SourceSentence } from './source-passage.ts'

/** What comparing a statement with the one or two sentences that come closest to it shows. */
export interface ClosestComparison {
  readonly verdict: Judgement['verdict']
  /** The words that differ. */
  readonly difference: string
  /** Whether the sentences say something of the same thing at all. */
  readonly isNear: boolean
  /** The share of the statement's words that stand there in the same order, 0 to 1. */
  readonly closeness: number
  readonly places: readonly PassageSpan[]
}

/** How many sentences are tried alone, and how many beside the best one. */
const maxSingles = 3
const maxPartners = 3
/** How much closer two sentences must be than one to be taken. */
const pairMargin = 0.15
/** A longer statement is not compared: the table of its words would be too large. */
const maxStatementWords = 300
/** What follows in a text without sentences (a table) is not compared; the costs of more would not fit into 16 bits. */
const maxSentenceWords = 4000
/** The least share of the statement's telling words that one sentence, or all that was read, must have to be near. */
const minSentenceShare = 0.2
const minPassagesShare = 0.34
/** How many of its telling words, by their first letters, are enough whatever their share is: more is a free rewording. */
const minSharedStems = 2
const stemLength = 5

/** The statement beside the one or two sentences that come closest to it; `undefined` where none shares a telling word with it. */
export function compareWithClosest(
  statement: string,
  passages: readonly SourcePassage[],
): ClosestComparison | undefined {
  const words = applyAbbreviations(
    parseWords(statement, tokenize(statement)),
    passages.flatMap(({ abbreviations }) => abbreviations),
  )
  const telling = new Set(
    words.filter(({ lemma }) => !functionWords.has(lemma)).map(({ key }) => key),
  )
  const ranked = rankSentences(telling, passages)
  const [top] = ranked
  if (top === undefined || words.length > maxStatementWords) return undefined
  const everywhere = [...telling].filter((key) =>
    passages.some(({ sentences }) => sentences.some(({ keys }) => keys.has(key))),
  )
  const isNear =
    top.share >= minSentenceShare ||
    everywhere.length >= minPassagesShare * telling.size ||
    countSharedStems(telling, passages) >= minSharedStems
  const { judgement, sentences } = findClosest(
    words,
    telling,
    ranked.map(({ sentence }) => sentence),
    toSourceContext(passages),
  )
  const splice =
    judgement.verdict === 'unchecked'
      ? findSplice(
          words,
          ranked.map(({ sentence }) => sentence),
        )
      : undefined
  if (splice !== undefined)
    return {
      verdict: 'altered',
      difference: describeContrast(splice),
      isNear,
      closeness: judgement.closeness,
      places: splice.sentences,
    }
  return {
    verdict: judgement.verdict,
    difference: describeDifferences(judgement),
    isNear,
    closeness: judgement.closeness,
    places: sentences,
  }
}

/** How many telling words start like a word that was read: "regulate" like "regulation". */
function countSharedStems(
  telling: ReadonlySet<string>,
  passages: readonly SourcePassage[],
): number {
  const read = new Set<string>()
  for (const { sentences } of passages)
    for (const { keys } of sentences) for (const key of keys) read.add(key.slice(0, stemLength))
  return [...telling].filter((key) => read.has(key.slice(0, stemLength))).length
}

interface Comparison {
  readonly judgement: Judgement
  readonly sentences: readonly SourceSentence[]
}

function findClosest(
  words: readonly Word[],
  telling: ReadonlySet<string>,
  ranked: readonly SourceSentence[],
  ground: SourceContext,
): Comparison {
  const beside = (sentences: readonly SourceSentence[]): Comparison => ({
    judgement: compareWords(
      words,
      sentences.flatMap((sentence) => sentence.words.slice(0, maxSentenceWords)),
      ground,
    ),
    sentences,
  })
  const one = pickBest(ranked.slice(0, maxSingles).map((sentence) => beside([sentence])))
  if (one.judgement.verdict === 'supported') return one
  const isAltered = one.judgement.verdict === 'altered'
  const [first] = one.sentences as [SourceSentence]
  const missing = [...telling].filter((key) => !first.keys.has(key))
  const others = ranked
    .filter((sentence) => missing.some((key) => sentence.keys.has(key)))
    .slice(0, maxPartners)
  if (others.length === 0) return one
  const two = pickBest(others.flatMap((other) => [beside([first, other]), beside([other, first])]))
  const isBetter =
    two.judgement.verdict === 'supported' ||
    (!isAltered && two.judgement.closeness > one.judgement.closeness + pairMargin)
  return isBetter ? two : one
}

function pickBest(comparisons: readonly Comparison[]): Comparison {
  const worth = ({ judgement }: Comparison): number =>
    judgement.closeness + (judgement.verdict === 'supported' ? 1 : 0)
  return comparisons.reduce((one, other) => (worth(other) > worth(one) ? other : one))
}

/** The sentences that share a telling word with the statement, those with the largest share first. */
function rankSentences(
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

function toSourceContext(passages: readonly SourcePassage[]): SourceContext {
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
const minEndWords = 3

/**
 * The splice that a claim is, `undefined` if it is none: its words are the first of one sentence and the last, from a verb
 * on, of another, whose own beginning names something else and does not point back ("This", "The …").
 */
function findSplice(
  claim: readonly Word[],
  sentences: readonly SourceSentence[],
): Splice | undefined {
  const starts = sentences.map((sentence) => countSharedStart(claim, sentence.words))
  const longest = Math.max(0, ...starts)
  const first = sentences[starts.indexOf(longest)]
  if (first === undefined || longest === 0) return undefined
  for (const second of sentences) {
    const end = second === first ? 0 : countSharedEnd(claim, second.words)
    if (longest + end < claim.length) continue
    const at = findVerb(claim, Math.max(1, claim.length - end), longest)
    if (at === undefined || claim.length - at < minEndWords) continue
    const [mine, theirs] = [
      claim.slice(0, at),
      second.words.slice(0, second.words.length - (claim.length - at)),
    ]
    if (first.words.length > at && haveOtherSubjects(mine, theirs) && !refersBack(second))
      return { claim: mine, source: theirs, sentences: [first, second] }
  }
  return undefined
}

function countSharedStart(claim: readonly Word[], source: readonly Word[]): number {
  let count = 0
  while (count < claim.length && claim[count]?.key === source[count]?.key) count++
  return count
}

function countSharedEnd(claim: readonly Word[], source: readonly Word[]): number {
  let count = 0
  while (count < claim.length && claim.at(-1 - count)?.key === source.at(-1 - count)?.key) count++
  return count
}

/** The last place from `from` to `to` at which a verb stands. */
function findVerb(claim: readonly Word[], from: number, to: number): number | undefined {
  for (let at = Math.min(to, claim.length - 1); at >= from; at--) {
    const word = claim[at] as Word
    if (linkVerbs.has(word.lemma) || /[^e]ed$/.test(word.plain)) return at
  }
  return undefined
}

function haveOtherSubjects(mine: readonly Word[], theirs: readonly Word[]): boolean {
  const [own, others] = [mine.filter(isContentWord), theirs.filter(isContentWord)]
  if (own.length === 0 || !others.some(({ lemma }) => !generalSubjects.has(lemma))) return false
  if (theirs.some(({ lemma }) => anaphors.has(lemma))) return false
  return !others.some(({ key }) => own.some((word) => word.key === key))
}

function refersBack({ passage, start }: SourceSentence): boolean {
  const [first = ''] = /^\p{L}+/u.exec(passage.read.text.slice(start, start + 24)) ?? []
  return anaphors.has(first.toLowerCase())
}
