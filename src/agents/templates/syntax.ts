import { maxTextLength } from './budget.ts'
import { syntaxError } from './template-error.ts'

/**
 * An expression as parsed by `@huggingface/jinja` 0.5.11, which exports no types for its nodes; these are the ones
 * that agent files may contain.
 */
export type Node =
  | { readonly type: 'Identifier'; readonly value: string }
  | {
      readonly type: 'IntegerLiteral' | 'FloatLiteral'
      readonly value: number
    }
  | { readonly type: 'StringLiteral'; readonly value: string }
  | { readonly type: 'ArrayLiteral' | 'TupleLiteral'; readonly value: readonly Node[] }
  | { readonly type: 'ObjectLiteral'; readonly value: ReadonlyMap<Node, Node> }
  | {
      readonly type: 'MemberExpression'
      readonly object: Node
      readonly property: Node
      readonly computed: boolean
    }
  | CallNode
  | BinaryNode
  | { readonly type: 'UnaryExpression'; readonly operator: Operator; readonly argument: Node }
  | {
      readonly type: 'FilterExpression'
      readonly operand: Node
      readonly filter: CallNode | { readonly type: 'Identifier'; readonly value: string }
    }
  | {
      readonly type: 'TestExpression'
      readonly operand: Node
      readonly negate: boolean
      readonly test: { readonly value: string }
    }
  | {
      readonly type: 'Ternary'
      readonly condition: Node
      readonly trueExpr: Node
      readonly falseExpr: Node
    }
  | { readonly type: 'SelectExpression'; readonly lhs: Node; readonly test: Node }
  | {
      readonly type: 'SliceExpression'
      readonly start?: Node
      readonly stop?: Node
      readonly step?: Node
    }
  | {
      readonly type: 'KeywordArgumentExpression'
      readonly key: { readonly value: string }
      readonly value: Node
    }

/** A call `callee(args)`. */
export type CallNode = {
  readonly type: 'CallExpression'
  readonly callee: Node
  readonly args: readonly Node[]
}

/** Two operands and their operator. */
export type BinaryNode = {
  readonly type: 'BinaryExpression'
  readonly operator: Operator
  readonly left: Node
  readonly right: Node
}

type Library = typeof import('@huggingface/jinja')

type Operator = { readonly value: string }

/** The head of a `for`: the names it binds, what it iterates over, and the condition of `for … in … if …`. */
export interface ForHead {
  readonly names: readonly string[]
  readonly iterable: Node
  readonly condition: Node | undefined
}

/** Parses expressions and heads of statements; offsets in errors are relative to the given start of the text. */
export interface ExpressionParser {
  expression(text: string, offset: number): Node
  forHead(text: string, offset: number): ForHead
}

/** The library examines white space once per character. */
const longSpace = /\s{501}/

/** Loads the parser's library. */
export async function loadExpressionParser(): Promise<ExpressionParser> {
  const { tokenize, parse } = await import('@huggingface/jinja')
  const read = (text: string, offset: number): unknown => {
    if (text.length > maxTextLength) throw syntaxError('The template is too long', offset)
    if (longSpace.test(text)) throw syntaxError('There is too much white space', offset)
    try {
      const { body } = parse(tokenize(text))
      if (body.length === 1) return body[0]
    } catch (thrown) {
      const message = explainParseError(thrown, () => unexpectedToken(text, tokenize, parse))
      throw syntaxError(message, offset, suggestSyntax(text))
    }
    throw syntaxError('There is more than one expression', offset, suggestSyntax(text))
  }
  return {
    expression: (text, offset) => {
      if (text.trim() === '') throw syntaxError('The expression is empty', offset)
      return read(`{{ ${text} }}`, offset) as Node
    },
    forHead: (text, offset) => toForHead(read(`{% for ${text} %}{% endfor %}`, offset), offset),
  }
}

function toForHead(parsed: unknown, offset: number): ForHead {
  const { loopvar, iterable } = parsed as { readonly loopvar: Node; readonly iterable: Node }
  const names = listTargetNames(loopvar)
  if (names === undefined) throw syntaxError('`for` can only bind plain names', offset)
  return iterable.type === 'SelectExpression'
    ? { names, iterable: iterable.lhs, condition: iterable.test }
    : { names, iterable, condition: undefined }
}

/** The names that a `for` or `set` binds; `undefined` for other targets. */
export function listTargetNames(target: Node): readonly string[] | undefined {
  if (target.type === 'Identifier') return [target.value]
  if (target.type !== 'TupleLiteral') return undefined
  const names = target.value.map((item) => (item.type === 'Identifier' ? item.value : undefined))
  return names.every((name) => name !== undefined) ? names : undefined
}

function explainParseError(thrown: unknown, unexpected: () => string | undefined): string {
  if (thrown instanceof RangeError) return 'The expression is nested too deeply'
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  const isVague = thrown instanceof TypeError || /^Parser Error|^Unexpected token/.test(message)
  if (!isVague) return message
  const token = unexpected()
  return token === undefined ? 'The expression ends too early' : `Unexpected \`${token}\``
}

/** The token at which the library stopped, which it does not report; `undefined` at the end. */
function unexpectedToken(
  text: string,
  tokenize: Library['tokenize'],
  parse: Library['parse'],
): string | undefined {
  const tokens = tokenize(text)
  let last = 0
  const watched = new Proxy(tokens, {
    get: (target, property, receiver) => {
      if (typeof property === 'string' && /^\d+$/.test(property)) last = Number(property)
      return Reflect.get(target, property, receiver)
    },
  })
  try {
    parse(watched)
  } catch {
    const token = tokens[last]
    return token === undefined || token.type.startsWith('Close') ? endToken(token) : token.value
  }
  return undefined
}

function endToken(token: { readonly type: string; readonly value: string } | undefined) {
  const endsTag = token === undefined || /^Close(Expression|Statement)$/.test(token.type)
  return endsTag ? undefined : token.value
}

function suggestSyntax(text: string): string | undefined {
  if (text.includes('&&') || text.includes('||') || text.includes('===')) {
    return 'Write `and`, `or`, `not` and `==`.'
  }
  if (/\bis\s+(not\s+)?\w+\s*[([\w'"]/.test(text)) {
    return 'A test after `is` takes no arguments here; compare with `==`, `in` or `%`.'
  }
  return undefined
}
