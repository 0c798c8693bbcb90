import { areSameOrgan, findTerms } from '../language/exclusive-terms.ts'
import { functionWords } from '../language/function-words.ts'
import { isNominalization } from '../language/nominalization.ts'
import type { Unit } from '../language/quantities.ts'
import {
  clauseStarts,
  comparisons,
  lightWords,
  openers,
  patients,
  people,
  qualifiers,
  reporters,
  reportingVerbs,
} from '../language/vocabulary.ts'
import { printWord, type Word } from '../language/words.ts'
import type { Difference } from './align.ts'

/** Words of a claim in place of others in its source; either list may be empty. */
export interface Change extends Difference {
  readonly claim: readonly Word[]
  readonly source: readonly Word[]
  /** Before the first or after the last word that both have. */
  readonly at: 'start' | 'middle' | 'end'
  /** The next word, which both have. */
  readonly next?: Word
}

/** What the passages that a claim cites contain anywhere. */
export interface SourceContext {
  /** Whether rules for English words apply. */
  readonly isEnglish: boolean
  hasNumber(key: string): boolean
  hasKey(key: string): boolean
  /** Whether the word is capitalised inside some sentence. */
  hasName(lemma: string): boolean
  /** Whether `word` directly follows `before` somewhere. */
  follows(word: Word, before: Word): boolean
  /** Whether `word` appears somewhere without `before` directly before it. */
  standsWithout(word: Word, before: Word): boolean
  /** Whether a passage defines `short` as the abbreviation of the words `long`. */
  isAbbreviation(short: string, long: readonly string[]): boolean
}

/** Longer pieces are not compared: no rule here makes them equivalent. */
const maxSameWords = 6

/** Whether both sides of a change mean the same. */
export function isExplained(change: Change, context: SourceContext): boolean {
  const claim = change.claim.filter((word) => !isLight(word))
  const source = change.source.filter((word) => !isLight(word))
  if (claim.length + source.length === 0) return true
  if (isNamePart(change, context) || isSameClause(change, claim, source)) return true
  if (isLongForm(change, context) || isResulting(change)) return true
  if (claim.length === 0) return mayBeLeftOut(source, change)
  if (Math.min(claim.length, source.length) > maxSameWords) return false
  return (
    isSameSpelling(claim, source) ||
    isSameQuantity(claim, source) ||
    isAbbreviation(claim, source) ||
    isAbbreviation(source, claim) ||
    isCopula(claim, source) ||
    isBroader(claim, source) ||
    isSameOrgan(claim, source) ||
    isNominalization(change) ||
    (change.at === 'start' && isOpening(claim) && isOpening(source))
  )
}

/** "Jennifer Doudna" for "Doudna" or vice versa, if the passages use both. */
function isNamePart({ claim, source, next }: Change, context: SourceContext): boolean {
  const [word, ...more] = [...claim, ...source]
  if (word?.kind !== 'word' || !word.isCapital || more.length > 0) return false
  if (next === undefined || !context.hasName(next.lemma)) return false
  return claim.length === 0 ? context.standsWithout(next, word) : context.follows(next, word)
}

/** "resulted in increased weight" for "increased weight". */
function isResulting({ claim, source, next }: Change): boolean {
  const [word, ...more] = [...claim, ...source]
  return word?.lemma === 'result-in' && more.length === 0 && /ed$/.test(next?.plain ?? '')
}

/** "low-density lipoprotein (LDL)" for "LDL" or vice versa. */
function isLongForm({ claim, source, next }: Change, context: SourceContext): boolean {
  if (next === undefined || (claim.length > 0 && source.length > 0)) return false
  const long = [...claim, ...source].map(({ key }) => key)
  return context.isAbbreviation(next.key, long) || isAbbreviation([next], [...claim, ...source])
}

/** Whether a piece of the source may be left out: an opening, a bracket or a last clause that does not limit the rest. */
function mayBeLeftOut(source: readonly Word[], { at, source: all }: Change): boolean {
  if (at === 'start' && isOpening(source)) return true
  if (source.some(isQualifying)) return false
  if (source.every(({ inBrackets }) => inBrackets)) return true
  if (source.some(isLimiting)) return false
  const first = all[0] as Word
  return at === 'end' && first.markBefore === ',' && clauseStarts.has(first.lemma)
}

/** Whether a word limits, weakens, compares or denies, so that leaving it out changes the meaning. */
export function isLimiting(word: Word): boolean {
  return isQualifying(word) || comparisons.has(word.lemma)
}

function isQualifying({ kind, lemma }: Word): boolean {
  return kind === 'negator' || qualifiers.has(lemma)
}

function isOpener({ kind, lemma, key }: Word): boolean {
  return kind === 'word' && (openers.has(lemma) || openers.has(key))
}

/** "We found that", "It was found that", "As the authors note,", "One study reports that". */
function isOpening(words: readonly Word[]): boolean {
  return (
    words.every(isOpener) ||
    (words.every((word) => isOpener(word) || isReporting(word)) &&
      words.some(({ lemma, key }) => reportingVerbs.has(lemma) || reportingVerbs.has(key)))
  )
}

function isReporting({ kind, lemma, value }: Word): boolean {
  return kind === 'number' ? value === 1 : reporters.has(lemma) || reportingVerbs.has(lemma)
}

/** A word with little meaning of its own; not an abbreviation ("WHO"). */
function isLight({ lemma, plain, sentence, start, end }: Word): boolean {
  return (
    lightWords.has(lemma) && (end - start < 2 || sentence.slice(start, end) !== plain.toUpperCase())
  )
}

/** "patients that were treated" for "patients treated", "who have cancer" for "with cancer". */
function isSameClause(change: Change, claim: readonly Word[], source: readonly Word[]): boolean {
  const [first, ...more] = [...claim, ...source]
  if (first === undefined || more.length > 0) return false
  const [own, others] =
    claim.length > 0 ? [change.claim, change.source] : [change.source, change.claim]
  if (first.lemma === 'be') return others.length === 0 && isRelative(own)
  const isHaving = others.at(-1)?.lemma === 'have' && others.length <= 2
  return first.lemma === 'with' && own.length === 1 && isHaving && isRelative(others)
}

/** Whether the words start with "which" or "who", or follow "that", which is not compared. */
function isRelative([first]: readonly Word[]): boolean {
  if (first === undefined) return false
  const before = first.sentence.slice(Math.max(0, first.start - 6), first.start)
  return first.lemma === 'which' || first.lemma === 'who' || /\b(?:that|who|which)\s$/i.test(before)
}

/** "people" for "patients". */
function isBroader(claim: readonly Word[], source: readonly Word[]): boolean {
  if (claim.length !== 1 || source.length !== 1) return false
  return people.has(claim[0]?.lemma ?? '') && patients.has(source[0]?.lemma ?? '')
}

/** "hepatic" for "liver". */
function isSameOrgan(claim: readonly Word[], source: readonly Word[]): boolean {
  if (claim.length !== 1 || source.length !== 1) return false
  const [mine, theirs] = [findTerms(claim)[0], findTerms(source)[0]]
  return mine !== undefined && theirs !== undefined && areSameOrgan(mine, theirs)
}

/** "remains unclear" for "is unclear". */
function isCopula(claim: readonly Word[], source: readonly Word[]): boolean {
  if (claim.length !== 1 || source.length !== 1) return false
  const both = [claim[0]?.key, source[0]?.key]
  return both.includes('be') && both.includes('remain')
}

/** The number of words at the start that only introduce the statement ("It was found that"). */
export function countOpeningWords(words: readonly Word[]): number {
  const end = words.findIndex(
    (word) => !isOpener(word) && !isReporting(word) && word.kind !== 'negator',
  )
  return end === -1 ? words.length : end
}

/** "non-significant" and "nonsignificant", but not "not able" and "notable". */
function isSameSpelling(claim: readonly Word[], source: readonly Word[]): boolean {
  if ([...claim, ...source].some(({ kind, plain }) => kind === 'negator' && plain !== 'non'))
    return false
  const [mine, theirs] = [joinSpelling(claim), joinSpelling(source)]
  return mine !== undefined && mine === theirs
}

/** The letters and digits without spaces and hyphens; `undefined` if a mark separates two numbers, or one is raised. */
function joinSpelling(words: readonly Word[]): string | undefined {
  const isDivided = words.some(
    ({ kind, markBefore, sentence, start }, index) =>
      kind === 'number' &&
      words[index - 1]?.kind === 'number' &&
      (markBefore !== '' || /[⁰¹²³⁴-⁹]/.test(sentence.charAt(start))),
  )
  return isDivided ? undefined : words.map(toPlainForm).join('')
}

function toPlainForm({ key, value, plain, sentence, start, end }: Word): string {
  if (value !== undefined && !/^\d+$/.test(sentence.slice(start, end))) return String(value)
  return /\s/.test(sentence.slice(start, end)) ? key : plain
}

/** "1.5 km" and "1,500 m". */
function isSameQuantity(claim: readonly Word[], source: readonly Word[]): boolean {
  const [mine, theirs] = [readQuantity(claim), readQuantity(source)]
  if (mine === undefined || theirs === undefined || mine.unit.dimension !== theirs.unit.dimension)
    return false
  const [a, b] = [mine.value * mine.unit.factor, theirs.value * theirs.unit.factor]
  return Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b))
}

function readQuantity([number, unit, ...rest]: readonly Word[]):
  | { value: number; unit: Unit }
  | undefined {
  if (number?.value === undefined || unit?.unit === undefined || rest.length > 0) return undefined
  return { value: number.value, unit: unit.unit }
}

/** "WHO" for "World Health Organization", "COPD" for "chronic obstructive pulmonary disease", "J." for "Jennifer". */
function isAbbreviation(short: readonly Word[], long: readonly Word[]): boolean {
  const [word] = short
  if (short.length !== 1 || word === undefined || !word.isCapital || long.length === 0) return false
  const isCode = word.plain.length > 2 && /^\p{Lu}+s?$/u.test(printWord(word))
  if (!isCode && !long.some(({ isCapital }) => isCapital)) return false
  const initials = long.map(({ plain }) => plain[0]).join('')
  const strong = long.filter(({ lemma }) => !functionWords.has(lemma))
  return (
    word.key === initials ||
    word.plain === initials ||
    word.key === strong.map(({ plain }) => plain[0]).join('')
  )
}
