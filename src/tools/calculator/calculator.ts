import type {
  BigNumber,
  ConfigOptions,
  FunctionNode,
  MathJsInstance,
  MathNode,
  OperatorNode,
  ParenthesisNode,
} from 'mathjs'
import { ScholiumError } from '../../kernel/errors.ts'
import {
  type Arithmetic,
  createArithmetic,
  type RealConstructor,
  realDigits,
  refuse,
  type Value,
} from './calculator-arithmetic.ts'
import { formatValue } from './calculator-format.ts'
import { type CalculatorFunction, calculatorFunctions } from './calculator-functions.ts'
import { parseDecimal, type Rational, rational } from './calculator-rational.ts'
import { normalizeExpression, percentMark } from './calculator-text.ts'
import { type Conversion, createUnitConverter, type UnitConverter } from './units.ts'

/** A calculated value, or why there is none: a phrase without full stop, for "… cannot be calculated: …". */
export type Evaluation =
  | {
      readonly ok: true
      /** The text if a JavaScript number would lose digits. */
      readonly value: number | string
      readonly text: string
    }
  | { readonly ok: false; readonly reason: string }

/** Calculates and converts. It runs no code: expressions can only name the functions and constants listed here. */
export interface Calculator {
  /** The value of an arithmetic expression of up to 1,000 characters. Never rejects because of the input. */
  evaluate(expression: string): Promise<Evaluation>
  /** Converts a quantity such as "5 km/h" to another unit. Never rejects because of the input. */
  convert(quantity: string, toUnit: string): Promise<Conversion>
}

interface Engine {
  readonly parse: (expression: string) => MathNode
  readonly names: CalculatorNames
  readonly units: UnitConverter
}

/** Created on first use and shared by all calculators of a process; it keeps nothing of its input. */
let loading: Promise<Engine> | undefined

function engine(): Promise<Engine> {
  loading ??= loadEngine()
  return loading
}

const maxLength = 1_000
const maxDepth = 100

/**
 * Creates a calculator. Integers and fractions are exact, irrational values have 100 digits, so that no displayed digit
 * is wrong; ambiguous input is refused. mathjs is loaded on first use (about 0.07 s).
 */
export function createCalculator(): Calculator {
  return {
    async evaluate(expression) {
      const { parse, names } = await engine()
      return toEvaluation(() => evaluateWith(parse, names, expression))
    },
    async convert(quantity, toUnit) {
      const { units } = await engine()
      return toEvaluation(() => units(quantity, toUnit))
    },
  }
}

/** The result of `calculate`, or its refusal as a value; any other error is a bug and rethrown. */
function toEvaluation<Answer>(
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
  const value = evaluateNode(parseExpression(parse, expression), names)
  return { ok: true, ...formatValue(value, names.arithmetic) }
}

function parseExpression(parse: Engine['parse'], expression: string): MathNode {
  try {
    return parse(expression)
  } catch (error) {
    // mathjs counts characters in the normalised text, which the user has not seen.
    const detail =
      error instanceof Error ? error.message.replace(/ \(char \d+\)$/, '') : String(error)
    return refuse(`it is not an expression: ${detail}`)
  }
}

/** The part of mathjs's build used here. */
interface BuiltMath {
  create(config: ConfigOptions): MathJsInstance
}

/**
 * mathjs's single-file build: its thousand modules take five times as long to load. Functions are created on first use;
 * only the parser, decimals and units are used, nothing that evaluates.
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

/** What an expression may name. */
interface CalculatorNames {
  readonly arithmetic: Arithmetic
  readonly functions: ReadonlyMap<string, CalculatorFunction>
  readonly constants: ReadonlyMap<string, Value>
}

const maxLiteralExponent = 1_000
const hundred = rational(100n)

/**
 * Evaluates a parsed expression. The tree is walked here and never compiled, so only the functions and constants of
 * `names` can run: no assignments, mathjs functions or matrices.
 * @throws {@link ScholiumError} `invalid_input` with the reason if there is no value
 */
function evaluateNode(node: MathNode, names: CalculatorNames): Value {
  switch (node.type) {
    case 'ConstantNode':
      return literal((node as MathNode & { value: unknown }).value)
    case 'ParenthesisNode':
      return evaluateNode((node as ParenthesisNode).content, names)
    case 'SymbolNode':
      return constant((node as MathNode & { name: string }).name, names)
    case 'OperatorNode':
      return operation(node as unknown as Operation, names)
    case 'FunctionNode':
      return call(node as FunctionNode, names)
    default:
      return refuse('it is not plain arithmetic: only numbers, operators and functions are allowed')
  }
}

/** Like {@link OperatorNode}, but with every operator the parser knows. */
interface Operation extends Omit<OperatorNode, 'op' | 'fn' | 'args'> {
  readonly op: string
  readonly fn: string
  readonly args: readonly MathNode[]
}

function literal(value: unknown): Rational {
  if (typeof value !== 'object' || value === null || !('toFixed' in value)) {
    return refuse('only numbers are calculated')
  }
  const number = value as BigNumber
  if (Math.abs(number.e) > maxLiteralExponent) refuse('a number in it is too large or too small')
  return parseDecimal(number.toString())
}

function constant(name: string, { constants, functions }: CalculatorNames): Value {
  const value = constants.get(name)
  if (value !== undefined) return value
  if (functions.has(name)) return refuse(`"${name}" needs parentheses: ${name}(…)`)
  return refuse(
    `the name "${name}" is unknown; known are ${[...constants.keys()].join(', ')} and functions`,
  )
}

function operation({ op, fn, args, implicit }: Operation, names: CalculatorNames): Value {
  const [left, right] = args as [MathNode, MathNode]
  const { arithmetic } = names
  const value = (node: MathNode) => evaluateNode(node, names)
  switch (fn) {
    case 'add':
    case 'subtract':
      return arithmetic[fn](value(left), addend(left, right, names))
    case 'multiply':
      if (implicit && isOperation(left, 'divide', 'mod')) {
        refuse('a product without "*" after a division can be read in two ways: write parentheses')
      }
      return arithmetic.multiply(value(left), value(right))
    case 'divide':
      if (isPercentSign(right)) refuse('"1/2%" can be read in two ways: write parentheses')
      return arithmetic.divide(value(left), value(right))
    case 'pow':
      return arithmetic.power(value(left), value(right))
    case 'mod':
      return apply('mod', [value(left), value(right)], names)
    case 'unaryMinus':
      return arithmetic.negate(value(left))
    case 'unaryPlus':
      return value(left)
    case 'factorial':
      if (isOperation(left, 'factorial')) refuse('"!!" can be read in two ways: write parentheses')
      return apply('factorial', [value(left)], names)
    default:
      if (op === percentMark) return arithmetic.divide(value(left), hundred)
      return refuse(`the operator "${op}" is not calculated`)
  }
}

/** The right operand of a sum: in `200 + 10%` the percentage refers to the left operand, in `5% + 10%` it does not. */
function addend(left: MathNode, right: MathNode, names: CalculatorNames): Value {
  const value = evaluateNode(right, names)
  if (isOperation(right, 'unaryMinus', 'unaryPlus') && isPercentage(right)) {
    refuse('a sign before a percentage can be read in two ways: write parentheses')
  }
  if (!isPercentSign(right) || isPercentage(left)) return value
  return names.arithmetic.multiply(evaluateNode(left, names), value)
}

function isPercentSign(node: MathNode): boolean {
  return node.type === 'OperatorNode' && (node as unknown as Operation).op === percentMark
}

/** Whether a node consists of percentages only. */
function isPercentage(node: MathNode): boolean {
  if (isPercentSign(node)) return true
  return (
    isOperation(node, 'add', 'subtract', 'unaryMinus', 'unaryPlus') &&
    (node as unknown as Operation).args.every(isPercentage)
  )
}

function isOperation(node: MathNode, ...fns: readonly string[]): boolean {
  return node.type === 'OperatorNode' && fns.includes((node as unknown as Operation).fn)
}

function call(node: FunctionNode, names: CalculatorNames): Value {
  const { fn } = node as { fn: MathNode & { name?: string } }
  if (fn.type !== 'SymbolNode' || fn.name === undefined)
    return refuse('only functions by name are called')
  const args = node.args.flatMap((arg) => listItems(arg, fn.name ?? '', names))
  return apply(
    fn.name,
    args.map((arg) => evaluateNode(arg, names)),
    names,
  )
}

/** The items of an array literal passed to a function of a list; any other argument unchanged. */
function listItems(
  arg: MathNode,
  name: string,
  { functions }: CalculatorNames,
): readonly MathNode[] {
  const takesList = functions.get(name)?.maxArguments === Number.POSITIVE_INFINITY
  return takesList && arg.type === 'ArrayNode'
    ? (arg as MathNode & { items: readonly MathNode[] }).items
    : [arg]
}

function apply(name: string, values: readonly Value[], { functions }: CalculatorNames): Value {
  const known = functions.get(name)
  if (known === undefined) {
    return refuse(
      `the function "${name}" is unknown; known are ${[...functions.keys()].join(', ')}`,
    )
  }
  const { minArguments, maxArguments } = known
  if (values.length >= minArguments && values.length <= maxArguments) return known.apply(values)
  const wanted = minArguments === maxArguments ? `${minArguments}` : `at least ${minArguments}`
  return refuse(`"${name}" takes ${wanted} numbers, separated by commas, not ${values.length}`)
}
