import { countOpeningWords, type SourceContext } from '../../claims/check/differences.ts'
import { compareWords } from '../../claims/check/judge.ts'
import { areOpposite } from '../../claims/language/antonyms.ts'
import { functionWords } from '../../claims/language/function-words.ts'
import { mayBeEnglish } from '../../claims/language/languages.ts'
import { lemma } from '../../claims/language/lemma.ts'
import { tokenize } from '../../claims/language/tokens.ts'
import { generalSubjects, reportingVerbs } from '../../claims/language/vocabulary.ts'
import { parseWords, type Word } from '../../claims/language/words.ts'

/** A sentence prepared for comparison. */
export interface ComparedSentence {
  readonly words: readonly Word[]
  /** The keys of its content words and units; numbers are left out. */
  readonly keys: ReadonlySet<string>
}

/** How two sentences from different papers relate. */
export type SentenceRelation = 'agree' | 'contradict' | 'unrelated'

/** Prepares a sentence for comparison. */
export function toComparedSentence(text: string): ComparedSentence {
  const words = parseWords(text, tokenize(text))
  const contentWords = words.filter(
    ({ kind, lemma }) =>
      kind === 'unit' || (kind === 'word' && !functionWords.has(lemma) && lemma.length > 2),
  )
  return { words, keys: new Set(contentWords.map(({ key }) => key)) }
}

/** The share of the shorter sentence's content words that both have, 0 to 1; 0 if they share too few. */
export function measureOverlap(one: ComparedSentence, other: ComparedSentence): number {
  let shared = 0
  for (const key of one.keys) if (other.keys.has(key)) shared++
  return shared < minSharedKeys ? 0 : shared / Math.min(one.keys.size, other.keys.size)
}

const minSharedKeys = 4
const minOverlap = 0.6

/**
 * How two sentences relate, by their words alone: they contradict if they differ only in a direction, a
 * negation or a number; they agree if nothing differs that changes the meaning.
 */
export function compareSentences(one: ComparedSentence, other: ComparedSentence): SentenceRelation {
  const relation = relateWords(one, other)
  return relation === 'contradict' && !isComparable(one.words, other.words) ? 'unrelated' : relation
}

function relateWords(one: ComparedSentence, other: ComparedSentence): SentenceRelation {
  if (measureOverlap(one, other) < minOverlap) return 'unrelated'
  const { verdict, findings } = compareWords(one.words, other.words, toSourceContext(other.words))
  // A number in only one of them makes that one more precise, not different.
  const isOpposed = findings.some(
    ({ kind, claim, source }) =>
      opposing.has(kind) && (kind !== 'number' || (claim.length > 0 && source.length > 0)),
  )
  if (verdict === 'altered') return isOpposed ? 'contradict' : 'unrelated'
  if (haveOpposites(one, other) || areDenied(one, other)) return 'contradict'
  if (findNegators(one).length !== findNegators(other).length) return 'unrelated'
  return numberKeys(one).every((key) => numberKeys(other).includes(key)) ? 'agree' : 'unrelated'
}

const opposing: ReadonlySet<string> = new Set(['number', 'negation', 'direction'])

/** "increases" in one and "decreases" in the other, neither having both. */
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
  return (countDenied(one, other) + countDenied(other, one)) % 2 === 1
}

/**
 * How often a sentence denies something that the other mentions: "without further data" does not concern a
 * sentence without data.
 */
function countDenied({ words, keys }: ComparedSentence, other: ComparedSentence): number {
  return words.filter(({ kind }, index) => {
    if (kind !== 'negator' || words[index + 1]?.lemma === 'only') return false
    const denied = words.slice(index + 1).find(({ key }) => keys.has(key))
    return denied !== undefined && other.keys.has(denied.key)
  }).length
}

function findNegators({ words }: ComparedSentence): readonly Word[] {
  return words.filter(({ kind }) => kind === 'negator')
}

function numberKeys({ words }: ComparedSentence): readonly string[] {
  return words.flatMap(({ kind, key }) => (kind === 'number' ? [key] : []))
}

/** A sentence as the only source context. */
function toSourceContext(words: readonly Word[]): SourceContext {
  const keys = new Set(words.map(({ key }) => key))
  const isBefore = (word: Word, fits: (before: Word | undefined) => boolean) =>
    words.some(({ key }, index) => key === word.key && fits(words[index - 1]))
  return {
    isEnglish: mayBeEnglish(words[0]?.sentence ?? ''),
    hasNumber: (key) => keys.has(key),
    hasKey: (key) => keys.has(key),
    hasName: (lemma) =>
      words.some((word) => word.lemma === lemma && word.isCapital && !word.isFirst),
    follows: (word, before) => isBefore(word, (other) => other?.key === before.key),
    standsWithout: (word, before) => isBefore(word, (other) => other?.key !== before.key),
    isAbbreviation: () => false,
  }
}

/**
 * Whether two sentences that differ in a direction, a negation or a number are about the same measure of the
 * same subject, so that both cannot be true: all their other words are the same, and neither is about its own
 * paper's work. `false` if that cannot be told.
 */
function isComparable(one: readonly Word[], other: readonly Word[]): boolean {
  const [own, others] = [dropReportingOpening(one), dropReportingOpening(other)]
  if (refersToOwnPaper(own) || refersToOwnPaper(others)) return false
  if (!haveSameWords(own, others)) return false
  const numbers = [wordsOnlyIn(own, others), wordsOnlyIn(others, own)].map((rest) =>
    rest.filter(isNumber),
  )
  const most = Math.max(...numbers.map(({ length }) => length))
  return most === 0 || (most === 1 && ![...own, ...others].some(isGeneral))
}

/** The words after an opening such as "We find that". */
function dropReportingOpening(words: readonly Word[]): readonly Word[] {
  const length = countOpeningWords(words)
  const isReported = words.slice(0, length).some((word) => reportingVerbs.has(word.lemma))
  return isReported ? words.slice(length) : words
}

/** Whether the sentences differ only in numbers, negations and one pair of opposites. */
function haveSameWords(one: readonly Word[], other: readonly Word[]): boolean {
  const [left, right] = [
    wordsOnlyIn(one, other).filter(isContentWord),
    wordsOnlyIn(other, one).filter(isContentWord),
  ]
  if (left.length + right.length === 0) return true
  const [mine, theirs] = [left[0], right[0]]
  if (mine === undefined || theirs === undefined || left.length + right.length > 2) return false
  return isDirectional(mine) && isDirectional(theirs) && areOpposite(mine.lemma, theirs.lemma)
}

/** Whether a word gives a direction rather than a subject: "small" and "large" data are two subjects. */
function isDirectional(word: Word): boolean {
  return changes.some((change) => areOpposite(word.lemma, change)) || verdicts.has(word.lemma)
}

const changes = ['increase', 'decrease'].map(lemma)

const verdicts: ReadonlySet<string> = new Set(
  'better worse positive positively negative negatively benefit harm support oppose succeed fail'
    .split(' ')
    .map(lemma),
)

function wordsOnlyIn(words: readonly Word[], others: readonly Word[]): readonly Word[] {
  const keys = new Set(others.map(({ key }) => key))
  return words.filter(({ key }) => !keys.has(key))
}

function isNumber({ kind }: Word): boolean {
  return kind === 'number'
}

function isContentWord(word: Word): boolean {
  return word.kind === 'unit' || (word.kind === 'word' && !lightWords.has(word.lemma))
}

const lightWords: ReadonlySet<string> = new Set(
  'be have do will of in on at to for from by with as and that which also'.split(' '),
)

/** What every paper has of its own: one paper's model is not another's. */
const ownThings: ReadonlySet<string> = new Set(
  (
    'model method approach network system algorithm framework architecture technique protocol training experiment data dataset ' +
    'data-set corpus study survey paper work review result test trial evaluation baseline benchmark task sample cohort group ' +
    'population respondent user'
  )
    .split(' ')
    .map(lemma),
)

function isGeneral(word: Word): boolean {
  return ownThings.has(word.lemma) || generalSubjects.has(word.lemma)
}

/** Whether a sentence is about "our", "this" or "the" work, or something named before it. */
function refersToOwnPaper(words: readonly Word[]): boolean {
  const [first] = words
  if (first === undefined) return true
  const text = `${wordBefore(first)}${first.sentence.slice(first.start)}`
  if (
    /^(?:it|they|he|she|its|their)\b/i.test(text) ||
    /\b(?:we|us|ours?|my|this|these|here)\b/i.test(text)
  )
    return true
  return words.some((word) => isGeneral(word) && definite.test(word.sentence.slice(0, word.start)))
}

/** The word before, which may be one that is not compared, such as "this" or "the". */
function wordBefore({ sentence, start }: Word): string {
  return /\S+\s+$/.exec(sentence.slice(0, start))?.[0] ?? ''
}

/** "The", and no name between it and its noun. */
const definite = /\b(?:[Tt]he|[Ii]ts|[Tt]heir)\s+(?:[a-z-]+\s+){0,2}$/
