import { findCalculations, type ShownCalculation } from '../language/arithmetic.ts'
import { mayBeEnglish, normalizeNumbers } from '../language/languages.ts'
import { normalizePower, parseNumber, type Unit } from '../language/quantities.ts'
import { tokenize } from '../language/tokens.ts'
import { parseWords, type Word } from '../language/words.ts'
import { isContentWord } from './alterations.ts'
import { rankPassages } from './rank-passages.ts'
import type { SourcePassage } from './source-passage.ts'

/** A number in running text, with what it counts or measures. */
interface StatedNumber {
  readonly value: number
  readonly unit: Unit | undefined
  /** The key of the word behind it. */
  readonly noun: string | undefined
}

/** A number of a claim. */
interface ClaimNumber extends StatedNumber {
  readonly text: string
  readonly start: number
  readonly end: number
  /** The beginning of the rest of the sentence. */
  readonly after: string
  /** Its last digit's place, and the place of its last digit that is not 0. */
  readonly place: number
  readonly roundPlace: number
  /** "about", "roughly", "nearly". */
  readonly isRounded: boolean
  /** Printed without decimals. */
  readonly isWhole: boolean
  readonly isSpelled: boolean
}

/** How many passages of a source are looked at: a whole document has almost any number somewhere. */
const maxFitting = 6

/**
 * Finds the numbers of a claim that are neither in the passages that fit it best nor the result of a calculation that it shows
 * ("24.9 (89.5 − 64.6)"), and wrong results of such calculations, as they are printed.
 */
export function findMissingNumbers(
  statement: string,
  passages: readonly SourcePassage[],
): readonly string[] {
  const claim = normalizeNumbers(statement)
  // Tokens read numbers as in English themselves, and would read "1,250" as a decimal in a German sentence.
  const words = parseWords(claim, tokenize(statement))
  const bySource = Map.groupBy(passages, ({ read }) => read.n)
  const fitting = [...bySource.values()].flatMap((own) =>
    rankPassages(words, own).slice(0, maxFitting),
  )
  const stated = fitting.flatMap(readStatedNumbers)
  const shown = findCalculations(claim)
  const results = shown.flatMap(({ values }) => values)
  const numbers = readClaimNumbers(claim, words)
  const isScaled = scaledUnit.test(claim)
  const wrong = shown.filter((one) => !isRight(one))
  const missing = numbers.filter((one) => {
    if (isWithin(one, wrong)) return false
    if (
      results.some((value) => isNear(value, one.value, one.isRounded ? one.roundPlace : one.place))
    )
      return false
    if ([1, 100].includes(one.value) && isWithin(one, shown)) return false
    if (isStated(one, stated, isScaled)) return hasOtherUnit(one, stated)
    return !one.isSpelled || countsOtherwise(one, stated)
  })
  return [
    ...wrong.map(({ stated: given }) => given?.text ?? ''),
    ...missing.map(({ text }) => text),
  ]
}

/** A number of a claim has the value of the claim's calculation, as far as it is printed. */
function isRight({ values, stated }: ShownCalculation): boolean {
  if (stated === undefined) return true
  const [printed] = readClaimNumbers(stated.text)
  const place = stated.isExact ? (printed?.place ?? 0) : (printed?.roundPlace ?? 0)
  return values.some((one) => isNear(one, stated.value, Math.max(place, 0)))
}

function isNear(value: number, other: number, place: number): boolean {
  const difference = Math.abs(Math.abs(value) - Math.abs(other))
  return difference <= (place / 2) * (1 + 1e-6) || difference <= Math.abs(value) * 1e-9
}

/** Whether a number of a claim is stated, as it is, rounded, in a unit with another prefix, or as a share in percent. */
function isStated(one: ClaimNumber, stated: readonly StatedNumber[], isScaled: boolean): boolean {
  const { first, last } = readPeriod(one)
  return stated.some(
    (other) =>
      (other.value >= first && other.value <= last) ||
      [1, ...findFactors(one, other, isScaled)].some((factor) =>
        isRounding(one, other.value / factor),
      ),
  )
}

/** The years of a century or a decade; a number that is neither has none. */
function readPeriod({ value, after }: ClaimNumber): {
  readonly first: number
  readonly last: number
} {
  if (/^(?:st|nd|rd|th)?[\s-]century\b/i.test(after))
    return { first: 100 * (value - 1), last: 100 * value }
  return /^['’]?s\b/.test(after) ? { first: value, last: value + 9 } : { first: 1, last: 0 }
}

function findFactors(one: ClaimNumber, other: StatedNumber, isScaled: boolean): readonly number[] {
  const [mine, theirs] = [isShare(one), isShare(other)]
  if (mine && !theirs && other.value <= 1) return [0.01]
  if (theirs && !mine && one.value <= 1) return [100]
  if (one.unit !== undefined && one.unit.dimension === other.unit?.dimension)
    return [one.unit.factor / other.unit.factor]
  return isScaled ? [1e3, 1e-3, 1e6, 1e-6] : []
}

function isShare({ unit }: StatedNumber): boolean {
  return unit?.dimension === 'share'
}

/** A rounded number is this close to its value. */
const maxRounding = 0.05

/** Whether a number of a claim is this value, or rounded from it: a whole number only if the claim says so ("about 900"). */
function isRounding(one: ClaimNumber, value: number): boolean {
  const place = one.isRounded ? one.roundPlace : one.isWhole ? 0 : one.place
  return isNear(value, one.value, place) && Math.abs(value - one.value) <= maxRounding * value
}

/** Units with a prefix, which two texts may choose differently: "21.7 Mb/s" for "21,700 Kb/s". */
const scaledUnit =
  /\b(?:[kKMGTmµμn](?:[bB](?:\/s|ps)?|Hz|W|g|m|V|eV|J|s|L|l)|million|billion|thousand)\b|\d[MBkK]\b/u

function isWithin(one: ClaimNumber, shown: readonly ShownCalculation[]): boolean {
  return shown.some(({ start, end }) => start <= one.start && one.end <= end)
}

/** Whether the number stands in the passages with other units only. */
function hasOtherUnit({ unit, value }: ClaimNumber, stated: readonly StatedNumber[]): boolean {
  if (unit === undefined) return false
  const same = stated.filter((other) => isNear(other.value, value, 0))
  return (
    same.length > 0 &&
    same.every((other) => other.unit !== undefined && areOtherUnits(unit, other.unit))
  )
}

function areOtherUnits(one: Unit, other: Unit): boolean {
  const [mine, theirs] = [one.dimension, other.dimension].map(
    (dimension) => looseDimensions.get(dimension) ?? dimension,
  )
  return mine !== theirs || one.factor !== other.factor
}

/** Dimensions whose units a sentence may name loosely: "35 degrees" for "35 °C", "5 points" for "5 %". */
const looseDimensions: ReadonlyMap<string, string> = new Map([
  ['points', 'share'],
  ['celsius', 'angle'],
  ['kelvin', 'angle'],
])

/** Above this a number hardly stands in a passage by chance. */
const maxChanceNumber = 20

/** Whether the passages count or measure the same, and never find this number of it; only for small numbers. */
function countsOtherwise(one: ClaimNumber, stated: readonly StatedNumber[]): boolean {
  const { value, unit, noun } = one
  if (!Number.isInteger(value) || value > maxChanceNumber || isShare(one)) return false
  const isComparable = (other: StatedNumber) =>
    unit === undefined
      ? noun !== undefined && other.noun === noun
      : other.unit?.dimension === unit.dimension
  const same = stated.filter(isComparable)
  return (
    same.length > 0 &&
    !same.some((other) =>
      isNear(other.value * (other.unit?.factor ?? 1), value * (unit?.factor ?? 1), 0),
    )
  )
}

const hedge =
  /(?:\b(?:about|around|some|roughly|approximately|nearly|almost|barely|over|under|above|below|than|least|most|(?:close|up) to|(?:short|upwards) of|(?:many|much|few|little) as|just|slightly|circa|ca\.)|[~≈])\s*(?:[$€£]\s*)?$/iu

/** How far around a number its sentence is read, in UTF-16 code units: "upwards of about $" before it, "th-century" behind it. */
const reach = 40

/** In other languages than English any number may be rounded, since their words for "about" are not known here. */
function readClaimNumbers(
  claim: string,
  words: readonly Word[] = parseWords(claim, tokenize(claim)),
): readonly ClaimNumber[] {
  const isEnglish = mayBeEnglish(claim)
  return words.flatMap((word, index) => {
    const { value, plain, start, end } = word
    if (word.kind !== 'number' || value === undefined || plain === 'one' || isPart(claim, word))
      return []
    const text = claim.slice(start, end)
    const isRounded = !isEnglish || hedge.test(claim.slice(Math.max(0, start - reach), start))
    const after = claim.slice(end, end + reach)
    const printed = { text, start, end, after, isRounded, ...readMeasured(words, index) }
    return [{ ...printed, ...readPlaces(text, Math.abs(value)), value: Math.abs(value) }]
  })
}

type Places = Pick<ClaimNumber, 'place' | 'roundPlace' | 'isWhole' | 'isSpelled'>
const noPlaces: Places = { place: 0, roundPlace: 0, isWhole: true, isSpelled: false }

/** The places of a number's digits; a scale counts ("1.8 million"). */
function readPlaces(text: string, value: number): Places {
  if (normalizePower(text) !== undefined) return noPlaces
  const [digits] = /[\d.,]*\d/.exec(text) ?? []
  if (digits === undefined) return { ...noPlaces, isSpelled: true }
  const decimals = /\.(\d+)$/.exec(digits)?.[1]?.length ?? 0
  const zeros = decimals === 0 ? (/[0,]*$/.exec(digits)?.[0].replaceAll(',', '').length ?? 0) : 0
  const printed = parseNumber(digits) ?? value
  const place = (printed === 0 ? 1 : value / printed) * 10 ** -decimals
  return {
    place,
    roundPlace: place * 10 ** zeros,
    isWhole: decimals === 0 && value === printed,
    isSpelled: false,
  }
}

/** In the text of a PDF an exponent may have lost its place: "10−7", "3 × 105". */
const powerInSource =
  /(?<![\d.,])(?:(\d[\d.]{0,20})\s?[×x·*]\s?)?10\s?\^?\s?([-−–⁻]?(?:\d{1,2}|[⁰¹²³⁴-⁹]{1,2}))(?![\d.,])/gu

function readExponent(text: string): number {
  return Number(text.normalize('NFKC').replace(/[−–]/, '-').replace(/\s/g, ''))
}

/** "cm⁻¹", "10^7", "PaLM-8", "OCT3/4": raised digits and parts of names are no numbers of their own. */
function isPart(sentence: string, { start, end }: Word): boolean {
  const before = sentence.slice(Math.max(0, start - reach), start)
  return (
    /\p{L}[\p{L}\d]*[-‐/]$|[\^⁻]$/u.test(before) || /^[⁰¹²³⁴-⁹]/u.test(sentence.slice(start, end))
  )
}

/** How many words of a list are between a number and what it counts at most. */
const maxListed = 20

/** What a number counts or measures, except by one letter, which may be a variable: the next word, also behind others of a list ("13, 15 and 16 rounds"). */
function readMeasured(words: readonly Word[], index: number): Pick<StatedNumber, 'unit' | 'noun'> {
  const before = words[index - 1]
  let at = index + 1
  while (
    at <= index + maxListed &&
    words[at] !== undefined &&
    (words[at]?.kind === 'number' || isJoint(words[at] as Word, words[at + 1]))
  )
    at++
  const next = words[at]
  const isCurrency = before?.kind === 'unit' && /[$€£]/.test(before.plain)
  const isUnit = next?.kind === 'unit' && !/^\p{L}$/u.test(next.plain)
  const unit = isUnit ? next.unit : isCurrency ? before.unit : undefined
  const isNoun = next !== undefined && isContentWord(next) && /^-?$/.test(next.markBefore)
  return { unit, noun: isNoun && !words[index]?.key.startsWith('ordinal') ? next.key : undefined }
}

function isJoint({ lemma }: Word, next: Word | undefined): boolean {
  return (lemma === 'and' || lemma === 'or' || lemma === 'to') && next?.kind === 'number'
}

const known = new WeakMap<SourcePassage, readonly StatedNumber[]>()

function readStatedNumbers(passage: SourcePassage): readonly StatedNumber[] {
  const before = known.get(passage)
  if (before !== undefined) return before
  const inWords = passage.sentences.flatMap(({ words }) =>
    words.flatMap((word, index) =>
      word.value === undefined
        ? []
        : [{ value: Math.abs(word.value), ...readMeasured(words, index) }],
    ),
  )
  const text = normalizeNumbers(passage.read.text)
  const others = [
    ...[...text.matchAll(thousands)].map(([found]) => Number(found.replace(/\D/g, ''))),
    ...[...text.matchAll(powerInSource)].map(([, factor = '1', exponent = '']) =>
      Number(`${factor}e${readExponent(exponent)}`),
    ),
    ...[...text.matchAll(lettered)].flatMap(([, digits = '', letter = '']) => {
      const value = parseNumber(digits) ?? 0
      return [value, value * (letterScales[letter] ?? 1)]
    }),
    ...[...text.matchAll(multiples)].map(([word]) => multipleWords[word.toLowerCase()] ?? 0),
  ]
  const found = [
    ...inWords,
    ...others.map((value) => ({ value, unit: undefined, noun: undefined })),
  ]
  known.set(passage, found)
  return found
}

/** Thousands with marks that a sentence does not have: "31, 003, 946", "42 200", "10'000". */
const thousands = /(?<![\d.])\d{1,3}(?:(?:[,'’]\s?|\s)\d{3})+(?!\d)/g

/** "10fps", "180k": a number with letters at its end. */
const lettered = /(?<![\p{L}\d.,])(\d[\d.,]*\d|\d)(\p{L})/gu
const letterScales: Readonly<Record<string, number>> = { k: 1e3, K: 1e3, M: 1e6, B: 1e9 }

const multipleWords: Readonly<Record<string, number>> = {
  half: 0.5,
  halves: 0.5,
  halved: 0.5,
  quarter: 0.25,
  twice: 2,
  double: 2,
  doubled: 2,
  doubles: 2,
  triple: 3,
  tripled: 3,
  thrice: 3,
}
const multiples = new RegExp(String.raw`\b(?:${Object.keys(multipleWords).join('|')})\b`, 'gi')
