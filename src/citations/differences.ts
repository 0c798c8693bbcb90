import type { Difference } from './align.ts'
import type { Unit } from './quantities.ts'
import { clauseStarts, comparisons, light, openers, qualifiers } from './vocabulary.ts'
import type { Word } from './words.ts'

/** Words of a claim that stand where its source has others; either list may be empty. */
export interface Change extends Difference {
  readonly claim: readonly Word[]
  readonly source: readonly Word[]
  /** Before the first or after the last word that both have. */
  readonly at: 'start' | 'middle' | 'end'
  /** The word right after, which both have. */
  readonly next?: Word
}

/** What stands anywhere in the passages that a claim cites. */
export interface Ground {
  hasNumber(key: string): boolean
  hasKey(key: string): boolean
  /** Whether the word stands with a capital inside a sentence. */
  hasName(lemma: string): boolean
  /** Whether `word` stands somewhere right after `before`. */
  follows(word: Word, before: Word): boolean
  /** Whether `word` stands somewhere with another word or none before it. */
  standsWithout(word: Word, before: Word): boolean
}

/** Whether both sides of a change say the same. */
export function isExplained(change: Change, ground: Ground): boolean {
  const claim = change.claim.filter(({ lemma }) => !light.has(lemma))
  const source = change.source.filter(({ lemma }) => !light.has(lemma))
  if (claim.length + source.length === 0) return true
  if (isNamePart(change, ground)) return true
  if (claim.length === 0) return mayBeLeftOut(source, change)
  return (
    isSameSpelling(claim, source) ||
    isSameQuantity(claim, source) ||
    isAbbreviation(claim, source) ||
    isAbbreviation(source, claim) ||
    (change.at === 'start' && [...claim, ...source].every(isOpener))
  )
}

/** "Jennifer Doudna" for "Doudna" or the other way round, where the passages use both. */
function isNamePart({ claim, source, next }: Change, ground: Ground): boolean {
  const [word, ...more] = [...claim, ...source]
  if (word?.kind !== 'word' || !word.isCapital || more.length > 0) return false
  if (next === undefined || !ground.hasName(next.lemma)) return false
  return claim.length === 0 ? ground.standsWithout(next, word) : ground.follows(next, word)
}

/** Whether a piece of the source may be left out: an opener, a bracket, or a last clause, that limits nothing. */
function mayBeLeftOut(source: readonly Word[], { at, source: all }: Change): boolean {
  if (at === 'start' && source.every(isOpener)) return true
  if (source.some(isQualifying)) return false
  if (source.every(({ inBrackets }) => inBrackets)) return true
  if (source.some(isLimiting)) return false
  const first = all[0] as Word
  return at === 'end' && first.markBefore === ',' && clauseStarts.has(first.lemma)
}

/** Whether a word limits, weakens, compares or denies what it stands by, so that leaving it out says something else. */
export function isLimiting(word: Word): boolean {
  return isQualifying(word) || comparisons.has(word.lemma)
}

function isQualifying({ kind, lemma }: Word): boolean {
  return kind === 'negator' || qualifiers.has(lemma)
}

function isOpener(word: Word): boolean {
  return word.kind === 'word' && (openers.has(word.lemma) || openers.has(word.key))
}

/** How many words at the start only say where the rest is said ("It was found that"). */
export function openingLength(words: readonly Word[]): number {
  const end = words.findIndex((word) => !isOpener(word) && word.kind !== 'negator')
  return end === -1 ? words.length : end
}

/** "non-significant" and "nonsignificant", but not "not able" and "notable". */
function isSameSpelling(claim: readonly Word[], source: readonly Word[]): boolean {
  if ([...claim, ...source].some(({ kind, plain }) => kind === 'negator' && plain !== 'non'))
    return false
  const [mine, theirs] = [spelling(claim), spelling(source)]
  return mine !== undefined && mine === theirs
}

/** The letters and digits without spaces and hyphens; `undefined` where a mark divides two numbers. */
function spelling(words: readonly Word[]): string | undefined {
  const isDivided = words.some(
    ({ kind, markBefore }, index) => index > 0 && kind === 'number' && markBefore !== '',
  )
  return isDivided
    ? undefined
    : words.map(({ value, plain }) => (value === undefined ? plain : String(value))).join('')
}

/** "1.5 km" and "1,500 m". */
function isSameQuantity(claim: readonly Word[], source: readonly Word[]): boolean {
  const [mine, theirs] = [quantity(claim), quantity(source)]
  if (mine === undefined || theirs === undefined || mine.unit.dimension !== theirs.unit.dimension)
    return false
  const [a, b] = [mine.value * mine.unit.factor, theirs.value * theirs.unit.factor]
  return Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b))
}

function quantity([number, unit, ...rest]: readonly Word[]):
  | { value: number; unit: Unit }
  | undefined {
  if (number?.value === undefined || unit?.unit === undefined || rest.length > 0) return undefined
  return { value: number.value, unit: unit.unit }
}

/** "WHO" for "World Health Organization", "J." for "Jennifer". */
function isAbbreviation(short: readonly Word[], long: readonly Word[]): boolean {
  const [word] = short
  if (short.length !== 1 || word === undefined || !word.isCapital || long.length === 0) return false
  if (!long.some(({ isCapital }) => isCapital)) return false
  return word.plain === long.map(({ plain }) => plain[0]).join('')
}
