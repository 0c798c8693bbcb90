import type { BigNumber } from 'mathjs'
import { type Arithmetic, isExact, type Value } from './calculator-arithmetic.ts'
import { parseDecimal } from './calculator-rational.ts'

/** Digits displayed of a number without a short exact form: as many as a JavaScript number keeps reliably. */
const shownDigits = 15
const maxExactDigits = 20
const maxIntegerDigits = 60

/**
 * A value as text: integers of up to 60 digits and decimals of up to 20 digits exactly, anything else to 15 significant
 * digits. `number` is the JavaScript number, or the text if that would lose digits.
 */
export function formatValue(
  value: Value,
  { toReal }: Pick<Arithmetic, 'toReal'>,
): { readonly value: number | string; readonly text: string } {
  const text = valueText(value, toReal)
  const number = Number(text)
  const digits = text.replace(/e.*$/, '').replace(/\D/g, '').replace(/^0+/, '')
  const isKept = Number.isSafeInteger(number) || digits.replace(/0+$/, '').length <= shownDigits
  return { value: Number.isFinite(number) && isKept ? number : text, text }
}

function valueText(value: Value, toReal: (value: Value) => BigNumber): string {
  if (!isExact(value)) return rounded(value)
  if (value.denominator === 1n) {
    const digits = value.numerator.toString()
    return digits.length <= maxIntegerDigits ? digits : rounded(toReal(value))
  }
  const real = toReal(value)
  const decimal = real.toSignificantDigits(maxExactDigits)
  const kept = parseDecimal(decimal.toString())
  const isWhole = kept.numerator === value.numerator && kept.denominator === value.denominator
  return isWhole ? decimal.toString() : rounded(real)
}

function rounded(real: BigNumber): string {
  return real.toSignificantDigits(shownDigits).toString()
}
