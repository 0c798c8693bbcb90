/** An exact fraction in lowest terms; the denominator is positive. */
export interface Rational {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** `numerator`/`denominator` in lowest terms. The denominator must not be 0. */
export function rational(numerator: bigint, denominator: bigint = 1n): Rational {
  if (denominator === 1n) return { numerator, denominator }
  const divisor = greatestDivisor(numerator, denominator) * (denominator < 0n ? -1n : 1n)
  return { numerator: numerator / divisor, denominator: denominator / divisor }
}

/** The exact value of decimal digits as JavaScript and `decimal.js` print them: "-12", "0.5", "1.5e-7". */
export function parseDecimal(text: string): Rational {
  const [digits = '', exponent = '0'] = text.toLowerCase().split('e')
  const [whole = '', fraction = ''] = digits.split('.')
  const shift = Number(exponent) - fraction.length
  const scale = 10n ** BigInt(Math.abs(shift))
  const unscaled = BigInt(whole + fraction)
  return shift >= 0 ? rational(unscaled * scale) : rational(unscaled, scale)
}

/** The sum. */
export function addRational(a: Rational, b: Rational): Rational {
  const numerator = a.numerator * b.denominator + b.numerator * a.denominator
  return rational(numerator, a.denominator * b.denominator)
}

/** The product. */
export function multiplyRational(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.numerator, a.denominator * b.denominator)
}

/** The quotient; `b` must not be 0. */
export function divideRational(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.denominator, a.denominator * b.numerator)
}

/** `base` to an integer power; for a negative power, `base` must not be 0. */
export function powerRational({ numerator, denominator }: Rational, exponent: number): Rational {
  const power = BigInt(Math.abs(exponent))
  const [over, under] = exponent < 0 ? [denominator, numerator] : [numerator, denominator]
  return rational(over ** power, under ** power)
}

/** The greatest integer not above `value`. */
export function floorRational({ numerator, denominator }: Rational): bigint {
  const quotient = numerator / denominator
  return numerator < 0n && quotient * denominator !== numerator ? quotient - 1n : quotient
}

/** The greatest common divisor, not negative. */
export function greatestDivisor(a: bigint, b: bigint): bigint {
  let [larger, smaller] = [a < 0n ? -a : a, b < 0n ? -b : b]
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller]
  return larger
}

/** The bits of the longer half of the fraction, to within 4. */
export function sizeBits({ numerator, denominator }: Rational): number {
  const magnitude = numerator < 0n ? -numerator : numerator
  return 4 * (magnitude > denominator ? magnitude : denominator).toString(16).length
}
