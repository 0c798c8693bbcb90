import type { CalculationOutput } from '../citations/role-input.ts'
import { scales, unitOf } from '../claims/language/quantities.ts'
import {
  inDigits,
  isWordForNumber,
  numbersIn,
  type Printed,
  plainText,
  printedIn,
  valuesIn,
  wholesIn,
} from './printed-numbers.ts'

/** What a tool gave that calculates; absent `tool`: the calculator or the unit converter. */
export type Calculation = CalculationOutput & { readonly tool?: 'python' }

/** Whether a text states what a calculation gave: a number of the result, as it is or rounded to what is printed, or a date. */
export function statesResult(text: string, { result }: CalculationOutput): boolean {
  const [numbers, wholes] = [numbersIn(result), wholesIn(result)]
  if (numbers.length === 0 && wholes.length === 0)
    return text.toLowerCase().includes(result.trim().toLowerCase())
  const there = wholesIn(text)
  if (wholes.some((whole) => there.includes(whole))) return true
  return numbers.some(({ value }) => isStated(value, numbersIn(text), text))
}

/** Whether a text states a calculation in full: what it gave and every number that went in. */
export function statesCalculation(text: string, calculation: CalculationOutput): boolean {
  const { expression } = calculation
  const [printed, there] = [numbersIn(text), wholesIn(text)]
  return (
    statesResult(text, calculation) &&
    wholesIn(expression).every((whole) => there.includes(whole)) &&
    numbersIn(expression).every(({ value }) => printed.some((one) => hasSize(one, value)))
  )
}

/**
 * The calculation of a text that is nothing but one: it states one in full, or its result with no words of its own (`It is 36.`), and no
 * number in digits that is of none of them. A calculation whose result is what went in proves nothing.
 */
export function calculatedBy(
  text: string,
  calculations: readonly Calculation[],
): Calculation | undefined {
  const given = calculations.map(({ expression }) => expression).join(' ; ')
  const results = calculations.map(({ result }) => result).join(' ; ')
  const inputs = valuesIn(given)
  const isKnown = (printed: readonly Printed[]) =>
    valuesIn(results).some((value) => isStated(value, printed, text)) ||
    inputs.some((value) => printed.some((one) => hasSize(one, value)))
  const wholes = wholesIn(`${given} ; ${results}`)
  const isAllKnown =
    inDigits(text).every(isKnown) && wholesIn(text).every((one) => wholes.includes(one))
  if (!isAllKnown) return undefined
  return calculations.find(
    (one) =>
      calculates(one) &&
      (statesCalculation(text, one) || (isBare(text) && statesResult(text, one))),
  )
}

/** Whether a calculation gave something that had not gone in: what gives what it was given proves nothing. */
export function calculates({ expression, result }: CalculationOutput): boolean {
  const given = new Set(valuesIn(expression).map(Math.abs))
  const dates = new Set(wholesIn(expression))
  if (given.size + dates.size > 1) return true
  return (
    !valuesIn(result).some((value) => given.has(Math.abs(value))) &&
    !wholesIn(result).some((whole) => dates.has(whole))
  )
}

/** The numbers in digits and dates of a text, as they stand there, that are not among those of another one; each once. */
export function numbersBeside(text: string, given: string): readonly string[] {
  const known = new Set([...valuesIn(given), ...wholesIn(given)])
  const isKnown = (one: string) => [...valuesIn(one), ...wholesIn(one)].some((is) => known.has(is))
  return [...new Set(printedIn(text))].filter((one) => !isKnown(one))
}

/** Whether each number in digits and date of a text is stated in another one, as it is or rounded to what is printed. */
export function numbersStated(text: string, other: string): boolean {
  const exact = valuesIn(other)
  const there = wholesIn(other)
  return (
    inDigits(text).every((printed) => exact.some((value) => isStated(value, printed, text))) &&
    wholesIn(text).every((whole) => there.includes(whole))
  )
}

/** Words by which a number without a sign may stand for one below zero: `It fell by 5`. */
const lowering =
  /\b(?:minus|negative|below|under|less|fewer|lower|colder|smaller|short|shorter|loss|losses|lost|loses?|falls?|fell|fallen|drop\w*|decreas\w*|declin\w*|deficits?|down|shr[aiu]nk\w*|reduc\w*|debts?|owe[sd]?|earlier|before|ago|behind|bce?)\b/i

/** Whether one of the printed numbers of a text is a value, with its sign. */
function isStated(value: number, printed: readonly Printed[], text: string): boolean {
  const mayBeBelow = value < 0 && lowering.test(text)
  return printed.some(
    (one) =>
      (Math.sign(one.value) === Math.sign(value) || (mayBeBelow && one.value > 0)) &&
      hasSize(one, value),
  )
}

/** One digit alone is too little to count as a rounded result: it stands in many a text by chance. */
const leastDigits = 2

/** Whether a printed number is a value or rounded from it, whatever its sign: that of what goes in is told in many ways. */
function hasSize({ value, place, digits }: Printed, exact: number): boolean {
  const difference = Math.abs(Math.abs(value) - Math.abs(exact))
  if (difference <= Math.abs(exact) * 1e-9) return true
  return digits >= leastDigits && difference <= (place / 2) * (1 + 1e-9)
}

/** Whether a text says nothing beside numbers and units. */
function isBare(text: string): boolean {
  const words = plainText(text).match(/\p{L}+/gu) ?? []
  return words.every((word) => {
    const plain = word.toLowerCase()
    const isNumber = isWordForNumber(plain) || scales.has(plain)
    return bareWords.has(plain) || isNumber || unitOf(word) !== undefined
  })
}

const bareWords: ReadonlySet<string> = new Set(
  'a about answer approximately around below e equals exactly gives is it makes minus negative of or percent result roughly that the this true false'.split(
    ' ',
  ),
)
