import type { Json } from '../../kernel/json.ts'
import { Arguments } from './arguments.ts'
import { type EnvironmentValues, expandEnvironment } from './environment.ts'
import { filterNames, findFilter } from './filters.ts'
import { type Frame, isKnown, lookUp } from './frame.ts'
import {
  checkHandedOn,
  constants,
  explainMissingName,
  explainUnknownName,
  functions,
} from './functions.ts'
import { callMethod, isMethod, methodNames } from './methods.ts'
import { negate, operators, slice } from './operators.ts'
import type { BinaryNode, CallNode, Node } from './syntax.ts'
import { syntaxError, valueError } from './template-error.ts'
import { describeKind, getMember, isTruthy, measure, type Value } from './value.ts'
import { isTest, passes, testNames } from './value-tests.ts'

/** A compiled expression. */
export type Evaluate = (frame: Frame) => Value

/** What an expression is compiled with. */
export interface CompileScope {
  /** Names that the template binds itself, with `for` and `set`. */
  readonly bound: ReadonlySet<string>
  readonly environment: EnvironmentValues
  /** The tag's offset in the source, for error positions. */
  readonly offset: number
}

const noArguments: ReadonlyMap<string, Value> = new Map()

/**
 * Compiles an expression.
 *
 * @throws {@link ScholiumError} `invalid_agent_file` for unknown filters, tests and methods, and for unsupported
 * syntax
 */
export function compileExpression(node: Node, scope: CompileScope): Evaluate {
  switch (node.type) {
    case 'Identifier':
      return compileName(node.value, scope)
    case 'IntegerLiteral':
    case 'FloatLiteral':
      return constant(node.value)
    case 'StringLiteral':
      return constant(expandEnvironment(node.value, scope.environment))
    case 'ArrayLiteral':
    case 'TupleLiteral':
      return compileList(node.value, scope)
    case 'ObjectLiteral':
      return compileObject(node.value, scope)
    case 'MemberExpression':
      return compileMember(node, scope)
    case 'CallExpression':
      return compileCall(node, scope)
    case 'BinaryExpression':
      return compileBinary(node, scope)
    case 'UnaryExpression':
      return compileUnary(node, scope)
    case 'FilterExpression':
      return compileFilter(node, scope)
    case 'TestExpression':
      return compileTest(node, scope)
    case 'Ternary':
      return compileChoice(node.condition, node.trueExpr, node.falseExpr, scope)
    case 'SelectExpression':
      return compileChoice(node.test, node.lhs, undefined, scope)
    default:
      throw syntaxError('This syntax is not allowed here', scope.offset)
  }
}

/**
 * Like {@link compileExpression}, for a value that leaves the template. A value created here is charged in full, so
 * that nested lists do not grow beyond bounds when written out; a value that was only read is not examined.
 */
export function compileResult(node: Node, scope: CompileScope): Evaluate {
  const evaluate = compileExpression(node, scope)
  if (node.type === 'MemberExpression' || node.type === 'Identifier') return evaluate
  return (frame) => {
    const value = evaluate(frame)
    if (typeof value === 'object') measure(value, frame.budget)
    return value
  }
}

function constant(value: Value): Evaluate {
  return () => value
}

function compileName(name: string, scope: CompileScope): Evaluate {
  if (constants.has(name)) return constant(constants.get(name))
  if (scope.bound.has(name)) {
    return (frame) =>
      lookUp(frame, name) ?? (isKnown(frame, name) ? undefined : explainMissingName(frame, name))
  }
  return (frame) => {
    const value = getMember(frame.scope, name)
    return value === undefined ? explainMissingName(frame, name) : value
  }
}

/** Compiles an operand of `default` and `is defined`, where even an unknown name may be missing. */
function compileMissable(node: Node, scope: CompileScope): Evaluate {
  if (node.type !== 'Identifier' || constants.has(node.value)) return compileExpression(node, scope)
  return (frame) => lookUp(frame, node.value)
}

function compileList(items: readonly Node[], scope: CompileScope): Evaluate {
  const members = items.map((item) => compileExpression(item, scope))
  return (frame) => {
    frame.budget.spend(members.length)
    return members.map((member): Json => member(frame) ?? null)
  }
}

function compileObject(entries: ReadonlyMap<Node, Node>, scope: CompileScope): Evaluate {
  const members = [...entries].map(
    ([key, value]) => [compileExpression(key, scope), compileExpression(value, scope)] as const,
  )
  return (frame) => {
    frame.budget.spend(members.length)
    const pairs = members.map(
      ([key, value]) => [keyText(key(frame)), value(frame) ?? null] as const,
    )
    return Object.fromEntries(pairs.filter(([key]) => key !== '__proto__'))
  }
}

function keyText(key: Value): string {
  if (typeof key !== 'object' || key === null) return String(key)
  throw valueError(`${describeKind(key)} cannot be a key`)
}

function compileMember(
  node: Extract<Node, { type: 'MemberExpression' }>,
  scope: CompileScope,
): Evaluate {
  const owner = compileExpression(node.object, scope)
  const { property } = node
  if (!node.computed && (property.type === 'Identifier' || property.type === 'IntegerLiteral')) {
    const key = property.value
    return (frame) => getMember(owner(frame), key)
  }
  if (property.type !== 'SliceExpression') {
    const key = compileExpression(property, scope)
    return (frame) => {
      const value = owner(frame)
      if (typeof value === 'string') frame.budget.spend(value.length / 100)
      return getMember(value, key(frame))
    }
  }
  const bound = (part: Node | undefined): Evaluate =>
    part === undefined ? constant(undefined) : compileExpression(part, scope)
  const [start, stop, step] = [bound(property.start), bound(property.stop), bound(property.step)]
  return (frame) => {
    const bounds = { start: start(frame), stop: stop(frame), step: step(frame) }
    return slice(owner(frame), bounds, frame.budget)
  }
}

function compileCall(node: CallNode, scope: CompileScope): Evaluate {
  const { callee } = node
  if (callee.type === 'Identifier') return compileFunction(callee.value, node.args, scope)
  const isMethodCall = callee.type === 'MemberExpression' && !callee.computed
  if (!isMethodCall || callee.property.type !== 'Identifier') {
    throw syntaxError('Only functions and methods can be called', scope.offset)
  }
  const name = callee.property.value
  if (!isMethod(name)) throw explainUnknownName('method', name, methodNames(), scope.offset)
  const owner = compileExpression(callee.object, scope)
  const given = compileArguments(name, node.args, scope)
  return (frame) => callMethod(owner(frame), name, given(frame))
}

function compileFunction(name: string, nodes: readonly Node[], scope: CompileScope): Evaluate {
  const call = functions.get(name)
  if (call === undefined) {
    throw explainUnknownName('function', name, [...functions.keys()], scope.offset)
  }
  const given = compileArguments(name, nodes, scope)
  return (frame) => call(given(frame))
}

function compileArguments(
  owner: string,
  nodes: readonly Node[],
  scope: CompileScope,
): (frame: Frame) => Arguments {
  const positional: Evaluate[] = []
  const named: [string, Evaluate][] = []
  for (const node of nodes) {
    if (node.type === 'KeywordArgumentExpression') {
      named.push([node.key.value, compileExpression(node.value, scope)])
    } else positional.push(compileExpression(node, scope))
  }
  return (frame) => {
    const values = positional.map((argument) => argument(frame))
    const names =
      named.length === 0
        ? noArguments
        : new Map(named.map(([name, argument]) => [name, argument(frame)]))
    return new Arguments(owner, values, names, frame.budget)
  }
}

const orderings: ReadonlySet<string> = new Set(['<', '<=', '>', '>='])

function compileBinary(node: BinaryNode, scope: CompileScope): Evaluate {
  const operator = node.operator.value
  if (orderings.has(operator) && node.left.type === 'BinaryExpression') {
    if (orderings.has(node.left.operator.value)) {
      throw syntaxError(
        'Comparisons cannot be chained',
        scope.offset,
        'Write `a < b and b < c` for `a < b < c`.',
      )
    }
  }
  const left = compileExpression(node.left, scope)
  const right = compileExpression(node.right, scope)
  if (operator === 'and' || operator === 'or') {
    return (frame) => {
      const value = left(frame)
      return isTruthy(value, frame.budget) === (operator === 'and') ? right(frame) : value
    }
  }
  const operate = operators.get(operator)
  if (operate === undefined) throw syntaxError(`There is no operator ${operator}`, scope.offset)
  return (frame) => operate(left(frame), right(frame), frame.budget)
}

function compileUnary(
  node: Extract<Node, { type: 'UnaryExpression' }>,
  scope: CompileScope,
): Evaluate {
  const operand = compileExpression(node.argument, scope)
  const operator = node.operator.value
  if (operator === 'not') return (frame) => !isTruthy(operand(frame), frame.budget)
  return (frame) => negate(operator, operand(frame))
}

function compileFilter(
  node: Extract<Node, { type: 'FilterExpression' }>,
  scope: CompileScope,
): Evaluate {
  const isCall = node.filter.type === 'CallExpression'
  const callee = node.filter.type === 'CallExpression' ? node.filter.callee : node.filter
  const name = callee.type === 'Identifier' ? callee.value : ''
  const filter = findFilter(name)
  if (filter === undefined) throw explainUnknownName('filter', name, filterNames(), scope.offset)
  const nodes = isCall ? (node.filter as CallNode).args : []
  checkHandedOn(name, nodes, scope.offset)
  const compileOperand = name === 'default' || name === 'd' ? compileMissable : compileExpression
  const operand = compileOperand(node.operand, scope)
  const given = compileArguments(name, nodes, scope)
  return (frame) => {
    const value = operand(frame)
    frame.budget.spend(1)
    return filter(value, given(frame))
  }
}

function compileTest(
  node: Extract<Node, { type: 'TestExpression' }>,
  scope: CompileScope,
): Evaluate {
  const name = node.test.value
  if (!isTest(name)) throw explainUnknownName('test', name, testNames(), scope.offset)
  const compileOperand = name.endsWith('defined') ? compileMissable : compileExpression
  const operand = compileOperand(node.operand, scope)
  const given = compileArguments(name, [], scope)
  return (frame) => passes(operand(frame), name, given(frame)) !== node.negate
}

function compileChoice(
  condition: Node,
  whenTrue: Node,
  whenFalse: Node | undefined,
  scope: CompileScope,
): Evaluate {
  const test = compileExpression(condition, scope)
  const yes = compileExpression(whenTrue, scope)
  const no = whenFalse === undefined ? constant(undefined) : compileExpression(whenFalse, scope)
  return (frame) => (isTruthy(test(frame), frame.budget) ? yes(frame) : no(frame))
}
