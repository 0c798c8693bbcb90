import { numberValue, numberWords, scales, unitOf } from '../../citations/quantities.ts'
import type { CalculationOutput } from '../../citations/role-input.ts'

/** Whether a text states what a calculation gave: a number of the result, as it is or rounded to what is printed. */
export function statesResult(text: string, { result }: CalculationOutput): boolean {
  const numbers = numbersIn(result)
  if (numbers.length === 0) return text.toLowerCase().includes(result.trim().toLowerCase())
  const printed = numbersIn(text)
  return numbers.some(({ value }) => printed.some((number) => isRounded(number, value)))
}

/** Whether a text states a calculation in full: what it gave and every number that went in. */
export function statesCalculation(text: string, calculation: CalculationOutput): boolean {
  const printed = numbersIn(text)
  return (
    statesResult(text, calculation) &&
    numbersIn(calculation.expression).every(({ value }) =>
      printed.some((number) => isRounded(number, value)),
    )
  )
}

/**
 * Whether a text is nothing but a calculation: it states one in full, or its result with no words of its own (`It is 36.`), and no
 * number in digits that is of none of them. A calculation whose result is what went in proves nothing.
 */
export function isCalculated(text: string, calculations: readonly CalculationOutput[]): boolean {
  const exact = calculations.flatMap(({ expression, result }) =>
    valuesIn(`${expression} ; ${result}`),
  )
  const isKnown = (printed: readonly Printed[]) =>
    exact.some((value) => printed.some((number) => isRounded(number, value)))
  return (
    calculations.some(
      (one) =>
        calculates(one) &&
        (statesCalculation(text, one) || (isBare(text) && statesResult(text, one))),
    ) && inDigits(text).every(isKnown)
  )
}

/** Whether a calculation gave something that had not gone in: what gives what it was given proves nothing. */
export function calculates({ expression, result }: CalculationOutput): boolean {
  const given = new Set(valuesIn(expression))
  return given.size > 1 || !valuesIn(result).some((value) => given.has(value))
}

/** The numbers in digits of a text, as they stand there, that are not among those of another one; each once. */
export function numbersBeside(text: string, given: string): readonly string[] {
  const known = new Set(valuesIn(given))
  const found = [...text.matchAll(printedNumber)].map(([whole]) => whole.trim())
  return [...new Set(found)].filter((one) => !valuesIn(one).some((value) => known.has(value)))
}

/** Whether each number in digits of a text is stated in another one, as it is or rounded to what is printed. */
export function numbersStated(text: string, other: string): boolean {
  const exact = valuesIn(other)
  return inDigits(text).every((printed) =>
    exact.some((value) => printed.some((number) => isRounded(number, value))),
  )
}

/** Whether a text says nothing beside numbers and units. */
function isBare(text: string): boolean {
  const words = withoutMarks(text).match(/\p{L}+/gu) ?? []
  return words.every((word) => {
    const plain = word.toLowerCase()
    const isNumber = numberWords.has(plain) || scales.has(plain)
    return bareWords.has(plain) || isNumber || unitOf(word) !== undefined
  })
}

const bareWords: ReadonlySet<string> = new Set(
  'a about answer approximately around e equals exactly gives is it makes of or percent result roughly that the this true false'.split(
    ' ',
  ),
)

function valuesIn(text: string): readonly number[] {
  return numbersIn(text).map(({ value }) => value)
}

/** A number as it is printed: its amount without a sign, the place of its last digit that is not 0, and how many digits it shows. */
interface Printed {
  readonly value: number
  readonly place: number
  readonly digits: number
}

/** One digit alone is too little to count as a rounded result: it stands in many a text by chance. */
const leastDigits = 2

function isRounded({ value, place, digits }: Printed, exact: number): boolean {
  const difference = Math.abs(value - exact)
  if (difference <= Math.abs(exact) * 1e-9) return true
  return digits >= leastDigits && difference <= (place / 2) * (1 + 1e-9)
}

const power = String.raw`e[-+]?\d+|\s?[×x*·]\s?10\^?[-−+]?\d+`
const printedNumber = new RegExp(
  String.raw`(\d{1,3}(?:[,\u00a0\u2009\u202f]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?|\.\d+)(${power})?\s?(%|percent\b|[a-z]+)?`,
  'giu',
)
const citationMark = /\[\d[\d,;–—\s-]*\]/g
const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹'

function numbersIn(text: string): readonly Printed[] {
  const words =
    withoutMarks(text)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  const inWords = words.flatMap((word) => {
    const value = numberWords.get(word)
    return value === undefined ? [] : [{ value, place: 0, digits: 1 }]
  })
  return [...inDigits(text).flat(), ...inWords]
}

/** What each number in digits may be. */
function inDigits(text: string): readonly (readonly Printed[])[] {
  const found = withoutMarks(text).matchAll(printedNumber)
  return [...found].map(([, digits = '', scale, unit = '']) =>
    printedAs(digits, exponentOf(scale), unit.toLowerCase()),
  )
}

function withoutMarks(text: string): string {
  return text
    .replaceAll(citationMark, ' ')
    .replaceAll('⁻', '-')
    .replaceAll(/[⁰¹²³⁴⁵⁶⁷⁸⁹]/g, (sign) => String(superscripts.indexOf(sign)))
}

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
