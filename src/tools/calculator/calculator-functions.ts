import type { BigNumber } from 'mathjs'
import { type Arithmetic, exactInteger, refuse, sign, type Value } from './calculator-arithmetic.ts'
import { greatestDivisor, rational } from './calculator-rational.ts'

/** A function and its number of arguments. */
export interface CalculatorFunction {
  readonly minArguments: number
  /** `Infinity` for functions of a list. */
  readonly maxArguments: number
  readonly apply: (values: readonly Value[]) => Value
}

const maxFactorial = 1_000
const maxChosen = 10_000
/** e to this power is about the largest number displayed. */
const maxNaturalExponent = 23_000
const maxAngle = 1e20
const zero = rational(0n)
const one = rational(1n)
const half = rational(1n, 2n)

/** All functions by name: school mathematics, angles in radians, `log` natural unless a base is given. */
export function calculatorFunctions(
  arithmetic: Arithmetic,
): ReadonlyMap<string, CalculatorFunction> {
  return new Map([
    ...Object.entries(roundingFunctions(arithmetic)),
    ...Object.entries(listFunctions(arithmetic)),
    ...Object.entries(integerFunctions(arithmetic)),
    ...Object.entries(powerFunctions(arithmetic)),
    ...Object.entries(angleFunctions(arithmetic)),
  ])
}

type Functions = Readonly<Record<string, CalculatorFunction>>

function unary(apply: (value: Value) => Value): CalculatorFunction {
  return { minArguments: 1, maxArguments: 1, apply: ([value]) => apply(value as Value) }
}

function binary(apply: (a: Value, b: Value) => Value): CalculatorFunction {
  return { minArguments: 2, maxArguments: 2, apply: ([a, b]) => apply(a as Value, b as Value) }
}

function list(apply: (values: readonly Value[]) => Value): CalculatorFunction {
  return { minArguments: 1, maxArguments: Number.POSITIVE_INFINITY, apply }
}

function roundingFunctions({ add, multiply, divide, floor, negate }: Arithmetic): Functions {
  const abs = (value: Value) => (sign(value) < 0 ? negate(value) : value)
  const truncate = (value: Value) => (sign(value) < 0 ? negate(floor(negate(value))) : floor(value))
  const round = (value: Value, places: Value = zero): Value => {
    const digits = Number(exactInteger(places) ?? Number.NaN)
    if (!(Math.abs(digits) <= 50))
      refuse('a number is rounded to a whole number of places, at most 50')
    const scale = rational(10n ** BigInt(Math.abs(digits)))
    const scaled = digits < 0 ? divide(value, scale) : multiply(value, scale)
    const rounded = floor(add(abs(scaled), half))
    const signed = sign(value) < 0 ? negate(rounded) : rounded
    return digits < 0 ? multiply(signed, scale) : divide(signed, scale)
  }
  return {
    abs: unary(abs),
    sign: unary((value) => rational(BigInt(sign(value)))),
    floor: unary(floor),
    ceil: unary((value) => negate(floor(negate(value)))),
    trunc: unary(truncate),
    fix: unary(truncate),
    round: {
      minArguments: 1,
      maxArguments: 2,
      apply: ([value, places]) => round(value as Value, places),
    },
  }
}

function listFunctions({ add, divide, compare }: Arithmetic): Functions {
  const sum = (values: readonly Value[]) => values.reduce(add)
  const mean = (values: readonly Value[]) => divide(sum(values), rational(BigInt(values.length)))
  const median = (values: readonly Value[]) => {
    const sorted = values.toSorted(compare)
    return mean(sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1))
  }
  return {
    sum: list(sum),
    mean: list(mean),
    average: list(mean),
    median: list(median),
    min: list((values) =>
      values.reduce((best, value) => (compare(value, best) < 0 ? value : best)),
    ),
    max: list((values) =>
      values.reduce((best, value) => (compare(value, best) > 0 ? value : best)),
    ),
  }
}

function integerFunctions({ divide, multiply, subtract, floor }: Arithmetic): Functions {
  const gcd = (values: readonly Value[]) => values.map(toInteger).reduce(greatestDivisor)
  const lcm = (a: bigint, b: bigint) =>
    a === 0n || b === 0n ? 0n : (a / greatestDivisor(a, b)) * b
  const chosen = (n: Value, k: Value, inOrder: boolean): Value => {
    const [from, taken] = [toCount(n, maxChosen), toCount(k, maxChosen)]
    if (taken > from) return zero
    const steps = inOrder ? taken : Math.min(taken, from - taken)
    let ways = 1n
    for (let index = 0; index < steps; index++) {
      ways *= BigInt(from - index)
      if (!inOrder) ways /= BigInt(index + 1)
    }
    return multiply(rational(ways), one)
  }
  const combinations = binary((n, k) => chosen(n, k, false))
  const permutations = binary((n, k) => chosen(n, k, true))
  return {
    gcd: { ...list((values) => rational(gcd(values))), minArguments: 2 },
    lcm: {
      ...list((values) => multiply(rational(absolute(values.map(toInteger).reduce(lcm))), one)),
      minArguments: 2,
    },
    // Floored, as in mathematics and Python: the result has the divisor's sign.
    mod: binary((a, b) => subtract(a, multiply(b, floor(divide(a, b))))),
    factorial: unary((n) => chosen(n, rational(BigInt(toCount(n, maxFactorial))), true)),
    combinations,
    choose: combinations,
    comb: combinations,
    permutations,
    perm: permutations,
  }
}

function powerFunctions({ power, divide, add, multiply, toReal, settle }: Arithmetic): Functions {
  const onReal = (apply: (value: BigNumber) => BigNumber) =>
    unary((value) => settle(apply(toReal(value))))
  const sqrt = (value: Value): Value => {
    if (sign(value) < 0) refuse('the square root of a negative number has no real value')
    return settle(toReal(value).sqrt())
  }
  const logarithm = (value: Value): BigNumber => {
    if (sign(value) <= 0) refuse('only a positive number has a logarithm')
    return toReal(value).ln()
  }
  const ln = (value: Value) => settle(logarithm(value))
  const log = ([value, base]: readonly Value[]) =>
    base === undefined ? ln(value as Value) : divide(ln(value as Value), ln(base))
  const exp = unary((value) => {
    const exponent = toReal(value)
    if (exponent.abs().gt(maxNaturalExponent)) refuse('the exponent is too large')
    return settle(exponent.exp())
  })
  return {
    pow: binary(power),
    sqrt: unary(sqrt),
    cbrt: onReal((value) => value.cbrt()),
    hypot: list((values) => sqrt(values.map((value) => multiply(value, value)).reduce(add))),
    exp,
    ln: unary(ln),
    log: { minArguments: 1, maxArguments: 2, apply: log },
    log10: unary((value) => divide(ln(value), ln(rational(10n)))),
    log2: unary((value) => divide(ln(value), ln(rational(2n)))),
  }
}

function angleFunctions({ multiply, divide, toReal, settle }: Arithmetic): Functions {
  const wave = (apply: (angle: BigNumber) => BigNumber) => (value: Value) => {
    const angle = toReal(value)
    if (angle.abs().gt(maxAngle)) refuse('the angle is too large')
    const height = apply(angle)
    // An angle of at least 1 is known to 100 digits, so such a small result is zero, as for sin(pi).
    return angle.abs().gte(1) && height.abs().lt('1e-50') ? zero : settle(height)
  }
  const sin = wave((angle) => angle.sin())
  const cos = wave((angle) => angle.cos())
  const tan = (value: Value) => {
    const below = cos(value)
    return sign(below) === 0
      ? refuse('the tangent is not defined there')
      : divide(sin(value), below)
  }
  const halfTurn = settle(toReal(rational(-1n)).acos())
  const halfTurnDegrees = rational(180n)
  const inverse = (apply: (value: BigNumber) => BigNumber) =>
    unary((value) => settle(apply(toReal(value))))
  return {
    sin: unary(sin),
    cos: unary(cos),
    tan: unary(tan),
    asin: inverse((value) => value.asin()),
    acos: inverse((value) => value.acos()),
    atan: inverse((value) => value.atan()),
    radians: unary((value) => divide(multiply(value, halfTurn), halfTurnDegrees)),
    degrees: unary((value) => divide(multiply(value, halfTurnDegrees), halfTurn)),
  }
}

function toInteger(value: Value): bigint {
  return exactInteger(value) ?? refuse('it is only defined for whole numbers')
}

function toCount(value: Value, max: number): number {
  const count = toInteger(value)
  if (count < 0n) refuse('it is not defined for negative numbers')
  if (count > BigInt(max)) refuse(`it is only calculated up to ${max}`)
  return Number(count)
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value
}
