import { areOpposite } from '../language/opposites.ts'
import { fainter } from '../language/vocabulary.ts'
import type { Word } from '../language/words.ts'
import { type Altered, findPair, isTelling } from './alteration.ts'
import type { Change, Ground } from './differences.ts'
import { openingLength } from './differences.ts'
import { strengthAltered, termAltered } from './substitutions.ts'

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
