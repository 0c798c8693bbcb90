import { areOpposite, areOtherSteps, isCausal, isStronger } from '../language/antonyms.ts'
import { fainter, dropped, droppedPassive, functionWords } from '../language/vocabulary.ts'
import type { Word } from '../language/words.ts'
import { type Change, type Ground, openingLength } from './differences.ts'
import { areExclusive, narrowsPeople, type Term, termsIn } from '../language/exclusive-terms.ts'

/** What a change alters, beside the `others` that are open; `undefined` where that cannot be told. */
export function alterationOf(
  change: Change,
  ground: Ground,
  others: readonly Change[],
): Altered | undefined {
  const { claim, source } = change
  if (claim.length > longest || source.length > longest) return undefined
  return (
    numbersAltered(claim, source, ground) ??
    unitsAltered(claim, source) ??
    negationAltered(change) ??
    directionAltered(change) ??
    strengthAltered(change, others) ??
    termAltered(change, ground, others) ??
    namesAltered(claim, source, ground)
  )
}

/** A longer change is a rewording, in which no word stands for another. */
const longest = 6

function numbersAltered(
  claim: readonly Word[],
  source: readonly Word[],
  ground: Ground,
): Altered | undefined {
  const mine = onlyIn(claim, source, isNumber)
  const theirs = onlyIn(source, claim, isNumber)
  if (mine.length === 0) return undefined
  if (theirs.length > 0) return { kind: 'number', claim: mine, source: theirs }
  const isNew = mine.some(({ key, plain }) => plain !== 'one' && !ground.hasNumber(key))
  return isNew ? { kind: 'number', claim: mine, source: [] } : undefined
}

function unitsAltered(claim: readonly Word[], source: readonly Word[]): Altered | undefined {
  const mine = onlyIn(claim, source, isUnit)
  const theirs = onlyIn(source, claim, isUnit)
  return mine.length > 0 && theirs.length > 0
    ? { kind: 'unit', claim: mine, source: theirs }
    : undefined
}

function negationAltered(change: Change): Altered | undefined {
  const [claim, source] = [
    withoutOpening(change.claim, change),
    withoutOpening(change.source, change),
  ]
  const [mine, theirs] = [change.claim.filter(isNegator), change.source.filter(isNegator)]
  if (findPair(change, isOpposite) !== undefined) return undefined
  if (isNoneOfSome(claim, source)) return { kind: 'negation', claim, source }
  if (claim.filter(isTelling).length !== source.filter(isTelling).length) return undefined
  if ((mine.length + theirs.length) % 2 === 1)
    return { kind: 'negation', claim: mine, source: theirs }
  const pair = findPair(change, isDenial)
  return pair === undefined ? undefined : { kind: 'negation', ...pair }
}

/** The words behind an opening ("It was not found that"), whose own negation stays out of the count of words. */
function withoutOpening(words: readonly Word[], { at }: Change): readonly Word[] {
  return at === 'start' ? words.slice(openingLength(words)) : words
}

/** "strong evidence" for "no evidence" or the other way round; "little evidence" for "no evidence" is another matter. */
function isNoneOfSome(claim: readonly Word[], source: readonly Word[]): boolean {
  const [mine, theirs] = [claim[0], source[0]]
  if (mine === undefined || theirs === undefined || claim.length + source.length > 2) return false
  return [mine, theirs].some(
    (word, index) =>
      word.plain === 'no' &&
      [theirs, mine][index]?.kind === 'word' &&
      !fainter.has([theirs, mine][index]?.lemma ?? ''),
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

function directionAltered(change: Change): Altered | undefined {
  const pair = findPair(change, isOpposite)
  if (pair === undefined) return undefined
  const paired = [...pair.claim, ...pair.source]
  const isDenied = [...change.claim, ...change.source].some(
    (word) => isNegator(word) && !paired.includes(word),
  )
  return isDenied ? undefined : { kind: 'direction', ...pair }
}

const isOpposite = (a: Word, b: Word): boolean => areOpposite(a.lemma, b.lemma)

function namesAltered(
  claim: readonly Word[],
  source: readonly Word[],
  ground: Ground,
): Altered | undefined {
  if (![...claim, ...source].every((word) => word.isCapital || !isTelling(word))) return undefined
  const mine = onlyIn(claim, source, ({ kind, isCapital }) => kind === 'word' && isCapital)
  const theirs = onlyIn(source, claim, (word) => isName(word, ground))
  if (mine.length === 0 || theirs.length === 0) return undefined
  return { kind: 'name', claim: mine, source: theirs }
}

function isName(word: Word, ground: Ground): boolean {
  return (
    word.kind === 'word' &&
    word.isCapital &&
    (!word.isFirst ||
      ground.hasName(word.lemma) ||
      /\d|\p{Lu}.*\p{Lu}/u.test(word.sentence.slice(word.start, word.end)))
  )
}

const isNumber = ({ kind }: Word): boolean => kind === 'number'
const isUnit = ({ kind }: Word): boolean => kind === 'unit'
const isNegator = ({ kind }: Word): boolean => kind === 'negator'

function onlyIn(
  these: readonly Word[],
  others: readonly Word[],
  fits: (word: Word) => boolean,
): Word[] {
  return these.filter((word) => fits(word) && !others.some(({ key }) => key === word.key))
}

/** One thing for another of its class: "rats" for "mice"; or people narrowed down: "children" for "patients". */
function termAltered(
  change: Change,
  ground: Ground,
  others: readonly Change[],
): Altered | undefined {
  const [mine, theirs] = [termsIn(change.claim), termsIn(change.source)]
  if (isAllTerms(change.claim, mine) && isAllTerms(change.source, theirs)) {
    for (const one of mine) {
      const other = theirs.find((term) => areExclusive(one, term))
      if (other === undefined || theirs.some((term) => isSameTerm(one, term))) continue
      if (isMoved(one.words, others)) continue
      return { kind: 'term', claim: one.words, source: other.words }
    }
  }
  return peopleNarrowed(change, ground)
}

/** Whether the words that tell something are all part of a term. */
function isAllTerms(words: readonly Word[], terms: readonly Term[]): boolean {
  return words.every((word) => !isTelling(word) || terms.some((term) => term.words.includes(word)))
}

function isSameTerm(one: Term, other: Term): boolean {
  return one.words.map(({ key }) => key).join(' ') === other.words.map(({ key }) => key).join(' ')
}

function isMoved(words: readonly Word[], others: readonly Change[]): boolean {
  return words.every(({ lemma }) =>
    others.some(({ source }) => source.some((other) => other.lemma === lemma)),
  )
}

function peopleNarrowed(change: Change, ground: Ground): Altered | undefined {
  if (change.claim.filter(isTelling).length !== 1 || change.source.filter(isTelling).length !== 1)
    return undefined
  const pair = findPair(change, (mine, theirs) => narrowsPeople(mine.lemma, theirs.lemma))
  const isRead = pair?.claim.some(({ key }) => ground.hasKey(key)) ?? true
  return pair === undefined || isRead ? undefined : { kind: 'term', ...pair }
}

/** More or less, oftener or seldomer, surer than the source; or cause and effect where it has a tie. */
function strengthAltered(change: Change, others: readonly Change[]): Altered | undefined {
  const { claim, source } = change
  if ([...claim, ...source].some(({ kind }) => kind === 'negator')) return undefined
  const step = findPair(change, (mine, theirs) => areOtherSteps(mine.lemma, theirs.lemma))
  if (step !== undefined && !isMoved(step.claim, others)) return { kind: 'strength', ...step }
  return madeStronger(change) ?? hedgeDropped(change, others)
}

function madeStronger({ claim, source }: Change): Altered | undefined {
  if (claim.some(isHedge)) return undefined
  const pair = findPair({ claim, source }, (mine, theirs) => isStronger(mine.lemma, theirs.lemma))
  if (pair === undefined || source.some(({ lemma }) => isCausal(lemma))) return undefined
  return { kind: 'strength', ...pair }
}

/** "causes" for "may cause", where the claim hedges nowhere else. */
function hedgeDropped(
  { claim, source, next }: Change,
  others: readonly Change[],
): Altered | undefined {
  const rest = source.filter(({ lemma }) => !glue.has(lemma))
  if (claim.some(({ lemma }) => !glue.has(lemma)) || rest.length === 0) return undefined
  const isPassive = source.some(({ lemma }) => lemma === 'to')
  const isAble = next?.lemma === 'be' || source.some(({ lemma }) => lemma === 'be')
  const isDropped = rest.every(
    ({ lemma }) =>
      (lemma === 'could' ? !isAble : dropped.has(lemma)) ||
      (isPassive && droppedPassive.has(lemma)),
  )
  if (!isDropped || others.some((other) => other.claim.some(isHedge))) return undefined
  return { kind: 'strength', claim: [], source }
}

const glue: ReadonlySet<string> = new Set(['be', 'to', 'have'])

function isHedge({ lemma }: Word): boolean {
  return dropped.has(lemma) || droppedPassive.has(lemma) || lemma === 'could' || lemma === 'can'
}

/**
 * What a change alters; `term`: one thing for another of its class; `strength`: how much, how often, how surely, or a tie
 * made a cause; `role`: who does what to whom.
 */
export type Alteration =
  | 'number'
  | 'unit'
  | 'name'
  | 'term'
  | 'negation'
  | 'direction'
  | 'strength'
  | 'role'

/** The words of a claim and those of its source in which two differ. */
export interface Contrast {
  readonly claim: readonly Word[]
  readonly source: readonly Word[]
}

/** An alteration with the words that show it. */
interface Altered extends Contrast {
  readonly kind: Alteration
}

/** The first two words, one of each side, that `fits` holds for. */
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

/** Whether a word tells something by itself; an adverb ("not significantly") does not. */
export function isTelling({ kind, lemma, plain }: Word): boolean {
  return kind === 'word' && !functionWords.has(lemma) && !plain.endsWith('ly')
}
