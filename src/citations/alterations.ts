import type { Change, Ground } from './differences.ts'
import { functionWords, poles } from './vocabulary.ts'
import type { Word } from './words.ts'

/** What a change alters; `role`: who does what to whom. */
export type Alteration = 'number' | 'unit' | 'name' | 'negation' | 'direction' | 'role'

/** An alteration with the words that show it. */
export interface Altered {
  readonly kind: Alteration
  readonly claim: readonly Word[]
  readonly source: readonly Word[]
}

/** What a change alters; `undefined` where that cannot be told. */
export function alterationOf(change: Change, ground: Ground): Altered | undefined {
  const { claim, source } = change
  if (claim.length > longest || source.length > longest) return undefined
  return (
    numbersAltered(claim, source, ground) ??
    unitsAltered(claim, source) ??
    negationAltered(change) ??
    directionAltered(change) ??
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

function negationAltered({ claim, source }: Change): Altered | undefined {
  const [mine, theirs] = [claim.filter(isNegator), source.filter(isNegator)]
  const isReworded = claim.filter(isTelling).length !== source.filter(isTelling).length
  if (isReworded || findPair(claim, source, isOpposite) !== undefined) return undefined
  if ((mine.length + theirs.length) % 2 === 1)
    return { kind: 'negation', claim: mine, source: theirs }
  const pair = findPair(claim, source, isDenial)
  return pair === undefined ? undefined : { kind: 'negation', ...pair }
}

function isDenial(one: Word, other: Word): boolean {
  return isPrefixed(one.plain, other.plain) || isPrefixed(other.plain, one.plain)
}

/** "independent" for "dependent". */
function isPrefixed(long: string, short: string): boolean {
  return (
    short.length > 4 &&
    long.endsWith(short) &&
    /^(?:un|in|im|il|ir|non|dis)$/.test(long.slice(0, -short.length))
  )
}

function directionAltered({ claim, source }: Change): Altered | undefined {
  if ([...claim, ...source].some(isNegator)) return undefined
  const pair = findPair(claim, source, isOpposite)
  return pair === undefined ? undefined : { kind: 'direction', ...pair }
}

function isOpposite(a: Word, b: Word): boolean {
  const theirs = poles.get(b.lemma)
  return (
    theirs !== undefined &&
    (poles.get(a.lemma) ?? []).some(({ family, pole }) =>
      theirs.some((other) => other.family === family && other.pole !== pole),
    )
  )
}

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

/** Whether a word tells something by itself; an adverb ("not significantly") does not. */
function isTelling({ kind, lemma, plain }: Word): boolean {
  return kind === 'word' && !functionWords.has(lemma) && !plain.endsWith('ly')
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

function findPair(
  claim: readonly Word[],
  source: readonly Word[],
  fits: (a: Word, b: Word) => boolean,
): { claim: Word[]; source: Word[] } | undefined {
  for (const mine of claim) {
    const theirs = source.find((word) => fits(mine, word))
    if (theirs !== undefined) return { claim: [mine], source: [theirs] }
  }
  return undefined
}
