import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCalculator } from './calculator.ts'

const calculator = createCalculator()

async function text(expression: string): Promise<string> {
  const evaluated = await calculator.evaluate(expression)
  return evaluated.ok ? evaluated.text : `refused: ${evaluated.reason}`
}

async function number(expression: string): Promise<number> {
  const evaluated = await calculator.evaluate(expression)
  if (!evaluated.ok) throw new Error(`${expression}: ${evaluated.reason}`)
  return Number(evaluated.value)
}

describe('calculator', () => {
  it.each([
    ['2 + 2', '4'],
    ['0.1 + 0.2', '0.3'],
    ['1/3', '0.333333333333333'],
    ['2/3', '0.666666666666667'],
    ['1/3 * 3', '1'],
    ['-2^2', '-4'],
    ['2^3^2', '512'],
    ['2^-2', '0.25'],
    ['7 - 2 - 1', '4'],
    ['8 / 4 / 2', '1'],
    ['2(3 + 4)', '14'],
    ['2pi', '6.28318530717959'],
    ['3!', '6'],
    ['-7 mod 3', '2'],
    ['8 % 3', '2'],
    ['1.5e3', '1500'],
    ['1e-60', '1e-60'],
    ['sqrt(2)^2', '2'],
    ['4^0.5', '2'],
    ['cbrt(-8)', '-2'],
    ['log(8, 2)', '3'],
    ['log(100)', '4.60517018598809'],
    ['ln(e)', '1'],
    ['log10(1000)', '3'],
    ['sin(pi)', '0'],
    ['sin(pi/6)', '0.5'],
    ['sin(radians(30))', '0.5'],
    ['degrees(pi)', '180'],
    ['floor(1/3 * 3)', '1'],
    ['floor(10 * sqrt(2)^2)', '20'],
    ['log(8, 2)!', '6'],
    ['sqrt(8) - 2 * sqrt(2)', '0'],
    ['sqrt(10^40 + 1) - 10^20', '5e-21'],
    ['round(2.675, 2)', '2.68'],
    ['round(-2.5)', '-3'],
    ['round(1250, -2)', '1300'],
    ['trunc(-2.5)', '-2'],
    ['ceil(2.1)', '3'],
    ['mean([1, 2, 3, 4])', '2.5'],
    ['median(9, 1, 5)', '5'],
    ['sum(1, 2, 3) + min(4, 5) + max(6, 7)', '17'],
    ['gcd(12, 18) + lcm(4, 6)', '18'],
    ['comb(52, 5)', '2598960'],
    ['perm(5, 2)', '20'],
    ['hypot(3, 4)', '5'],
    ['exp(-200)', '1.38389652673674e-87'],
    ['1.05^30', '4.32194237515066'],
  ])('%s = %s', async (expression, expected) => {
    expect(await text(expression)).toBe(expected)
  })

  it.each([
    ['2^53 + 1', '9007199254740993'],
    ['2^64', '18446744073709551616'],
    ['9999999999999999 * 9', '89999999999999991'],
    ['10^400 + 1 - 10^400', '1'],
    ['123456789.123456789 * 1', '123456789.123456789'],
  ])('keeps every digit of %s', async (expression, expected) => {
    const evaluated = await calculator.evaluate(expression)
    expect(evaluated).toMatchObject({ ok: true, text: expected })
    if (evaluated.ok) expect(String(evaluated.value)).toBe(expected)
  })

  it.each([
    ['5 × 3 ÷ 2 − 1', '6.5'],
    ['3² + 4²', '25'],
    ['10⁻³', '0.001'],
    ['√16 + √(9)', '7'],
    ['2π', '6.28318530717959'],
    ['2 ** 10', '1024'],
    ['1,234,567.89 * 2', '2469135.78'],
    ['1 000 000', 'refused: it is not an expression: Unexpected part "000"'],
    ['1\u202f000\u202f000', '1000000'],
    ['sqrt(1,000,000)', '1000'],
    ['2 + 2 =', '4'],
  ])('reads %s as people write it', async (expression, expected) => {
    expect(await text(expression)).toBe(expected)
  })

  it.each([
    ['15% of 80', '12'],
    ['10 percent of 50', '5'],
    ['200 + 10%', '220'],
    ['200 - 10%', '180'],
    ['200 + (10%)', '200.1'],
    ['200 * 10%', '20'],
    ['200 - 10% of 50', '195'],
    ['100 - 5% + 3', '98'],
    ['5% - 3', '-2.95'],
    ['10% + 20%', '0.3'],
    ['(10 + 5)%', '0.15'],
    ['100 / (10%)', '1000'],
  ])('takes the percentages of %s as meant', async (expression, expected) => {
    expect(await text(expression)).toBe(expected)
  })

  it.each([
    ['1/0', 'division by zero'],
    ['0/0', 'division by zero'],
    ['5 mod 0', 'division by zero'],
    ['0^-1', 'division by zero'],
    ['tan(pi/2)', 'the tangent is not defined there'],
    ['sqrt(-1)', 'the square root of a negative number has no real value'],
    ['(-8)^(1/3)', 'it has no real value'],
    ['asin(2)', 'it has no real value'],
    ['ln(0)', 'only a positive number has a logarithm'],
    ['x + 1', 'the name "x" is unknown; known are pi, tau, e, phi and functions'],
    ['sin', '"sin" needs parentheses: sin(…)'],
    ['sqrt(1, 2)', '"sqrt" takes 1 numbers, separated by commas, not 2'],
    ['', 'it is empty'],
    ['0,123 + 1', 'it is not an expression: Unexpected operator ,'],
    ['2 +', 'it is not an expression: Unexpected end of expression'],
    ['2^9999 - (2^9999 - 1)', 'two numbers are too close to tell their difference'],
    ['2.5!', 'it is only defined for whole numbers'],
  ])('says why %s has no value', async (expression, reason) => {
    expect(await calculator.evaluate(expression)).toEqual({ ok: false, reason })
  })

  it.each([
    '6/2(1+2)',
    '1/2 pi',
    '50% 20',
    '5 % - 3',
    '100 + -10%',
    '100/20% of 50',
    'max(1,234, 5)',
    'round(1,234.5, 2)',
    'log(1,000)',
    '5!!',
    '1/2%',
  ])('refuses %s, which can be read in two ways', async (expression) => {
    expect(await text(expression)).toMatch(/^refused: .*(two ways|percent|commas|parentheses)/)
  })

  it.each([
    'import(1)',
    'createUnit(1)',
    'evaluate(1)',
    'parse(1)',
    'simplify(x)',
    'derivative(x, x)',
    'resolve(x)',
    'config(1)',
    'ones(20000, 20000)',
    'range(1, 10)',
    '1:1000000',
    '[1, 2; 3, 4]',
    '[1, 2, 3]',
    'a = 2',
    'f(x) = x',
    '{a: 1}',
    'cos.constructor(1)',
    'a[1]',
    '"text"',
    'true ? 1 : 2',
    '1 == 1',
    '2 m to km',
    '1; 2',
    'i',
    'Infinity',
    'NaN',
    'constructor',
    '__proto__(1)',
    'toString(1)',
  ])('refuses %s, which is no arithmetic', async (expression) => {
    expect(await text(expression)).toMatch(/^refused: /)
  })

  it.each([
    '9^9^9^9',
    '10^1e15',
    '(1/3)^-1e9',
    '170!!!',
    '100000!',
    'exp(1e9)',
    'sin(1e300)',
    '1e999999',
    `${'('.repeat(300)}1${')'.repeat(300)}`,
    `${'9'.repeat(2_000)}`,
    `${'-'.repeat(999)}1`,
    `${'2^'.repeat(499)}2`,
    `${'sin('.repeat(90)}1${')'.repeat(90)}`,
    `${'asin(atan('.repeat(45)}1${'))'.repeat(45)}`,
    `comb(9999, 5000)${' * comb(9999, 5000)'.repeat(50)}`,
    `1/3${'+1/3^99'.repeat(140)}`,
  ])('answers %s without long work', async (expression) => {
    const startedAt = performance.now()
    const evaluated = await calculator.evaluate(expression)
    expect(performance.now() - startedAt).toBeLessThan(30_000)
    if (evaluated.ok) expect(evaluated.text).toMatch(/^-?[\d.]+(e[-+]\d+)?$/)
  })
})

/** An expression with JavaScript's value of it and a bound for that value's rounding error. */
interface Sample {
  readonly written: string
  readonly precedence: number
  readonly value: number
  readonly error: number
}

const epsilon = Number.EPSILON
const literal = fc
  .oneof(
    fc.integer({ min: 0, max: 10_000 }),
    fc.integer({ min: 1, max: 99_999 }).map((n) => n / 1_000),
  )
  .map(
    (value): Sample => ({ written: String(value), precedence: 9, value, error: value * epsilon }),
  )

const { sample } = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    literal,
    fc.tuple(tie('sample'), fc.constantFrom('+', '-', '*', '/'), tie('sample')).map(combined),
    tie('sample').map(negated),
  ),
}))

function combined([a, operator, b]: [Sample, string, Sample]): Sample {
  const precedence = operator === '+' || operator === '-' ? 1 : 2
  const left = a.precedence < precedence ? `(${a.written})` : a.written
  const right = b.precedence <= precedence ? `(${b.written})` : b.written
  const written = `${left} ${operator} ${right}`
  const [x, y] = [a.value, b.value]
  const value =
    operator === '+' ? x + y : operator === '-' ? x - y : operator === '*' ? x * y : x / y
  const spread =
    precedence === 1
      ? a.error + b.error
      : operator === '*'
        ? Math.abs(x) * b.error + Math.abs(y) * a.error + a.error * b.error
        : (a.error + Math.abs(value) * b.error) / Math.max(Math.abs(y) - b.error, 0)
  return { written, precedence, value, error: spread + Math.abs(value) * epsilon }
}

function negated(inner: Sample): Sample {
  const written = inner.precedence < 9 ? `-(${inner.written})` : `-${inner.written}`
  return { ...inner, written, precedence: 3, value: -inner.value }
}

describe('calculator against JavaScript', () => {
  it('agrees on any arithmetic with decimals, whatever parentheses are needed', async () => {
    await fc.assert(
      fc.asyncProperty(sample, async ({ written, value, error }) => {
        fc.pre(Number.isFinite(value) && Number.isFinite(error) && written.length < 900)
        const calculated = await number(written)
        expect(Math.abs(calculated - value)).toBeLessThanOrEqual(
          2 * error + Math.abs(value) * 1e-14,
        )
      }),
      { numRuns: 2_000 },
    )
  })

  it('agrees exactly on whole numbers of any size', async () => {
    const big = fc.bigInt({ min: -(10n ** 19n), max: 10n ** 19n })
    await fc.assert(
      fc.asyncProperty(big, big, big, async (a, b, c) => {
        expect(await text(`(${a}) * (${b}) - (${c})`)).toBe(String(a * b - c))
        expect(await text(`(${a} + ${c < 0n ? `(${c})` : c}) * 2`)).toBe(String((a + c) * 2n))
      }),
    )
  })

  it('agrees exactly on sums of cents', async () => {
    const cents = fc.integer({ min: 0, max: 10_000_000 })
    await fc.assert(
      fc.asyncProperty(cents, cents, async (a, b) => {
        const sum = (BigInt(a) + BigInt(b)).toString().padStart(3, '0')
        const shown = `${sum.slice(0, -2)}.${sum.slice(-2)}`.replace(/\.?0+$/, '')
        expect(await text(`${(a / 100).toFixed(2)} + ${(b / 100).toFixed(2)}`)).toBe(shown)
      }),
    )
  })

  it('agrees on functions', async () => {
    const between = (min: number, max: number) => fc.double({ min, max, noNaN: true })
    const functions: readonly [string, (x: number) => number, fc.Arbitrary<number>][] = [
      ['sqrt', Math.sqrt, between(0, 1e12)],
      ['cbrt', Math.cbrt, between(-1e12, 1e12)],
      ['exp', Math.exp, between(-50, 50)],
      ['ln', Math.log, between(1e-9, 1e12)],
      ['log10', Math.log10, between(1e-9, 1e12)],
      ['sin', Math.sin, between(-10, 10)],
      ['cos', Math.cos, between(-10, 10)],
      ['atan', Math.atan, between(-100, 100)],
      ['floor', Math.floor, between(-1e9, 1e9)],
      ['ceil', Math.ceil, between(-1e9, 1e9)],
    ]
    for (const [name, expected, inputs] of functions) {
      await fc.assert(
        fc.asyncProperty(inputs, async (x) => {
          const calculated = await number(`${name}(${x})`)
          expect(Math.abs(calculated - expected(x))).toBeLessThanOrEqual(
            1e-13 * Math.max(1, Math.abs(expected(x))),
          )
        }),
        { numRuns: 50 },
      )
    }
  })

  it('agrees on powers', async () => {
    const base = fc.double({ min: 0.01, max: 1_000, noNaN: true })
    const exponent = fc.double({ min: -20, max: 20, noNaN: true })
    await fc.assert(
      fc.asyncProperty(base, exponent, async (x, y) => {
        const expected = x ** y
        expect(Math.abs((await number(`${x}^(${y})`)) - expected)).toBeLessThanOrEqual(
          1e-12 * expected,
        )
      }),
    )
  })

  it('takes any percentage of the left side of a sum', async () => {
    const whole = fc.integer({ min: 0, max: 1_000_000 })
    await fc.assert(
      fc.asyncProperty(whole, fc.integer({ min: 0, max: 200 }), whole, async (a, percent, b) => {
        expect(await number(`${a} + ${percent}%`)).toBeCloseTo(a + (a * percent) / 100, 6)
        expect(await number(`${a} - ${percent}% + ${b}`)).toBeCloseTo(
          a - (a * percent) / 100 + b,
          6,
        )
        expect(await number(`${percent}% of ${a} - ${b}`)).toBeCloseTo((a * percent) / 100 - b, 6)
      }),
    )
  })

  it('reads numbers with separators of thousands', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 2 ** 40 }), fc.nat(9_999), async (a, b) => {
        expect(await number(`${a.toLocaleString('en-US')} - ${b.toLocaleString('en-US')}`)).toBe(
          a - b,
        )
      }),
    )
  })

  it.each([
    ['$1,200.50/2', '600.25'],
    ['3*$4 + $2', '14'],
    ['2 x 3', '6'],
    ['4½ * 2', '9'],
    ['.5*2=', '1'],
  ])('takes %s as people write it', async (expression, expected) => {
    expect(await calculator.evaluate(expression)).toMatchObject({ ok: true, text: expected })
  })

  it('does not add up different currencies', async () => {
    expect(await calculator.evaluate('$5 + €3')).toMatchObject({ ok: false })
  })

  it('answers anything that is typed, never with NaN or infinity', async () => {
    const signs = fc.constantFrom(
      ...'0123456789.,+-*/^%!()[] eπ²√×"\'=:;{}',
      'sqrt',
      'max',
      'of',
      'mod',
      'pi',
      '1e9',
    )
    const typed = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.array(signs, { maxLength: 14 }).map((all) => all.join('')),
    )
    await fc.assert(
      fc.asyncProperty(typed, async (expression) => {
        const evaluated = await calculator.evaluate(expression)
        if (evaluated.ok) expect(evaluated.text).toMatch(/^-?[\d.]+(e[-+]\d+)?$/)
        else expect(evaluated.reason).not.toBe('')
      }),
      { numRuns: 3_000 },
    )
  }, 60_000)
})
