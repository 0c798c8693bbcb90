import type { BigNumber, ConfigOptions, MathJsInstance, MathNode } from 'mathjs'
import { ScholiumError } from '../../kernel/errors.ts'
import {
  createArithmetic,
  type RealConstructor,
  realDigits,
  refuse,
} from './calculator-arithmetic.ts'
import { type CalculatorNames, evaluateNode } from './calculator-evaluate.ts'
import { formatValue } from './calculator-format.ts'
import { calculatorFunctions } from './calculator-functions.ts'
import { rational } from './calculator-rational.ts'
import { normalizeExpression } from './calculator-text.ts'
import { type Conversion, createUnitConverter, type UnitConverter } from './units.ts'

/** A calculated value, or why there is none: a phrase without a full stop, for "… cannot be calculated: …". */
export type Evaluation =
  | {
      readonly ok: true
      /** The text itself where a JavaScript number would lose digits. */
      readonly value: number | string
      readonly text: string
    }
  | { readonly ok: false; readonly reason: string }

/** Calculates and converts. It runs no code: an expression can only name the functions and constants listed here. */
export interface Calculator {
  /** The value of an arithmetic expression of up to 1,000 characters. Never rejects for what was typed. */
  evaluate(expression: string): Promise<Evaluation>
  /** A quantity such as "5 km/h" in another unit. Never rejects for what was typed. */
  convert(quantity: string, toUnit: string): Promise<Conversion>
}

interface Engine {
  readonly parse: (expression: string) => MathNode
  readonly names: CalculatorNames
  readonly units: UnitConverter
}

/** Made for the first calculator of a process that is used. All share it: it keeps nothing of what it is given. */
let loading: Promise<Engine> | undefined

function engine(): Promise<Engine> {
  loading ??= loadEngine()
  return loading
}

const maxLength = 1_000
const maxDepth = 100

/**
 * A calculator. Whole numbers and fractions are calculated exactly, irrational values to 100 digits, so that no digit
 * shown is wrong; what can be read in two ways is refused. mathjs is loaded on the first use (about 0.07 s).
 */
export function createCalculator(): Calculator {
  return {
    async evaluate(expression) {
      const { parse, names } = await engine()
      return answered(() => evaluateWith(parse, names, expression))
    },
    async convert(quantity, toUnit) {
      const { units } = await engine()
      return answered(() => units(quantity, toUnit))
    },
  }
}

/** What `calculate` gives, or its refusal as a value; anything else that it throws is a defect and goes on. */
function answered<Answer>(
  calculate: () => Answer,
): Answer | { readonly ok: false; readonly reason: string } {
  try {
    return calculate()
  } catch (error) {
    if (error instanceof ScholiumError && error.code === 'invalid_input') {
      return { ok: false, reason: error.message }
    }
    throw error
  }
}

function evaluateWith(parse: Engine['parse'], names: CalculatorNames, typed: string): Evaluation {
  if (typed.trim() === '') refuse('it is empty')
  if (typed.length > maxLength) refuse(`it is longer than ${maxLength} characters`)
  const expression = normalizeExpression(typed, names.functions)
  if ((expression.match(/[([{]/g)?.length ?? 0) > maxDepth)
    refuse(`it has more than ${maxDepth} parentheses`)
  const value = evaluateNode(parsed(parse, expression), names)
  return { ok: true, ...formatValue(value, names.arithmetic) }
}

function parsed(parse: Engine['parse'], expression: string): MathNode {
  try {
    return parse(expression)
  } catch (error) {
    // mathjs counts characters in the normalised text, which the person has not seen.
    const detail =
      error instanceof Error ? error.message.replace(/ \(char \d+\)$/, '') : String(error)
    return refuse(`it is not an expression: ${detail}`)
  }
}

/** What is used of the build of mathjs. */
interface BuiltMath {
  create(config: ConfigOptions): MathJsInstance
}

/**
 * The build of mathjs that is one file: its thousand modules take five times as long to load. It makes each of its functions
 * on its first use; here only the parser, decimals and units are used, and nothing of it that evaluates.
 */
async function loadMath(): Promise<MathJsInstance> {
  // @ts-expect-error The build has no types of its own; it is the instance that the package's main module also gives.
  const { default: mathjs } = await import('mathjs/lib/browser/math.js')
  return (mathjs as BuiltMath).create({ number: 'BigNumber', precision: realDigits })
}

async function loadEngine(): Promise<Engine> {
  const math = await loadMath()
  const Real = math.bignumber(0).constructor as unknown as RealConstructor
  const arithmetic = createArithmetic(Real)
  const pi: BigNumber = new Real(-1).acos()
  const constants = new Map([
    ['pi', arithmetic.settle(pi)],
    ['tau', arithmetic.settle(pi.times(2))],
    ['e', arithmetic.settle(new Real(1).exp())],
    ['phi', arithmetic.divide(arithmetic.add(rational(1n), new Real(5).sqrt()), rational(2n))],
  ])
  const names = { arithmetic, constants, functions: calculatorFunctions(arithmetic) }
  let units: UnitConverter | undefined
  return {
    parse: (expression) => math.parse(expression),
    names,
    units: (quantity, toUnit) => {
      units ??= createUnitConverter(math)
      return units(quantity, toUnit)
    },
  }
}
