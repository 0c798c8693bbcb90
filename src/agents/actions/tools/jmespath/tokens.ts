import type { Json } from '../../../../kernel/json.ts'
import { ExpressionError } from './syntax-error.ts'

/** A word of an expression. `kind` is the mark itself where it is one. */
export type Token =
  | { readonly kind: 'name' | 'quoted'; readonly text: string; readonly at: number }
  | { readonly kind: 'number'; readonly number: number; readonly at: number }
  | { readonly kind: 'literal'; readonly value: Json; readonly at: number }
  | { readonly kind: Mark; readonly at: number }

/** Marks of the grammar; `end` stands after the last word. */
export type Mark =
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

/** The words of an expression. @throws ExpressionError at what is none */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = []
  const scan = new RegExp(pattern)
  while (scan.lastIndex < text.length) {
    const at = scan.lastIndex + 1
    const found = scan.exec(text)
    if (found === null) throw new ExpressionError(`"${text[at - 1]}" is not understood`, at)
    const token = tokenOf(found.groups ?? {}, at)
    if (token !== undefined) tokens.push(token)
  }
  tokens.push({ kind: 'end', at: text.length + 1 })
  return tokens
}

function tokenOf(
  { name, number, quoted, raw, literal, mark }: Readonly<Record<string, string | undefined>>,
  at: number,
): Token | undefined {
  if (name !== undefined) return { kind: 'name', text: name, at }
  if (number !== undefined) return { kind: 'number', number: Number(number), at }
  if (quoted !== undefined) return { kind: 'quoted', text: parsed(quoted, at) as string, at }
  if (raw !== undefined) {
    const value = raw.slice(1, -1).replaceAll(/\\(['\\])/g, '$1')
    return { kind: 'literal', value, at }
  }
  if (literal !== undefined) {
    const value = parsed(literal.slice(1, -1).replaceAll('\\`', '`'), at)
    return { kind: 'literal', value, at }
  }
  return mark === undefined ? undefined : { kind: mark as Mark, at }
}

function parsed(json: string, at: number): Json {
  try {
    return JSON.parse(json) as Json
  } catch {
    throw new ExpressionError('the quoted text is not JSON', at)
  }
}
