import type { BigNumber, MathJsInstance, Unit } from 'mathjs'
import { refuse } from './calculator-arithmetic.ts'
import { formatValue } from './calculator-format.ts'
import {
  addedUnits,
  ambiguousUnits,
  conventions,
  correctedUnits,
  shortNames,
  spellings,
} from './units-names.ts'

/** A converted quantity, or why there is none: a phrase without a full stop. */
export type Conversion =
  | {
      readonly ok: true
      readonly value: number | string
      /** The number, the unit as it was asked for, and in parentheses which of several conventions was taken. */
      readonly text: string
    }
  | { readonly ok: false; readonly reason: string }

/**
 * Converts a quantity into a unit.
 *
 * @throws {@link ScholiumError} `invalid_input` when there is no such number or unit, or the dimensions differ
 */
export type UnitConverter = (quantity: string, toUnit: string) => Conversion

const maxLength = 200
const maxNumberExponent = 1_000
const temperatures = /^(?:deg[CFR]|K|kelvin|celsius|fahrenheit|rankine)$/

/** A converter with the units of `math`, a mathjs instance that calculates with decimals; adds to them and corrects some. */
export function createUnitConverter(math: MathJsInstance): UnitConverter {
  for (const units of [addedUnits, correctedUnits])
    math.createUnit({ ...units }, { override: true })
  const unitOf = (value: BigNumber, name: string): Unit => {
    try {
      return math.unit(value, name)
    } catch (error) {
      const unknown = /Unit "(.+)" not found/.exec(error instanceof Error ? error.message : '')?.[1]
      return refuse(
        unknown === undefined ? `"${name}" is not a unit` : `the unit "${unknown}" is unknown`,
      )
    }
  }
  const isUnit = (name: string): boolean => {
    try {
      math.unit(name)
      return true
    } catch {
      return false
    }
  }
  return (quantity, toUnit) => {
    if (quantity.length > maxLength || toUnit.length > maxLength)
      refuse(`it is longer than ${maxLength} characters`)
    const { number, unit } = splitQuantity(quantity)
    const [fromName, toName] = asTemperatures(unitName(unit, isUnit), unitName(toUnit, isUnit))
    const value = math.bignumber(number)
    if (Math.abs(value.e) > maxNumberExponent) refuse('the number is too large or too small')
    const from = unitOf(value, fromName)
    if (!from.equalBase(unitOf(math.bignumber(1), toName))) {
      refuse(`"${unit}" and "${toUnit.trim()}" measure different things`)
    }
    if (temperatures.test(fromName) && (from.toNumeric('K') as BigNumber).isNeg()) {
      refuse('that is below absolute zero')
    }
    const converted = from.toNumeric(toName) as BigNumber
    if (!converted.isFinite()) refuse('the result is too large')
    const shown = formatValue(converted, { toReal: () => converted })
    return {
      ok: true,
      value: shown.value,
      text: `${shown.text} ${toUnit.trim()}${convention(fromName, toName)}`,
    }
  }
}

/** The number at the start of a quantity, without separators of thousands, and the text of its unit. */
function splitQuantity(quantity: string): { readonly number: string; readonly unit: string } {
  const plain = plainPowers(quantity.trim()).replace(/^[−–]/, '-')
  const found =
    /^([-+]?)([\d.,\u00a0\u2009\u202f_]+)(?:[eE]([-+]?\d+)| ?[×x*·] ?10\^?\(?([-−]?\d+)\)?)? ?(.*)$/.exec(
      plain,
    )
  const [, sign = '', digits = '', exponent, powerOfTen, unit = ''] = found ?? []
  const isGrouped = /^[1-9]\d{0,2}(?:[,\u00a0\u2009\u202f_]\d{3})+(?:\.\d+)?$/.test(digits)
  if (!isGrouped && !/^(?:\d+\.?\d*|\.\d+)$/.test(digits)) refuse('it does not start with a number')
  if (unit.trim() === '') refuse('it has no unit')
  if (/^[\d.,]|(?<![A-Za-z^)-])\d/.test(unit)) refuse('it contains more than one number')
  const power = (exponent ?? powerOfTen ?? '0').replace('−', '-')
  return { number: `${sign}${digits.replace(/[^\d.]/g, '')}e${power}`, unit: unit.trim() }
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹'

function plainPowers(text: string): string {
  return text.replace(/[⁻⁰¹²³⁴-⁹]+/g, (run) => {
    return `^${Array.from(run, (sign) => (sign === '⁻' ? '-' : superscripts.indexOf(sign))).join('')}`
  })
}

/** The name by which mathjs knows what was typed. */
function unitName(typed: string, isUnit: (name: string) => boolean): string {
  const plain = plainPowers(typed.trim()).replace(/\s+/g, ' ')
  if (plain === '') refuse('there is no unit to convert to')
  const spelled = spellings.reduce((text, [from, to]) => text.replace(from, to), plain)
  const name = spelled.replace(/[A-Za-z][A-Za-z0-9]*/g, (word) => wordName(word, isUnit))
  if (/\/[^/*()]*\w +[A-Za-z(]/.test(name))
    refuse(`"${typed.trim()}" can be read in two ways: write parentheses`)
  return name.replace(/^1 ?\/ ?(\w+)$/, '$1^-1')
}

function wordName(word: string, isUnit: (name: string) => boolean): string {
  const lower = word.toLowerCase()
  const instead = ambiguousUnits.get(word) ?? (isUnit(word) ? undefined : ambiguousUnits.get(lower))
  if (instead !== undefined) refuse(`"${word}" has several meanings: write ${instead}`)
  const isSafe = word.length > 3 || shortNames.has(lower)
  return !isUnit(word) && isSafe && isUnit(lower) ? lower : word
}

/** "C" and "F" are coulomb and farad, unless the other side shows that they are degrees. */
function asTemperatures(from: string, to: string): readonly [string, string] {
  const isDegree = (name: string) => temperatures.test(name) || /^[CF]$/.test(name)
  if (!isDegree(from) || !isDegree(to) || from === to) return [from, to]
  return [from.replace(/^([CF])$/, 'deg$1'), to.replace(/^([CF])$/, 'deg$1')]
}

/** Which conventions the result stands on, in parentheses, or nothing. */
function convention(...names: readonly string[]): string {
  const words = names.flatMap((name) => name.match(/[A-Za-z]+/g) ?? [])
  const found = new Set(
    words.flatMap((word) => conventions.get(word) ?? conventions.get(word.replace(/^k/, '')) ?? []),
  )
  return found.size === 0 ? '' : ` (${[...found].join(', ')})`
}
