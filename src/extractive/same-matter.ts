import { openingLength } from '../claims/check/differences.ts'
import { lemma } from '../claims/language/lemma.ts'
import { areOpposite } from '../claims/language/opposites.ts'
import { generalSubjects, reportingVerbs } from '../claims/language/vocabulary.ts'
import type { Word } from '../claims/language/words.ts'

/**
 * Whether two sentences that differ in a direction, a negation or a number speak of one measure of one subject, so that they cannot
 * both hold: all their other words are the same, and neither speaks of its own paper's work. Where that cannot be told it is not so.
 */
export function isSameMatter(one: readonly Word[], other: readonly Word[]): boolean {
  const [own, others] = [withoutOpening(one), withoutOpening(other)]
  if (isOfItsPaper(own) || isOfItsPaper(others)) return false
  if (!haveSameWords(own, others)) return false
  const numbers = [restOf(own, others), restOf(others, own)].map((rest) => rest.filter(isNumber))
  const most = Math.max(...numbers.map(({ length }) => length))
  return most === 0 || (most === 1 && ![...own, ...others].some(isGeneral))
}

/** The words behind an opening such as "We find that". */
function withoutOpening(words: readonly Word[]): readonly Word[] {
  const length = openingLength(words)
  const isReported = words.slice(0, length).some((word) => reportingVerbs.has(word.lemma))
  return isReported ? words.slice(length) : words
}

/** Whether no word is in one alone but numbers, what denies, and a word in each of which one turns the other round. */
function haveSameWords(one: readonly Word[], other: readonly Word[]): boolean {
  const [left, right] = [restOf(one, other).filter(isTelling), restOf(other, one).filter(isTelling)]
  if (left.length + right.length === 0) return true
  const [mine, theirs] = [left[0], right[0]]
  if (mine === undefined || theirs === undefined || left.length + right.length > 2) return false
  return isTurning(mine) && isTurning(theirs) && areOpposite(mine.lemma, theirs.lemma)
}

/** Whether a word says where something goes, and not of what is spoken: "small" and "large" data are two subjects. */
function isTurning(word: Word): boolean {
  return changes.some((change) => areOpposite(word.lemma, change)) || verdicts.has(word.lemma)
}

const changes = ['increase', 'decrease'].map(lemma)

const verdicts: ReadonlySet<string> = new Set(
  'better worse positive positively negative negatively benefit harm support oppose succeed fail'
    .split(' ')
    .map(lemma),
)

function restOf(words: readonly Word[], others: readonly Word[]): readonly Word[] {
  const keys = new Set(others.map(({ key }) => key))
  return words.filter(({ key }) => !keys.has(key))
}

function isNumber({ kind }: Word): boolean {
  return kind === 'number'
}

function isTelling(word: Word): boolean {
  return word.kind === 'unit' || (word.kind === 'word' && !bare.has(word.lemma))
}

const bare: ReadonlySet<string> = new Set(
  'be have do will of in on at to for from by with as and that which also'.split(' '),
)

/** What each paper has of its own: its model is not that of another one. */
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

/** Whether a sentence speaks of "our", "this" or "the" work, or of something that was named before it. */
function isOfItsPaper(words: readonly Word[]): boolean {
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

/** "This" and "the" are no words that are compared. */
function wordBefore({ sentence, start }: Word): string {
  return /\S+\s+$/.exec(sentence.slice(0, start))?.[0] ?? ''
}

/** "The", and no name between it and its noun. */
const definite = /\b(?:[Tt]he|[Ii]ts|[Tt]heir)\s+(?:[a-z-]+\s+){0,2}$/
