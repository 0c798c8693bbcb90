import { areDifferentDegrees, areOpposite, isCausal, isStronger } from '../language/antonyms.ts'
import { areExclusive, findTerms, narrowsPeople, type Term } from '../language/exclusive-terms.ts'
import { functionWords } from '../language/function-words.ts'
import { numberWords } from '../language/quantities.ts'
import { anaphors, hedges, passiveHedges, weakQuantifiers } from '../language/vocabulary.ts'
import type { Word } from '../language/words.ts'
import { type Change, countOpeningWords, type SourceContext } from './differences.ts'

/** What a change alters, given the `others` that are open; `undefined` if that cannot be told. */
export function findAlteration(
  change: Change,
  context: SourceContext,
  others: readonly Change[],
): Alteration | undefined {
  const { claim, source } = change
  if (claim.length > maxChangeWords || source.length > maxChangeWords) return undefined
  return (
    findNumberAlteration(change, context) ??
    findUnitAlteration(claim, source) ??
    findNegationAlteration(change) ??
    findDirectionAlteration(change) ??
    findStrengthAlteration(change, others) ??
    findTermAlteration(change, context, others) ??
    findNameAlteration(claim, source, context)
  )
}

/** A longer change is a rewording, in which single words do not correspond. */
const maxChangeWords = 6

function findNumberAlteration(
  { claim, source, next }: Change,
  context: SourceContext,
): Alteration | undefined {
  const mine = selectOnlyIn(claim, source, isNumber).filter(
    (word) => !isOtherNotation(word, source) && !isStatedElsewhere(word, claim, next, context),
  )
  const theirs = selectOnlyIn(source, claim, isNumber)
  if (mine.length === 0) return undefined
  if (theirs.length > 0)
    return areAlternatives(mine, theirs)
      ? undefined
      : { kind: 'number', claim: mine, source: theirs }
  const isNew = mine.some(({ key, plain }) => plain !== 'one' && !context.hasNumber(key))
  return isNew ? { kind: 'number', claim: mine, source: [] } : undefined
}

/** "1,250" for "1, 250", "12,000" for "12k" and "280 million" for "280M". */
function isOtherNotation({ value }: Word, source: readonly Word[]): boolean {
  const [first, last] = [source[0], source.at(-1)]
  if (first === undefined || last === undefined || first.sentence !== last.sentence) return false
  const text = first.sentence.slice(first.start, last.end)
  const spaced = [...text.matchAll(/\b\d{1,3}(?:, \d{3})+\b/g)].map(
    ([found]) => [found, 1] as const,
  )
  const scaled = [...text.matchAll(/\b(\d[\d.]*)([kMB])\b/g)].map(
    ([, digits = '', letter = '']) => [digits, letterScales[letter] ?? 1] as const,
  )
  return [...spaced, ...scaled].some(
    ([digits, scale]) => Number(digits.replaceAll(', ', '')) * scale === value,
  )
}

const letterScales: Readonly<Record<string, number>> = { k: 1e3, M: 1e6, B: 1e9 }

/** Whether the passages count or measure this number of the same in another sentence: "891 seconds". */
function isStatedElsewhere(
  word: Word,
  claim: readonly Word[],
  next: Word | undefined,
  { follows }: SourceContext,
): boolean {
  return next?.kind === 'unit' && claim.at(-1) === word && follows(next, word)
}

const number = String.raw`(?:\d[\d.,]*|${[...numberWords.keys()].join('|')})`
const alternatives = new RegExp(
  String.raw`(?<![\p{L}\d])(${number})-?\s(?:or|and)\s(?:even\s|only\s|just\s)?(${number})(?![\p{L}\d])`,
  'giu',
)

/** "one- or two-shot" and "two or even one-shot": the same alternatives in another order. */
function areAlternatives([mine]: readonly Word[], [theirs]: readonly Word[]): boolean {
  const own = mine === undefined ? undefined : readAlternatives(mine)
  return own !== undefined && theirs !== undefined && own === readAlternatives(theirs)
}

/** The two numbers of which a number is one, sorted. */
function readAlternatives({ sentence, start, end }: Word): string | undefined {
  for (const { 0: text, 1: one = '', 2: other = '', index } of sentence.matchAll(alternatives))
    if (index <= start && end <= index + text.length)
      return [one, other].sort().join(' ').toLowerCase()
  return undefined
}

function findUnitAlteration(
  claim: readonly Word[],
  source: readonly Word[],
): Alteration | undefined {
  const mine = selectOnlyIn(claim, source, isUnit)
  const theirs = selectOnlyIn(source, claim, isUnit)
  return mine.length > 0 && theirs.length > 0
    ? { kind: 'unit', claim: mine, source: theirs }
    : undefined
}

function findNegationAlteration(change: Change): Alteration | undefined {
  const [claim, source] = [dropOpening(change.claim, change), dropOpening(change.source, change)]
  const [mine, theirs] = [change.claim.filter(isNegator), change.source.filter(isNegator)]
  if (findPair(change, isOpposite) !== undefined) return undefined
  if (isNoneOfSome(claim, source)) return { kind: 'negation', claim, source }
  if (claim.filter(isContentWord).length !== source.filter(isContentWord).length) return undefined
  if ((mine.length + theirs.length) % 2 === 1)
    return { kind: 'negation', claim: mine, source: theirs }
  const pair = findPair(change, isDenial)
  return pair === undefined ? undefined : { kind: 'negation', ...pair }
}

/** The words after an opening ("It was not found that"), whose own negation does not count. */
function dropOpening(words: readonly Word[], { at }: Change): readonly Word[] {
  return at === 'start' ? words.slice(countOpeningWords(words)) : words
}

/** "strong evidence" for "no evidence" or vice versa. "little evidence" for "no evidence" is not an alteration. */
function isNoneOfSome(claim: readonly Word[], source: readonly Word[]): boolean {
  const [mine, theirs] = [claim[0], source[0]]
  if (mine === undefined || theirs === undefined || claim.length + source.length > 2) return false
  return [mine, theirs].some(
    (word, index) =>
      word.plain === 'no' &&
      [theirs, mine][index]?.kind === 'word' &&
      !weakQuantifiers.has([theirs, mine][index]?.lemma ?? ''),
  )
}

function isDenial(one: Word, other: Word): boolean {
  return isPrefixed(one.plain, other.plain) || isPrefixed(other.plain, one.plain)
}

/** "independent" for "dependent". */
function isPrefixed(long: string, short: string): boolean {
  return (
    short.length > 4 &&
    long.endsWith(short) &&
    /^(?:un|in|im|il|ir|non|dis|de|ab|mis|anti)$/.test(long.slice(0, -short.length))
  )
}

function findDirectionAlteration(change: Change): Alteration | undefined {
  const pair = findPair(change, isOpposite)
  if (pair === undefined) return undefined
  const paired = [...pair.claim, ...pair.source]
  const isDenied = [...change.claim, ...change.source].some(
    (word) => isNegator(word) && !paired.includes(word),
  )
  return isDenied ? undefined : { kind: 'direction', ...pair }
}

const isOpposite = (a: Word, b: Word): boolean => areOpposite(a.lemma, b.lemma)

function findNameAlteration(
  claim: readonly Word[],
  source: readonly Word[],
  context: SourceContext,
): Alteration | undefined {
  if (![...claim, ...source].every((word) => word.isCapital || !isContentWord(word)))
    return undefined
  const mine = selectOnlyIn(claim, source, ({ kind, isCapital }) => kind === 'word' && isCapital)
  const theirs = selectOnlyIn(source, claim, (word) => isName(word, context))
  if (mine.length === 0 || theirs.length === 0) return undefined
  return { kind: 'name', claim: mine, source: theirs }
}

function isName(word: Word, context: SourceContext): boolean {
  return (
    word.kind === 'word' &&
    word.isCapital &&
    !anaphors.has(word.lemma) &&
    (!word.isFirst ||
      context.hasName(word.lemma) ||
      /\d|\p{Lu}.*\p{Lu}/u.test(word.sentence.slice(word.start, word.end)))
  )
}

const isNumber = ({ kind }: Word): boolean => kind === 'number'
const isUnit = ({ kind }: Word): boolean => kind === 'unit'
const isNegator = ({ kind }: Word): boolean => kind === 'negator'

function selectOnlyIn(
  these: readonly Word[],
  others: readonly Word[],
  fits: (word: Word) => boolean,
): Word[] {
  return these.filter((word) => fits(word) && !others.some(({ key }) => key === word.key))
}

/** One thing for another of its class ("rats" for "mice"), or people narrowed down ("children" for "patients"). */
function findTermAlteration(
  change: Change,
  context: SourceContext,
  others: readonly Change[],
): Alteration | undefined {
  const [mine, theirs] = [findTerms(change.claim), findTerms(change.source)]
  if (isAllTerms(change.claim, mine) && isAllTerms(change.source, theirs)) {
    for (const one of mine) {
      const other = theirs.find((term) => areExclusive(one, term))
      if (other === undefined || theirs.some((term) => isSameTerm(one, term))) continue
      if (isMoved(one.words, others)) continue
      return { kind: 'term', claim: one.words, source: other.words }
    }
  }
  return findNarrowedPeople(change, context)
}

/** Whether all content words are part of a term. */
function isAllTerms(words: readonly Word[], terms: readonly Term[]): boolean {
  return words.every(
    (word) => !isContentWord(word) || terms.some((term) => term.words.includes(word)),
  )
}

function isSameTerm(one: Term, other: Term): boolean {
  return one.words.map(({ key }) => key).join(' ') === other.words.map(({ key }) => key).join(' ')
}

function isMoved(words: readonly Word[], others: readonly Change[]): boolean {
  return words.every(({ lemma }) =>
    others.some(({ source }) => source.some((other) => other.lemma === lemma)),
  )
}

function findNarrowedPeople(change: Change, context: SourceContext): Alteration | undefined {
  if (
    change.claim.filter(isContentWord).length !== 1 ||
    change.source.filter(isContentWord).length !== 1
  )
    return undefined
  const pair = findPair(change, (mine, theirs) => narrowsPeople(mine.lemma, theirs.lemma))
  const isRead = pair?.claim.some(({ key }) => context.hasKey(key)) ?? true
  return pair === undefined || isRead ? undefined : { kind: 'term', ...pair }
}

/** More or less, more or less often, or more certain than the source; or a cause where the source has a correlation. */
function findStrengthAlteration(change: Change, others: readonly Change[]): Alteration | undefined {
  const { claim, source } = change
  if ([...claim, ...source].some(({ kind }) => kind === 'negator')) return undefined
  const step = findPair(
    change,
    (mine, theirs) =>
      areDifferentDegrees(mine.lemma, theirs.lemma) && isBound(mine) && isBound(theirs),
  )
  if (step !== undefined && !isMoved(step.claim, others)) return { kind: 'strength', ...step }
  return findStrengthening(change) ?? findDroppedHedge(change, others)
}

const numberNext = new RegExp(
  String.raw`^\s*(?:[$€£~]\s?)?(?:\d|\.\d|(?:an?|half|${[...numberWords.keys()].join('|')})\b)`,
  'i',
)

/** "over 20" is a bound, "a speedup over 20 systems" too, but not "a speedup over the interpreter". */
function isBound({ lemma, sentence, end }: Word): boolean {
  return !/^(?:over|under|above|below)$/.test(lemma) || numberNext.test(sentence.slice(end))
}

function findStrengthening({ claim, source }: Change): Alteration | undefined {
  if (claim.some(isHedge)) return undefined
  const pair = findPair({ claim, source }, (mine, theirs) => isStronger(mine.lemma, theirs.lemma))
  if (pair === undefined || source.some(({ lemma }) => isCausal(lemma))) return undefined
  return { kind: 'strength', ...pair }
}

/** "causes" for "may cause", if the claim has no hedge elsewhere. */
function findDroppedHedge(
  { claim, source, next }: Change,
  others: readonly Change[],
): Alteration | undefined {
  const rest = source.filter(({ lemma }) => !glueWords.has(lemma))
  if (claim.some(({ lemma }) => !glueWords.has(lemma)) || rest.length === 0) return undefined
  const isPassive = source.some(({ lemma }) => lemma === 'to')
  const isAble = next?.lemma === 'be' || source.some(({ lemma }) => lemma === 'be')
  const isDropped = rest.every(
    ({ lemma }) =>
      (lemma === 'could' ? !isAble : hedges.has(lemma)) || (isPassive && passiveHedges.has(lemma)),
  )
  if (!isDropped || others.some((other) => other.claim.some(isHedge))) return undefined
  return { kind: 'strength', claim: [], source }
}

const glueWords: ReadonlySet<string> = new Set(['be', 'to', 'have'])

function isHedge({ lemma }: Word): boolean {
  return hedges.has(lemma) || passiveHedges.has(lemma) || lemma === 'could' || lemma === 'can'
}

/**
 * What a change alters. `term`: one thing for another of its class; `strength`: degree, frequency, certainty, or a
 * correlation made a cause; `role`: who does what to whom.
 */
export type AlterationKind =
  | 'number'
  | 'unit'
  | 'name'
  | 'term'
  | 'negation'
  | 'direction'
  | 'strength'
  | 'role'

/** The words in which a claim and its source differ. */
export interface Contrast {
  readonly claim: readonly Word[]
  readonly source: readonly Word[]
}

/** An alteration with the words that show it. */
interface Alteration extends Contrast {
  readonly kind: AlterationKind
}

/** The first two words, one from each side, for which `fits` holds. */
function findPair(
  { claim, source }: Contrast,
  fits: (mine: Word, theirs: Word) => boolean,
): Contrast | undefined {
  for (const mine of claim) {
    const theirs = source.find((word) => fits(mine, word))
    if (theirs !== undefined) return { claim: [mine], source: [theirs] }
  }
  return undefined
}

/** Whether a word carries meaning on its own; adverbs do not ("not significantly"). */
export function isContentWord({ kind, lemma, plain }: Word): boolean {
  return kind === 'word' && !functionWords.has(lemma) && !plain.endsWith('ly')
}
