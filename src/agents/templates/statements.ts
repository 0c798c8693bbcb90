import { type ExpressionParser, listTargetNames, type Node } from './syntax.ts'
import { type Piece, splitPieces } from './tags.ts'
import { syntaxError } from './template-error.ts'

/** A part of a template. `offset` is where its tag starts in the source. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'output'; readonly expression: Node; readonly offset: number }
  | {
      readonly kind: 'if'
      readonly branches: readonly {
        readonly condition: Node
        readonly body: readonly Part[]
        readonly offset: number
      }[]
      readonly otherwise: readonly Part[]
    }
  | {
      readonly kind: 'for'
      readonly names: readonly string[]
      readonly iterable: Node
      readonly condition: Node | undefined
      readonly body: readonly Part[]
      readonly otherwise: readonly Part[]
      readonly offset: number
    }
  | {
      readonly kind: 'set'
      readonly names: readonly string[]
      /** The assigned value: an expression, or the text of a body. */
      readonly value: Node | readonly Part[]
      readonly offset: number
    }

interface Reader {
  readonly parser: ExpressionParser
  readonly pieces: readonly Piece[]
  next: number
}

interface Ending {
  readonly word: string
  readonly rest: string
  readonly offset: number
}

/**
 * Parses a template into parts.
 *
 * @throws {@link ScholiumError} `invalid_agent_file` with `details.offset` for invalid syntax
 */
export function parseTemplate(source: string, parser: ExpressionParser): readonly Part[] {
  const reader: Reader = { parser, pieces: splitPieces(source), next: 0 }
  const { parts } = readParts(reader, [], undefined)
  return parts
}

function readParts(
  reader: Reader,
  endings: readonly string[],
  opened: Ending | undefined,
): { readonly parts: readonly Part[]; readonly ending: Ending } {
  const parts: Part[] = []
  while (reader.next < reader.pieces.length) {
    const piece = reader.pieces[reader.next++] as Piece
    if (piece.kind === 'text') parts.push({ kind: 'text', text: piece.text })
    else if (piece.kind === 'output') parts.push(readOutput(reader, piece))
    else {
      const statement = toStatement(piece)
      if (endings.includes(statement.word)) return { parts, ending: statement }
      parts.push(readStatement(reader, statement))
    }
  }
  if (opened === undefined) return { parts, ending: { word: '', rest: '', offset: 0 } }
  throw syntaxError(`\`{% ${opened.word} %}\` is not closed`, opened.offset, closingHint(opened))
}

function closingHint({ word }: Ending): string {
  return `Add \`{% end${word} %}\`.`
}

function readOutput({ parser }: Reader, { text, offset }: Piece): Part {
  return { kind: 'output', expression: parser.expression(text, offset), offset }
}

function toStatement({ text, offset }: Piece): Ending {
  const trimmed = text.trim()
  const word = /^\w*/.exec(trimmed)?.[0] ?? ''
  return { word, rest: trimmed.slice(word.length), offset }
}

function readStatement(reader: Reader, statement: Ending): Part {
  if (statement.word === 'if') return readIf(reader, statement)
  if (statement.word === 'for') return readFor(reader, statement)
  if (statement.word === 'set') return readSet(reader, statement)
  const isEnd = /^(end|else|elif)/.test(statement.word)
  throw syntaxError(
    isEnd
      ? `\`{% ${statement.word} %}\` closes nothing`
      : `\`{% ${statement.word} %}\` is not part of agent files`,
    statement.offset,
    isEnd ? undefined : 'Use `if`, `for`, `set` and `raw`.',
  )
}

function readIf(reader: Reader, opened: Ending): Part {
  const branches: { condition: Node; body: readonly Part[]; offset: number }[] = []
  let head = opened
  while (head.word !== 'endif') {
    const isElse = head.word === 'else'
    const condition = isElse ? undefined : reader.parser.expression(head.rest, head.offset)
    const allowed = isElse ? ['endif'] : ['elif', 'else', 'endif']
    const { parts, ending } = readParts(reader, allowed, opened)
    if (condition === undefined) return { kind: 'if', branches, otherwise: parts }
    branches.push({ condition, body: parts, offset: head.offset })
    head = ending
  }
  return { kind: 'if', branches, otherwise: [] }
}

function readFor(reader: Reader, opened: Ending): Part {
  const head = reader.parser.forHead(opened.rest, opened.offset)
  const { parts: body, ending } = readParts(reader, ['else', 'endfor'], opened)
  const otherwise = ending.word === 'else' ? readParts(reader, ['endfor'], opened).parts : []
  return { kind: 'for', ...head, body, otherwise, offset: opened.offset }
}

function readSet(reader: Reader, opened: Ending): Part {
  const { rest } = opened
  const place = rest.indexOf('=')
  const target = place === -1 ? rest : rest.slice(0, place)
  const isAssignment = /^[\w\s,]+$/.test(target) && target.trim() !== '' && rest[place + 1] !== '='
  const names = isAssignment
    ? listTargetNames(reader.parser.expression(`(${target.trim()})`, opened.offset))
    : undefined
  if (names === undefined) {
    throw syntaxError('The syntax of `set` is `{% set name = expression %}`', opened.offset)
  }
  if (place !== -1) {
    const value = reader.parser.expression(rest.slice(place + 1), opened.offset)
    return { kind: 'set', names, value, offset: opened.offset }
  }
  const { parts: value } = readParts(reader, ['endset'], opened)
  return { kind: 'set', names, value, offset: opened.offset }
}
