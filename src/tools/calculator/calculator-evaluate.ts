import type { BigNumber, FunctionNode, MathNode, OperatorNode, ParenthesisNode } from 'mathjs'
import { type Arithmetic, refuse, type Value } from './calculator-arithmetic.ts'
import type { CalculatorFunction } from './calculator-functions.ts'
import { parseDecimal, type Rational, rational } from './calculator-rational.ts'
import { percentMark } from './calculator-text.ts'

/** What an expression may name. */
export interface CalculatorNames {
  readonly arithmetic: Arithmetic
  readonly functions: ReadonlyMap<string, CalculatorFunction>
  readonly constants: ReadonlyMap<string, Value>
}

const maxLiteralExponent = 1_000
const hundred = rational(100n)

/**
 * The value of a parsed expression. The tree is walked here and never compiled, so that nothing but the functions and
 * constants of `names` can run: no assignment, no access to mathjs's own functions, no matrix.
 *
 * @throws {@link ScholiumError} `invalid_input` for everything that has no value, with the reason
 */
export function evaluateNode(node: MathNode, names: CalculatorNames): Value {
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

/** As {@link OperatorNode}, but with every operator that the parser knows. */
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

/** The right side of a sum: in `200 + 10%` the percentage is one of the left side, in `5% + 10%` it is not. */
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

/** Whether `node` is made of percentages only. */
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

/** The items of an array literal given to a function that takes a list; any other argument as it is. */
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
