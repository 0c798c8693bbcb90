import type { Json } from '../../../../kernel/json.ts'
import { ExpressionError } from '../json-values.ts'

/** An expression as a tree. */
export type Expression =
  | { readonly kind: 'current' }
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'slice'; readonly bounds: readonly (number | undefined)[] }
  | { readonly kind: 'literal'; readonly value: Json }
  /** Applies the right expression to the left one's result. */
  | { readonly kind: 'then'; readonly left: Expression; readonly right: Expression }
  /** Applies the right expression to each item of the left one's result. */
  | {
      readonly kind: 'each'
      readonly of: 'list' | 'values' | 'flattened'
      readonly left: Expression
      readonly right: Expression
      /** Selects items. */
      readonly where?: Expression
    }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'map'; readonly members: readonly (readonly [string, Expression])[] }
  | {
      readonly kind: 'compare'
      readonly mark: Comparison
      readonly left: Expression
      readonly right: Expression
    }
  | { readonly kind: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'not'; readonly inner: Expression }
  | { readonly kind: 'call'; readonly name: string; readonly given: readonly Expression[] }
  /** An expression passed to a function. */
  | { readonly kind: 'reference'; readonly inner: Expression }

/** How two values are compared. */
export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>='

const maxCharacters = 4_000

const maxDepth = 60

const current: Expression = { kind: 'current' }

/** Binding power of each mark. @see https://jmespath.org/specification.html#grammar */
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

/** Marks below this binding power end a projection. */
const projectionEnd = 10

/** Parses a JMESPath expression. @throws ExpressionError for a malformed one */
export function parseJmesPath(text: string): Expression {
  if (text.length > maxCharacters)
    throw new ExpressionError(`it is longer than ${maxCharacters} characters`)
  const parser = new Parser(tokenize(text))
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
        throw createUnexpectedError(token)
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

  /** Parses what a projection does with each item. */
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
    throw createUnexpectedError(token)
  }

  /** Whether a bracket opens a list of expressions instead of an index, a slice or `[*]`. */
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
      else throw createUnexpectedError(token)
    }
    if (bounds.length > 1) {
      const sliced: Expression = { kind: 'then', left, right: { kind: 'slice', bounds } }
      return { kind: 'each', of: 'list', left: sliced, right: this.projected(20) }
    }
    const [index] = bounds
    if (index === undefined) throw createUnexpectedError(this.peek())
    return { kind: 'then', left, right: { kind: 'index', index } }
  }

  private list(): Expression {
    return { kind: 'list', items: this.separated(']', () => this.expression(0)) }
  }

  private map(): Expression {
    const members = this.separated('}', () => {
      const name = this.next()
      if (name.kind !== 'name' && name.kind !== 'quoted') throw createUnexpectedError(name)
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
    if (token.kind !== kind) throw createUnexpectedError(token)
    this.next()
  }
}

function createUnexpectedError(token: Token): ExpressionError {
  const found =
    token.kind === 'end' ? 'it ends too early' : `${formatToken(token)} does not fit here`
  return new ExpressionError(found, token.at)
}

function formatToken(token: Token): string {
  return 'text' in token ? `"${token.text}"` : `"${'number' in token ? token.number : token.kind}"`
}

/** A token of an expression; `kind` is the mark itself where it is one. */
type Token =
  | { readonly kind: 'name' | 'quoted'; readonly text: string; readonly at: number }
  | { readonly kind: 'number'; readonly number: number; readonly at: number }
  | { readonly kind: 'literal'; readonly value: Json; readonly at: number }
  | { readonly kind: Mark; readonly at: number }

/** Marks of the grammar; `end` follows the last token. */
type Mark =
  | '.'
  | '*'
  | '['
  | ']'
  | '[]'
  | '[?'
  | '{'
  | '}'
  | '('
  | ')'
  | ','
  | ':'
  | '@'
  | '&'
  | '&&'
  | '|'
  | '||'
  | '!'
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | 'end'

const pattern =
  /\s+|(?<name>[A-Za-z_]\w*)|(?<number>-?\d+)|(?<quoted>"(?:[^"\\]|\\.)*")|(?<raw>'(?:[^'\\]|\\[\s\S])*')|(?<literal>`(?:[^`\\]|\\[\s\S])*`)|(?<mark>\[\]|\[\?|&&|\|\||==|!=|<=|>=|[.*[\]{}(),:@&|!<>])/gy

/** Splits an expression into tokens. @throws ExpressionError at an unknown character */
function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = []
  const scan = new RegExp(pattern)
  while (scan.lastIndex < text.length) {
    const at = scan.lastIndex + 1
    const found = scan.exec(text)
    if (found === null) throw new ExpressionError(`"${text[at - 1]}" is not understood`, at)
    const token = toToken(found.groups ?? {}, at)
    if (token !== undefined) tokens.push(token)
  }
  tokens.push({ kind: 'end', at: text.length + 1 })
  return tokens
}

function toToken(
  { name, number, quoted, raw, literal, mark }: Readonly<Record<string, string | undefined>>,
  at: number,
): Token | undefined {
  if (name !== undefined) return { kind: 'name', text: name, at }
  if (number !== undefined) return { kind: 'number', number: Number(number), at }
  if (quoted !== undefined) return { kind: 'quoted', text: parseJson(quoted, at) as string, at }
  if (raw !== undefined) {
    const value = raw.slice(1, -1).replaceAll(/\\(['\\])/g, '$1')
    return { kind: 'literal', value, at }
  }
  if (literal !== undefined) {
    const value = parseJson(literal.slice(1, -1).replaceAll('\\`', '`'), at)
    return { kind: 'literal', value, at }
  }
  return mark === undefined ? undefined : { kind: mark as Mark, at }
}

function parseJson(json: string, at: number): Json {
  try {
    return JSON.parse(json) as Json
  } catch {
    throw new ExpressionError('the quoted text is not JSON', at)
  }
}
