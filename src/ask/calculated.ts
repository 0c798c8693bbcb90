import type { CalculationOutput } from '../citations/role-requests.ts'
import { findUnit, numberWords, parseNumber, scales } from '../claims/language/quantities.ts'

/** The result of a calculating tool; absent `tool`: the calculator or the unit converter. */
export type Calculation = CalculationOutput & { readonly tool?: 'python' }

/**
 * Whether a text states the result of a calculation: one of its numbers, exact or rounded to the printed digits, or a
 * date.
 */
export function statesResult(text: string, { result }: CalculationOutput): boolean {
  const [numbers, wholes] = [findNumbers(result), findDates(result)]
  if (numbers.length === 0 && wholes.length === 0)
    return text.toLowerCase().includes(result.trim().toLowerCase())
  const there = findDates(text)
  if (wholes.some((whole) => there.includes(whole))) return true
  return numbers.some(({ value }) => isStated(value, findNumbers(text), text))
}

/** Whether a text states a calculation in full: its result and every number in its input. */
export function statesCalculation(text: string, calculation: CalculationOutput): boolean {
  const { expression } = calculation
  const [printed, there] = [findNumbers(text), findDates(text)]
  return (
    statesResult(text, calculation) &&
    findDates(expression).every((whole) => there.includes(whole)) &&
    findNumbers(expression).every(({ value }) => printed.some((one) => hasMagnitude(one, value)))
  )
}

/**
 * The calculation of a text that states nothing else: in full, or only its result (`It is 36.`), and without digits of
 * any other number. A calculation whose result equals its input proves nothing.
 */
export function findCalculation(
  text: string,
  calculations: readonly Calculation[],
): Calculation | undefined {
  const given = calculations.map(({ expression }) => expression).join(' ; ')
  const results = calculations.map(({ result }) => result).join(' ; ')
  const inputs = findValues(given)
  const isKnown = (printed: readonly PrintedNumber[]) =>
    findValues(results).some((value) => isStated(value, printed, text)) ||
    inputs.some((value) => printed.some((one) => hasMagnitude(one, value)))
  const wholes = findDates(`${given} ; ${results}`)
  const isAllKnown =
    findDigitNumbers(text).every(isKnown) && findDates(text).every((one) => wholes.includes(one))
  if (!isAllKnown) return undefined
  return calculations.find(
    (one) =>
      derivesNewValue(one) &&
      (statesCalculation(text, one) || (isOnlyNumbers(text) && statesResult(text, one))),
  )
}

/** Whether a calculation derived a new value: one that returns its input proves nothing. */
export function derivesNewValue({ expression, result }: CalculationOutput): boolean {
  const given = new Set(findValues(expression).map(Math.abs))
  const dates = new Set(findDates(expression))
  if (given.size + dates.size > 1) return true
  return (
    !findValues(result).some((value) => given.has(Math.abs(value))) &&
    !findDates(result).some((whole) => dates.has(whole))
  )
}

/** The distinct numbers in digits and dates of a text that are not in another one, as written. */
export function findNewNumbers(text: string, given: string): readonly string[] {
  const known = new Set([...findValues(given), ...findDates(given)])
  const isKnown = (one: string) =>
    [...findValues(one), ...findDates(one)].some((is) => known.has(is))
  return [...new Set(findPrinted(text))].filter((one) => !isKnown(one))
}

/**
 * Whether each number in digits and date of a text is stated in another one, exact or rounded to the printed digits.
 */
export function areNumbersStated(text: string, other: string): boolean {
  const exact = findValues(other)
  const there = findDates(other)
  return (
    findDigitNumbers(text).every((printed) =>
      exact.some((value) => isStated(value, printed, text)),
    ) && findDates(text).every((whole) => there.includes(whole))
  )
}

/** Words after which a number without a sign may be negative: `It fell by 5`. */
const decreaseWords =
  /\b(?:minus|negative|below|under|less|fewer|lower|colder|smaller|short|shorter|loss|losses|lost|loses?|falls?|fell|fallen|drop\w*|decreas\w*|declin\w*|deficits?|down|shr[aiu]nk\w*|reduc\w*|debts?|owe[sd]?|earlier|before|ago|behind|bce?)\b/i

/** Whether one of the printed numbers of a text is a value, with its sign. */
function isStated(value: number, printed: readonly PrintedNumber[], text: string): boolean {
  const mayBeBelow = value < 0 && decreaseWords.test(text)
  return printed.some(
    (one) =>
      (Math.sign(one.value) === Math.sign(value) || (mayBeBelow && one.value > 0)) &&
      hasMagnitude(one, value),
  )
}

/** A single digit is too little to count as a rounded result: it occurs by chance in many texts. */
const minDigits = 2

/** Whether a printed number is a value or rounded from it, ignoring the sign: inputs are phrased in many ways. */
function hasMagnitude({ value, place, digits }: PrintedNumber, exact: number): boolean {
  const difference = Math.abs(Math.abs(value) - Math.abs(exact))
  if (difference <= Math.abs(exact) * 1e-9) return true
  return digits >= minDigits && difference <= (place / 2) * (1 + 1e-9)
}

/** Whether a text consists of numbers and units only. */
function isOnlyNumbers(text: string): boolean {
  const words = plainText(text).match(/\p{L}+/gu) ?? []
  return words.every((word) => {
    const plain = word.toLowerCase()
    const isNumber = isWordForNumber(plain) || scales.has(plain)
    return fillerWords.has(plain) || isNumber || findUnit(word) !== undefined
  })
}

const fillerWords: ReadonlySet<string> = new Set(
  'a about answer approximately around below e equals exactly gives is it makes minus negative of or percent result roughly that the this true false'.split(
    ' ',
  ),
)

/** A number as printed: its amount with its sign, the place of its last non-zero digit, and its number of digits. */
interface PrintedNumber {
  readonly value: number
  readonly place: number
  readonly digits: number
}

/** The numbers of a text, in digits and in words, except those in dates and times of day. */
function findNumbers(text: string): readonly PrintedNumber[] {
  const words =
    plainText(text)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  const inWords = words.flatMap((word) => {
    const value = numberWords.get(word)
    return value === undefined ? [] : [{ value, place: 0, digits: 1 }]
  })
  return [...findDigitNumbers(text).flat(), ...inWords]
}

/** The possible values of each number in digits. */
function findDigitNumbers(text: string): readonly (readonly PrintedNumber[])[] {
  const found = plainText(text).replaceAll(dateOrTime, ' ; ').matchAll(printedNumber)
  return [...found].map(([, sign, digits = '', scale, unit = '']) =>
    toPrintedNumbers(digits, parseExponent(scale), unit.toLowerCase()).map((printed) =>
      sign === undefined ? printed : { ...printed, value: -printed.value },
    ),
  )
}

/** The amounts of a text's numbers. */
function findValues(text: string): readonly number[] {
  return findNumbers(text).map(({ value }) => value)
}

/** The dates, as `2019-12-29`, and times of day, as `14:30`, of a text. */
function findDates(text: string): readonly string[] {
  return [...plainText(text).matchAll(dateOrTime)]
    .flatMap(([found]) => found.split(/[T\s]/))
    .map(trimSeconds)
}

/** A time on the minute needs no seconds. */
function trimSeconds(one: string): string {
  return one.replace(/^(\d{1,2}:\d{2}):00(?:\.0+)?$/, '$1')
}

/** The numbers in digits, dates and times of a text, as written. */
function findPrinted(text: string): readonly string[] {
  return [...text.matchAll(new RegExp(`${dateOrTime.source}|${printedNumber.source}`, 'giu'))].map(
    ([found]) => found.trim(),
  )
}

/** Whether a word is a number. */
function isWordForNumber(word: string): boolean {
  return numberWords.has(word)
}

/** A text without its citation marks, with superscript digits as digits. */
function withoutMarks(text: string): string {
  return text
    .replaceAll(citationMark, ' ')
    .replaceAll('⁻', '-')
    .replaceAll(/[⁰¹²³⁴⁵⁶⁷⁸⁹]/g, (sign) => String(superscripts.indexOf(sign)))
}

/**
 * A text without its citation marks, with dates in digits, and with a sign for `minus` (`minus 5`), unless it means
 * subtraction: `8 minus 5`.
 */
function plainText(text: string): string {
  return withoutMarks(text)
    .replaceAll(dayFirst, (_all, day: string, month: string, year: string) =>
      formatDate(year, month, day),
    )
    .replaceAll(monthFirst, (_all, month: string, day: string, year: string) =>
      formatDate(year, month, day),
    )
    .replaceAll(/(?<!\d\S*\s+(?:\p{L}+\s+)?)\b(?:minus|negative)\s+(?=\d)/giu, '-')
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const month = String.raw`((?:${months.join('|')})[a-z]*)\.?`
const day = String.raw`(\d{1,2})(?:st|nd|rd|th)?`
const dayFirst = new RegExp(String.raw`\b${day}\s(?:of\s)?${month},?\s(\d{4})\b`, 'gi')
const monthFirst = new RegExp(String.raw`\b${month}\s${day},?\s(\d{4})\b`, 'gi')

function formatDate(year: string, monthName: string, dayOfMonth: string): string {
  const number = months.indexOf(monthName.slice(0, 3).toLowerCase()) + 1
  return `${year}-${String(number).padStart(2, '0')}-${dayOfMonth.padStart(2, '0')}`
}

const clock = String.raw`\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?`
const dateOrTime = new RegExp(
  String.raw`(?<![\d-])\d{4}-\d{2}-\d{2}(?:[T\s]${clock})?(?!\d)|(?<![\d:])${clock}(?![\d:])`,
  'g',
)
const power = String.raw`e[-+]?\d+|\s?[×x*·]\s?10\^?[-−+]?\d+`
/** A dash after a digit, a letter or a closing bracket subtracts or joins, and is no sign. */
const sign = String.raw`(?:(?<![\p{L}\p{N})\]%])([-−–])[$€£]?)?`
const printedNumber = new RegExp(
  String.raw`${sign}(\d{1,3}(?:[,\u00a0\u2009\u202f]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?|\.\d+)(${power})?\s?(%|percent\b|[a-z]+)?`,
  'giu',
)
const citationMark = /\[\d[\d,;–—\s-]*\]/g
const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹'

function parseExponent(scale = 'e0'): number {
  return Number(scale.replace(/^.*?(?:10\^?|e)/i, '').replace('−', '-'))
}

/** A number by its digits; one followed by `%` also as a fraction. */
function toPrintedNumbers(text: string, exponent: number, unit: string): readonly PrintedNumber[] {
  const amount = parseNumber(text)
  if (amount === undefined) return []
  const factor = 10 ** exponent * (scales.get(unit) ?? 1)
  const [digits = '', decimals = ''] = String(amount).split('.')
  const whole = digits.replace(/0+$/, '')
  const place =
    (decimals === '' ? 10 ** (digits.length - whole.length) : 10 ** -decimals.length) * factor
  const shown = decimals === '' ? whole.length : (digits + decimals).replace(/^0+/, '').length
  const printed = { value: amount * factor, place, digits: shown }
  if (unit !== '%' && unit !== 'percent') return [printed]
  return [printed, { ...printed, value: printed.value / 100, place: place / 100 }]
}
