import type { Comparison, Expression } from './expression.ts'
import { ExpressionError } from './syntax-error.ts'
import { type Mark, type Token, tokensOf } from './tokens.ts'

const maxCharacters = 4_000
const maxDepth = 60
const current: Expression = { kind: 'current' }

/** How tightly a mark binds what stands before it. @see https://jmespath.org/specification.html#grammar */
const binding: { readonly [mark in Mark]?: number } = {
  '|': 1,
  '||': 2,
  '&&': 3,
  '==': 5,
  '!=': 5,
  '<': 5,
  '<=': 5,
  '>': 5,
  '>=': 5,
  '[]': 9,
  '[?': 21,
  '.': 40,
  '[': 55,
}
/** What a projection does not reach over. */
const projectionEnd = 10

/** Reads an expression of JMESPath. @throws ExpressionError for what is none */
export function parseJmesPath(text: string): Expression {
  if (text.length > maxCharacters)
    throw new ExpressionError(`it is longer than ${maxCharacters} characters`)
  const parser = new Parser(tokensOf(text))
  return parser.whole()
}

class Parser {
  private readonly tokens: readonly Token[]
  private position = 0
  private depth = 0

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }

  whole(): Expression {
    const expression = this.expression(0)
    this.expect('end')
    return expression
  }

  private expression(power: number): Expression {
    if (++this.depth > maxDepth) throw new ExpressionError('it is nested too deeply')
    let left = this.first(this.next())
    while (power < (binding[this.peek().kind as Mark] ?? 0)) left = this.more(left, this.next())
    this.depth--
    return left
  }

  private first(token: Token): Expression {
    switch (token.kind) {
      case 'name':
        return this.takes('(') ? this.call(token.text) : { kind: 'field', name: token.text }
      case 'quoted':
        return { kind: 'field', name: token.text }
      case 'literal':
        return { kind: 'literal', value: token.value }
      case '@':
        return current
      case '*':
        return { kind: 'each', of: 'values', left: current, right: this.projected(20) }
      case '!':
        return { kind: 'not', inner: this.expression(45) }
      case '&':
        return { kind: 'reference', inner: this.expression(0) }
      case '(': {
        const inner = this.expression(0)
        this.expect(')')
        return inner
      }
      case '{':
        return this.map()
      case '[':
        return this.isListStart() ? this.list() : this.bracket(current)
      case '[]':
      case '[?':
        return this.more(current, token)
      default:
        throw unexpected(token)
    }
  }

  private more(left: Expression, token: Token): Expression {
    const { kind } = token
    switch (kind) {
      case '.':
        if (this.takes('*')) return { kind: 'each', of: 'values', left, right: this.projected(20) }
        return { kind: 'then', left, right: this.afterDot() }
      case '[':
        return this.bracket(left)
      case '[]':
        return { kind: 'each', of: 'flattened', left, right: this.projected(9) }
      case '[?': {
        const where = this.expression(0)
        this.expect(']')
        return { kind: 'each', of: 'list', left, where, right: this.projected(21) }
      }
      case '|':
        return { kind: 'then', left, right: this.expression(1) }
      case '||':
        return { kind: 'or', left, right: this.expression(2) }
      case '&&':
        return { kind: 'and', left, right: this.expression(3) }
      default:
        return { kind: 'compare', mark: kind as Comparison, left, right: this.expression(5) }
    }
  }

  /** What a projection does with each item. */
  private projected(power: number): Expression {
    const { kind, at } = this.peek()
    if ((binding[kind as Mark] ?? 0) < projectionEnd) return current
    if (kind === '.') {
      this.next()
      if (this.takes('*')) {
        const each: Expression = {
          kind: 'each',
          of: 'values',
          left: current,
          right: this.projected(20),
        }
        return this.continued(each, power)
      }
      return this.continued(this.afterDot(), power)
    }
    if (kind === '[' || kind === '[?') return this.expression(power)
    throw new ExpressionError('this cannot follow a projection', at)
  }

  private continued(first: Expression, power: number): Expression {
    let left = first
    while (power < (binding[this.peek().kind as Mark] ?? 0)) left = this.more(left, this.next())
    return left
  }

  private afterDot(): Expression {
    const token = this.next()
    if (token.kind === 'name')
      return this.takes('(') ? this.call(token.text) : { kind: 'field', name: token.text }
    if (token.kind === 'quoted') return { kind: 'field', name: token.text }
    if (token.kind === '{') return this.map()
    if (token.kind === '[') return this.list()
    throw unexpected(token)
  }

  /** Whether a bracket opens a list of expressions, not an index, a slice or `[*]`. */
  private isListStart(): boolean {
    const { kind } = this.peek()
    if (kind === '*') return this.tokens[this.position + 1]?.kind !== ']'
    return kind !== 'number' && kind !== ':'
  }

  private bracket(left: Expression): Expression {
    if (this.takes('*')) {
      this.expect(']')
      return { kind: 'each', of: 'list', left, right: this.projected(20) }
    }
    const bounds: (number | undefined)[] = [undefined]
    while (!this.takes(']')) {
      const token = this.next()
      if (token.kind === 'number') bounds[bounds.length - 1] = token.number
      else if (token.kind === ':' && bounds.length < 3) bounds.push(undefined)
      else throw unexpected(token)
    }
    if (bounds.length > 1) {
      const sliced: Expression = { kind: 'then', left, right: { kind: 'slice', bounds } }
      return { kind: 'each', of: 'list', left: sliced, right: this.projected(20) }
    }
    const [index] = bounds
    if (index === undefined) throw unexpected(this.peek())
    return { kind: 'then', left, right: { kind: 'index', index } }
  }

  private list(): Expression {
    return { kind: 'list', items: this.separated(']', () => this.expression(0)) }
  }

  private map(): Expression {
    const members = this.separated('}', () => {
      const name = this.next()
      if (name.kind !== 'name' && name.kind !== 'quoted') throw unexpected(name)
      this.expect(':')
      return [name.text, this.expression(0)] as const
    })
    return { kind: 'map', members }
  }

  private call(name: string): Expression {
    const given = this.takes(')') ? [] : this.separated(')', () => this.expression(0))
    return { kind: 'call', name, given }
  }

  private separated<Item>(end: Mark, read: () => Item): readonly Item[] {
    const items = [read()]
    while (this.takes(',')) items.push(read())
    this.expect(end)
    return items
  }

  private peek(): Token {
    return this.tokens[this.position] as Token
  }

  private next(): Token {
    const token = this.peek()
    if (token.kind !== 'end') this.position++
    return token
  }

  private takes(kind: Mark): boolean {
    const isNext = this.peek().kind === kind
    if (isNext) this.position++
    return isNext
  }

  private expect(kind: Mark): void {
    const token = this.peek()
    if (token.kind !== kind) throw unexpected(token)
    this.next()
  }
}

function unexpected(token: Token): ExpressionError {
  const found = token.kind === 'end' ? 'it ends too early' : `${shown(token)} is not allowed here`
  return new ExpressionError(found, token.at)
}

function shown(token: Token): string {
  return 'text' in token ? `"${token.text}"` : `"${'number' in token ? token.number : token.kind}"`
}
