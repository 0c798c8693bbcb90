import { numberValue, numberWords, scales } from '../claims/language/quantities.ts'

/** A number as it is printed: its amount with its sign, the place of its last digit that is not 0, and how many digits it shows. */
export interface Printed {
  readonly value: number
  readonly place: number
  readonly digits: number
}

/** The numbers of a text, in digits and in words; what belongs to a date or a time of day is none. */
export function numbersIn(text: string): readonly Printed[] {
  const words =
    plainText(text)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  const inWords = words.flatMap((word) => {
    const value = numberWords.get(word)
    return value === undefined ? [] : [{ value, place: 0, digits: 1 }]
  })
  return [...inDigits(text).flat(), ...inWords]
}

/** What each number in digits of a text may be. */
export function inDigits(text: string): readonly (readonly Printed[])[] {
  const found = plainText(text).replaceAll(whole, ' ; ').matchAll(printedNumber)
  return [...found].map(([, sign, digits = '', scale, unit = '']) =>
    printedAs(digits, exponentOf(scale), unit.toLowerCase()).map((printed) =>
      sign === undefined ? printed : { ...printed, value: -printed.value },
    ),
  )
}

/** The amounts of a text's numbers. */
export function valuesIn(text: string): readonly number[] {
  return numbersIn(text).map(({ value }) => value)
}

/** The dates, as `2019-12-29`, and times of day, as `14:30`, of a text. */
export function wholesIn(text: string): readonly string[] {
  return [...plainText(text).matchAll(whole)].flatMap(([found]) => found.split(/[T\s]/)).map(bare)
}

/** A time on the minute needs no seconds. */
function bare(one: string): string {
  return one.replace(/^(\d{1,2}:\d{2}):00(?:\.0+)?$/, '$1')
}

/** The numbers in digits, dates and times of a text, as they stand there. */
export function printedIn(text: string): readonly string[] {
  return [...text.matchAll(new RegExp(`${whole.source}|${printedNumber.source}`, 'giu'))].map(
    ([found]) => found.trim(),
  )
}

/** Whether a word is a number. */
export function isWordForNumber(word: string): boolean {
  return numberWords.has(word)
}

/** A text without its citation marks, with digits for raised ones. */
function withoutMarks(text: string): string {
  return text
    .replaceAll(citationMark, ' ')
    .replaceAll('⁻', '-')
    .replaceAll(/[⁰¹²³⁴⁵⁶⁷⁸⁹]/g, (sign) => String(superscripts.indexOf(sign)))
}

/**
 * A text without its citation marks, with dates in digits and a sign for the word: `minus 5` is one, unless it says what is taken
 * away: `8 minus 5`.
 */
export function plainText(text: string): string {
  return withoutMarks(text)
    .replaceAll(dayFirst, (_all, day: string, month: string, year: string) =>
      dateOf(year, month, day),
    )
    .replaceAll(monthFirst, (_all, month: string, day: string, year: string) =>
      dateOf(year, month, day),
    )
    .replaceAll(/(?<!\d\S*\s+(?:\p{L}+\s+)?)\b(?:minus|negative)\s+(?=\d)/giu, '-')
}

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const month = String.raw`((?:${months.join('|')})[a-z]*)\.?`
const day = String.raw`(\d{1,2})(?:st|nd|rd|th)?`
const dayFirst = new RegExp(String.raw`\b${day}\s(?:of\s)?${month},?\s(\d{4})\b`, 'gi')
const monthFirst = new RegExp(String.raw`\b${month}\s${day},?\s(\d{4})\b`, 'gi')

function dateOf(year: string, monthName: string, dayOfMonth: string): string {
  const number = months.indexOf(monthName.slice(0, 3).toLowerCase()) + 1
  return `${year}-${String(number).padStart(2, '0')}-${dayOfMonth.padStart(2, '0')}`
}

const clock = String.raw`\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?`
const whole = new RegExp(
  String.raw`(?<![\d-])\d{4}-\d{2}-\d{2}(?:[T\s]${clock})?(?!\d)|(?<![\d:])${clock}(?![\d:])`,
  'g',
)
const power = String.raw`e[-+]?\d+|\s?[×x*·]\s?10\^?[-−+]?\d+`
/** A dash after a digit, a letter or a closing bracket takes away or joins, and is no sign. */
const sign = String.raw`(?:(?<![\p{L}\p{N})\]%])([-−–])[$€£]?)?`
const printedNumber = new RegExp(
  String.raw`${sign}(\d{1,3}(?:[,\u00a0\u2009\u202f]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?|\.\d+)(${power})?\s?(%|percent\b|[a-z]+)?`,
  'giu',
)
const citationMark = /\[\d[\d,;–—\s-]*\]/g
const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹'

function exponentOf(scale = 'e0'): number {
  return Number(scale.replace(/^.*?(?:10\^?|e)/i, '').replace('−', '-'))
}

/** A number by its digits; one with `%` after it also as the share that it is. */
function printedAs(text: string, exponent: number, unit: string): readonly Printed[] {
  const amount = numberValue(text)
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
