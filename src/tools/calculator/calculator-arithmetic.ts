import type { BigNumber } from 'mathjs'
import { ScholiumError } from '../../kernel/errors.ts'
import {
  addRational,
  divideRational,
  floorRational,
  multiplyRational,
  parseDecimal,
  powerRational,
  type Rational,
  rational,
  sizeBits,
} from './calculator-rational.ts'

/** A number: exact as long as possible, else a decimal of {@link realDigits} digits. */
export type Value = Rational | BigNumber

/** The constructor of mathjs's decimals. */
export type RealConstructor = new (value: string | number | bigint) => BigNumber

/** Digits of irrational values: far more than are displayed, so that no displayed digit is wrong. */
export const realDigits = 100

/** Basic operations and powers on {@link Value}s, exact if both operands are. */
export interface Arithmetic {
  readonly add: (a: Value, b: Value) => Value
  readonly subtract: (a: Value, b: Value) => Value
  readonly multiply: (a: Value, b: Value) => Value
  readonly divide: (a: Value, b: Value) => Value
  readonly power: (base: Value, exponent: Value) => Value
  readonly floor: (value: Value) => Value
  readonly negate: (value: Value) => Value
  /** Negative, 0 or positive as `a` is less than, equal to or greater than `b`. */
  readonly compare: (a: Value, b: Value) => number
  readonly toReal: (value: Value) => BigNumber
  /** Checks a real result; exact if closer to a short decimal than its own error. */
  readonly settle: (real: BigNumber) => Value
}

const maxSizeBits = 4_096
const maxExponent = 10_000
/** Two reals that agree to this relative difference are equal to {@link realDigits} digits. */
const resolution = '1e-50'
/** Above this size there are too few decimals to tell a near-integer from an integer. */
const maxSettled = '1e30'
const settledPlaces = 20

/** Ends a calculation with a reason for the user. */
export function refuse(reason: string): never {
  throw new ScholiumError('invalid_input', reason)
}

/** Whether a value is known exactly. */
export function isExact(value: Value): value is Rational {
  return 'numerator' in value
}

/** The value as an integer, or `undefined`. */
export function exactInteger(value: Value): bigint | undefined {
  return isExact(value) && value.denominator === 1n ? value.numerator : undefined
}

/** Creates {@link Arithmetic} on decimals made by `Real`. */
export function createArithmetic(Real: RealConstructor): Arithmetic {
  const toReal = (value: Value): BigNumber => {
    if (!isExact(value)) return value
    const { numerator, denominator } = value
    return new Real(numerator).div(new Real(denominator))
  }
  const settle = (real: BigNumber): Value => {
    if (real.isNaN()) refuse('it has no real value')
    if (!real.isFinite() || real.e > maxExponent) refuse('the result is too large')
    if (!real.isZero() && real.e < -maxExponent) refuse('the result is too small')
    const near = real.toDecimalPlaces(settledPlaces)
    const isNear = real.abs().lt(maxSettled) && near.minus(real).abs().lt(resolution)
    return isNear && (real.isZero() || !near.isZero()) ? parseDecimal(near.toFixed()) : real
  }
  const bounded = (value: Rational): Value =>
    sizeBits(value) > maxSizeBits ? settle(toReal(value)) : value
  const add = (a: Value, b: Value): Value => {
    if (isExact(a) && isExact(b)) return bounded(addRational(a, b))
    const [left, right] = [toReal(a), toReal(b)]
    const sum = left.plus(right)
    const size = left.abs().gt(right.abs()) ? left.abs() : right.abs()
    if (sum.abs().gte(size.times(resolution))) return settle(sum)
    return size.lt(maxSettled)
      ? rational(0n)
      : refuse('two numbers are too close to tell their difference')
  }
  const negate = (value: Value): Value =>
    isExact(value) ? rational(-value.numerator, value.denominator) : value.neg()
  const subtract = (a: Value, b: Value): Value => add(a, negate(b))
  const multiply = (a: Value, b: Value): Value =>
    isExact(a) && isExact(b) ? bounded(multiplyRational(a, b)) : settle(toReal(a).times(toReal(b)))
  const divide = (a: Value, b: Value): Value => {
    if (isZero(b)) refuse('division by zero')
    return isExact(a) && isExact(b)
      ? bounded(divideRational(a, b))
      : settle(toReal(a).div(toReal(b)))
  }
  const floor = (value: Value): Value => {
    if (isExact(value)) return rational(floorRational(value))
    if (value.e >= realDigits - 10) refuse('the number is too large to round')
    return parseDecimal(value.floor().toFixed())
  }
  const power = (base: Value, exponent: Value): Value => {
    if (isZero(base) && sign(exponent) < 0) refuse('division by zero')
    const times = Number(exactInteger(exponent) ?? Number.NaN)
    const fits = isExact(base) && sizeBits(base) * Math.abs(times) <= 2 * maxSizeBits
    if (isExact(base) && fits) return bounded(powerRational(base, times))
    return settle(toReal(base).pow(toReal(exponent)))
  }
  const compare = (a: Value, b: Value): number => sign(subtract(a, b))
  return { add, subtract, multiply, divide, power, floor, negate, compare, toReal, settle }
}

/** -1, 0 or 1. */
export function sign(value: Value): number {
  if (!isExact(value)) return value.isZero() ? 0 : value.isNeg() ? -1 : 1
  return value.numerator === 0n ? 0 : value.numerator < 0n ? -1 : 1
}

function isZero(value: Value): boolean {
  return sign(value) === 0
}
