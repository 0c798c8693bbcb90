import type { Json } from '../json.ts'

/** A position in a text. Nothing at or after `limit` is read. */
export interface JsonCursor {
  readonly text: string
  readonly limit: number
  /** The characters that may follow a value; what follows a quote decides whether the quote ends its string. */
  readonly closers: string
  position: number
}

/** The result of reading a string, number or literal; `cut` if the text ended within it, with the available part. */
export type Scalar =
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'cut'; readonly value?: Json }
  | { readonly kind: 'broken' }

const jsonClosers = ',:}]'
const closingQuotes: Readonly<Record<string, string>> = { '"': '"', "'": "'", '“': '”', '‘': '’' }
const literals: ReadonlyMap<string, Json> = new Map<string, Json>([
  ...['true', 'True', 'TRUE'].map((name) => [name, true] as const),
  ...['false', 'False', 'FALSE'].map((name) => [name, false] as const),
  ...['null', 'Null', 'NULL', 'None', 'undefined', 'NaN'].map((name) => [name, null] as const),
])

/** A cursor at `position` of `text`; `limit` is the assumed end of the text. */
export function cursorAt(
  text: string,
  position: number,
  limit: number = text.length,
  closers: string = jsonClosers,
): JsonCursor {
  return { text, limit, closers, position }
}

/** Moves the cursor past white space and comments; returns whether there was a line break. */
export function skipBlank(cursor: JsonCursor): boolean {
  let crossedLine = false
  for (;;) {
    const end = endOfBlank(cursor.text, cursor.position, cursor.limit)
    crossedLine ||= cursor.text.slice(cursor.position, end).includes('\n')
    cursor.position = end
    const comment = cursor.text.startsWith('//', end)
      ? '\n'
      : cursor.text.startsWith('/*', end)
        ? '*/'
        : ''
    if (comment === '' || end >= cursor.limit) return crossedLine
    const close = cursor.text.indexOf(comment, end + 2)
    const after = close === -1 ? cursor.limit : close + (comment === '\n' ? 0 : 2)
    cursor.position = Math.min(after, cursor.limit)
  }
}

/** Reads the key of an object's member, quoted or not. */
export function readKey(cursor: JsonCursor): Scalar {
  if (!isQuote(cursor.text[cursor.position])) {
    const name = matchAt(/[\w$][\w$-]*/y, cursor)
    return name === undefined ? { kind: 'broken' } : { kind: 'value', value: name }
  }
  const quoted = readString(cursor)
  return quoted.kind === 'value' ? quoted : { kind: 'cut' }
}

/** Reads the string, number or literal at the cursor and moves past it. */
export function readScalar(cursor: JsonCursor): Scalar {
  const first = cursor.text[cursor.position] as string
  if (isQuote(first)) return readString(cursor)
  return /[-+.\d]/.test(first) ? readNumber(cursor) : readLiteral(cursor)
}

function readNumber(cursor: JsonCursor): Scalar {
  const digits = matchAt(/[-+]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?/y, cursor)
  if (cursor.position >= cursor.limit) return { kind: 'cut' }
  const value = Number(digits)
  if (digits !== undefined && Number.isFinite(value) && endsValue(cursor)) {
    return { kind: 'value', value }
  }
  return matchAt(/[-+.eE\d]+/y, cursor) !== undefined && cursor.position >= cursor.limit
    ? { kind: 'cut' }
    : { kind: 'broken' }
}

function readLiteral(cursor: JsonCursor): Scalar {
  const word = matchAt(/[A-Za-z]+/y, cursor)
  if (word === undefined) return { kind: 'broken' }
  const value = literals.get(word)
  if (value !== undefined && endsValue(cursor)) return { kind: 'value', value }
  const isCut =
    cursor.position >= cursor.limit && literals.keys().some((name) => name.startsWith(word))
  return { kind: isCut ? 'cut' : 'broken' }
}

/** Whether the cursor is after a complete value: at the end, at white space, a comment or a closer. */
function endsValue({ text, position, limit, closers }: JsonCursor): boolean {
  const next = text[position] as string
  return position >= limit || closers.includes(next) || next === '/' || isBlank(next)
}

function readString(cursor: JsonCursor): Scalar {
  const { text, limit } = cursor
  const start = cursor.position + 1
  const quote = closingQuotes[text[cursor.position] as string] as string
  for (let index = start; index < limit; index++) {
    if (text[index] === '\\') index++
    else if (text[index] === quote && endsString(cursor, index + 1)) {
      cursor.position = index + 1
      return { kind: 'value', value: unescapeString(text.slice(start, index)) }
    }
  }
  cursor.position = limit
  const rest = text.slice(start, limit).replace(/\\(?:u[\da-fA-F]{0,3})?$/, '')
  return { kind: 'cut', value: unescapeString(rest) }
}

/**
 * Whether the quote before `position` ends its string. In valid JSON a closer follows, so any other quote is part of the text,
 * unless the next string begins without a comma.
 */
function endsString({ text, limit, closers }: JsonCursor, position: number): boolean {
  const next = endOfBlank(text, position, limit)
  if (next >= limit || closers.includes(text[next] as string)) return true
  if (text.startsWith('//', next) || text.startsWith('/*', next)) return true
  return next > position && isQuote(text[next])
}

function unescapeString(raw: string): string {
  if (!raw.includes('\\')) return raw
  return raw.replace(/\\(u[\da-fA-F]{4}|[\s\S])/g, (whole, sign: string) => {
    if (sign.length > 1) return String.fromCharCode(Number.parseInt(sign.slice(1), 16))
    // An escape that JSON does not define (as in a regular expression or LaTeX) keeps its backslash.
    return escapes[sign] ?? whole
  })
}

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/** The match of the sticky `pattern` at the cursor, which moves past it; `undefined` without a match. */
export function matchAt(pattern: RegExp, cursor: JsonCursor): string | undefined {
  pattern.lastIndex = cursor.position
  const found = pattern.exec(cursor.text)?.[0].slice(0, cursor.limit - cursor.position)
  cursor.position += found?.length ?? 0
  return found
}

/** Whether `character` is at the cursor, which then moves past it. */
export function skipCharacter(cursor: JsonCursor, character: string): boolean {
  if (cursor.text[cursor.position] !== character || cursor.position >= cursor.limit) return false
  cursor.position++
  return true
}

function endOfBlank(text: string, position: number, limit: number): number {
  let end = position
  while (end < limit && isBlank(text[end] as string)) end++
  return end
}

function isBlank(character: string): boolean {
  return character === ' ' || character === '\n' || character === '\r' || /^\s$/.test(character)
}

/** Whether `character` opens an object or an array. */
export function isOpener(character: string | undefined): boolean {
  return character === '{' || character === '['
}

/** Whether `character` opens a string. */
export function isQuote(character: string | undefined): boolean {
  return character !== undefined && closingQuotes[character] !== undefined
}
