import { applyAbbreviations } from '../language/abbreviations.ts'
import { functionWords } from '../language/function-words.ts'
import { mayBeEnglish } from '../language/languages.ts'
import { tokenize } from '../language/tokens.ts'
import { anaphors, generalSubjects, linkVerbs } from '../language/vocabulary.ts'
import { parseWords, type Word } from '../language/words.ts'
import { isContentWord } from './alterations.ts'
import type { SourceContext } from './differences.ts'
import { compareWords, describeContrast, describeDifferences, type Judgement } from './judge.ts'
import type { PassageSpan, SourcePassage, SourceSentence } from './source-passage.ts'

/** How a statement compares with the one or two sentences closest to it. */
export interface ClosestComparison {
  readonly verdict: Judgement['verdict']
  /** Whether a number or a unit differs. */
  readonly isNumeric: boolean
  /** The words that differ, for people. */
  readonly difference: string
  /** Whether the sentences are about the same thing at all. */
  readonly isNear: boolean
  /** The share of the statement's words that the sentences have in the same order, 0 to 1. */
  readonly closeness: number
  readonly places: readonly PassageSpan[]
}

/** How many sentences are tried alone, and how many together with the best one. */
const maxSingles = 3
const maxPartners = 3
/** How much closer two sentences must be than one. */
const pairMargin = 0.15
/** Longer statements are not compared: the alignment table would be too large. */
const maxStatementWords = 300
/** Words beyond this in a text without sentences (a table) are not compared; their costs would not fit into 16 bits. */
const maxSentenceWords = 4000
/** The minimum share of the statement's content words that one sentence, or all passages together, must have to be near. */
const minSentenceShare = 0.2
const minPassagesShare = 0.34
/** This many content words with a common beginning are enough, whatever their share: the claim may be a free rewording. */
const minSharedStems = 2
const stemLength = 5

/** Compares a statement with the one or two sentences closest to it; `undefined` if none shares a content word with it. */
export function compareWithClosest(
  statement: string,
  passages: readonly SourcePassage[],
): ClosestComparison | undefined {
  const words = applyAbbreviations(
    parseWords(statement, tokenize(statement)),
    passages.flatMap(({ abbreviations }) => abbreviations),
  )
  const isEnglish = mayBeEnglish(statement)
  const contentKeys = new Set(
    words.filter(({ lemma }) => !functionWords.has(lemma)).map(({ key }) => key),
  )
  const ranked = rankSentences(contentKeys, passages)
  const [top] = ranked
  if (top === undefined || words.length > maxStatementWords) return undefined
  const everywhere = [...contentKeys].filter((key) =>
    passages.some(({ sentences }) => sentences.some(({ keys }) => keys.has(key))),
  )
  const isNear =
    top.share >= minSentenceShare ||
    everywhere.length >= minPassagesShare * contentKeys.size ||
    countSharedStems(contentKeys, passages) >= minSharedStems
  const { judgement, sentences } = findClosest(
    words,
    contentKeys,
    ranked.map(({ sentence }) => sentence),
    { ...toSourceContext(passages), isEnglish },
  )
  const splice =
    isEnglish && judgement.verdict === 'unchecked'
      ? findSplice(
          words,
          ranked.map(({ sentence }) => sentence),
        )
      : undefined
  if (splice !== undefined)
    return {
      verdict: 'altered',
      isNumeric: false,
      difference: describeContrast(splice),
      isNear,
      closeness: judgement.closeness,
      places: splice.sentences,
    }
  return {
    verdict: judgement.verdict,
    isNumeric: judgement.findings.some(({ kind }) => kind === 'number' || kind === 'unit'),
    difference: describeDifferences(judgement),
    isNear,
    closeness: judgement.closeness,
    places: sentences,
  }
}

/** How many content words begin like a word that was read: "regulate" like "regulation". */
function countSharedStems(
  contentKeys: ReadonlySet<string>,
  passages: readonly SourcePassage[],
): number {
  const read = new Set<string>()
  for (const { sentences } of passages)
    for (const { keys } of sentences) for (const key of keys) read.add(key.slice(0, stemLength))
  return [...contentKeys].filter((key) => read.has(key.slice(0, stemLength))).length
}

interface Comparison {
  readonly judgement: Judgement
  readonly sentences: readonly SourceSentence[]
}

function findClosest(
  words: readonly Word[],
  contentKeys: ReadonlySet<string>,
  ranked: readonly SourceSentence[],
  context: SourceContext,
): Comparison {
  const compareTo = (sentences: readonly SourceSentence[]): Comparison => ({
    judgement: compareWords(
      words,
      sentences.flatMap((sentence) => sentence.words.slice(0, maxSentenceWords)),
      context,
    ),
    sentences,
  })
  const one = pickBest(ranked.slice(0, maxSingles).map((sentence) => compareTo([sentence])))
  if (one.judgement.verdict === 'supported') return one
  const isAltered = one.judgement.verdict === 'altered'
  const [first] = one.sentences as [SourceSentence]
  const missing = [...contentKeys].filter((key) => !first.keys.has(key))
  const others = ranked
    .filter((sentence) => missing.some((key) => sentence.keys.has(key)))
    .slice(0, maxPartners)
  if (others.length === 0) return one
  const two = pickBest(
    others.flatMap((other) => [compareTo([first, other]), compareTo([other, first])]),
  )
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

/** The sentences that share a content word with the statement, those with the largest share first. */
function rankSentences(
  contentKeys: ReadonlySet<string>,
  passages: readonly SourcePassage[],
): { sentence: SourceSentence; share: number }[] {
  const ranked: { sentence: SourceSentence; share: number }[] = []
  for (const { sentences } of passages) {
    for (const sentence of sentences) {
      let shared = 0
      for (const key of contentKeys) if (sentence.keys.has(key)) shared++
      if (shared > 0) ranked.push({ sentence, share: shared / contentKeys.size })
    }
  }
  return ranked.sort((one, other) => other.share - one.share)
}

function toSourceContext(passages: readonly SourcePassage[]): Omit<SourceContext, 'isEnglish'> {
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

/** A claim that joins the beginning of one sentence with the end of another that has a different subject. */
interface Splice {
  /** The subject of the claim. */
  readonly claim: readonly Word[]
  /** The subject in the source. */
  readonly source: readonly Word[]
  readonly sentences: readonly SourceSentence[]
}

/** The minimum number of words from the other sentence, including its verb. */
const minEndWords = 3

/**
 * Detects a splice: the claim's words are the first of one sentence and, from a verb on, the last of another that has
 * another subject and does not refer back ("This", "The …").
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

/** The last position between `from` and `to` that has a verb. */
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
