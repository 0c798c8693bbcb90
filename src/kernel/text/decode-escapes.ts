/** A text with its escapes decoded, and the original position of each of its UTF-16 code units. */
export interface DecodedText {
  readonly text: string
  /** The position of each unit in the original text, followed by that text's length. */
  readonly starts: Int32Array
}

/**
 * An escape as one number, since there may be millions of them: its length and, above {@link lengthBits}, its code point plus one
 * (0: it stands for nothing). 0 for anything that is not an escape.
 */
type Escape = number
const lengthBits = 5

function meaning(length: number, code: number): Escape {
  return code > 0x10ffff ? 0 : ((code + 1) << lengthBits) | length
}

/**
 * Decodes one layer of escapes: of URLs (`%41`, `%u0041`), programs and JSON (`\u0041`, `\x41`, `\101`, `\n`, `\"`), HTML
 * (`&#65;`, `&#x41;`, `&quot;`) and mail (`=41`, a line continued by `=`). A byte becomes the code unit of the same number.
 * `undefined` if the text has no escapes.
 */
export function decodeEscapes(text: string): DecodedText | undefined {
  if (!/[%\\&=]/.test(text)) return undefined
  const units = new Uint16Array(text.length)
  const starts = new Int32Array(text.length + 1)
  let length = 0
  let isChanged = false
  for (let at = 0; at < text.length; ) {
    const unit = text.charCodeAt(at)
    const found = isSign(unit) ? escapeAt(text, at, unit) : 0
    starts[length] = at
    if (found === 0) {
      units[length++] = unit
      at++
      continue
    }
    isChanged = true
    const code = (found >> lengthBits) - 1
    // No escape is shorter than what it stands for.
    if (code > 0xffff) {
      units[length++] = 0xd800 + ((code - 0x10000) >> 10)
      starts[length] = at
    }
    if (code >= 0) units[length++] = code > 0xffff ? 0xdc00 + (code & 0x3ff) : code
    at += found & ((1 << lengthBits) - 1)
  }
  if (!isChanged) return undefined
  starts[length] = text.length
  const bytes = Buffer.from(units.buffer, 0, length * 2)
  return { text: bytes.toString('utf16le'), starts: starts.subarray(0, length + 1) }
}

const [percent, backslash, ampersand, equals] = [37, 92, 38, 61] as const

function isSign(unit: number): boolean {
  return unit === percent || unit === backslash || unit === ampersand || unit === equals
}

function escapeAt(text: string, at: number, sign: number): Escape {
  const next = text.charCodeAt(at + 1)
  if (sign === ampersand) return entityAt(text, at, next)
  if (sign === backslash) return backslashAt(text, at, next)
  if (sign === equals && isBreak(next)) return continued(text, at, next)
  if (sign === percent && (next === 117 || next === 85)) return hexAt(text, at, 2, 4)
  return hexAt(text, at, 1, 2)
}

function backslashAt(text: string, at: number, next: number): Escape {
  if (isBreak(next)) return continued(text, at, next)
  if (next === 120 || next === 88) return hexAt(text, at, 2, 2)
  if (next === 117 || next === 85) {
    if (text.charCodeAt(at + 2) !== 123) return hexAt(text, at, 2, 4)
    const digits = text.slice(at + 3, at + 10).indexOf('}')
    const found = digits < 1 ? 0 : hexAt(text, at, 3, digits)
    return found === 0 ? 0 : found + 1
  }
  if (next >= 48 && next <= 55) return octalAt(text, at)
  const control = controls.get(next)
  if (control !== undefined) return meaning(2, control)
  // Before punctuation, a backslash makes it literal; before any other letter, or at the end, it is not an escape.
  const isPlain = next >= 32 && !/\w/.test(text[at + 1] as string)
  return isPlain ? meaning(2, next) : 0
}

const controls: ReadonlyMap<number, number> = new Map(
  [...'abefnrtv'].map((letter, index) => [
    letter.charCodeAt(0),
    [7, 8, 27, 12, 10, 13, 9, 11][index] as number,
  ]),
)

function octalAt(text: string, at: number): Escape {
  let [code, length] = [0, 1]
  for (; length <= 3; length++) {
    const digit = text.charCodeAt(at + length) - 48
    if (!(digit >= 0 && digit <= 7) || code * 8 + digit > 255) break
    code = code * 8 + digit
  }
  return meaning(length, code)
}

function continued(text: string, at: number, next: number): Escape {
  return meaning(next === 13 && text.charCodeAt(at + 2) === 10 ? 3 : 2, -1)
}

/** The value of hexadecimal digits that start `skipped` code units after the first one of the escape. */
function hexAt(text: string, at: number, skipped: number, count: number): Escape {
  let code = 0
  for (let index = at + skipped; index < at + skipped + count; index++) {
    const digit = hexDigit(text.charCodeAt(index))
    if (digit === -1) return 0
    code = code * 16 + digit
  }
  return meaning(skipped + count, code)
}

function hexDigit(unit: number): number {
  if (unit >= 48 && unit <= 57) return unit - 48
  const letter = (unit | 32) - 87
  return letter >= 10 && letter <= 15 ? letter : -1
}

function isBreak(unit: number): boolean {
  return unit === 10 || unit === 13
}

const maxEntity = 10
const entities: ReadonlyMap<string, number> = new Map(
  'Tab\t NewLine\n excl! quot" num# dollar$ percnt% amp& apos\' lpar( rpar) ast* plus+ comma, period. sol/ colon: semi; lt< equals= gt> quest? commat@ lsqb[ lbrack[ bsol\\ rsqb] rbrack] Hat^ lowbar_ grave` lcub{ lbrace{ verbar| vert| rcub} rbrace}'
    .split(' ')
    .map((entry) => [entry.slice(0, -1), entry.charCodeAt(entry.length - 1)]),
)

function entityAt(text: string, at: number, next: number): Escape {
  const length = text.slice(at, at + maxEntity).indexOf(';') + 1
  if (length === 0) return 0
  const name = text.slice(at + 1, at + length - 1)
  if (next !== 35) return meaning(length, entities.get(name) ?? Infinity)
  const [, hex, decimal] = /^#(?:x([\da-f]+)|(\d+))$/i.exec(name) ?? []
  if (hex !== undefined) return meaning(length, Number.parseInt(hex, 16))
  return meaning(length, decimal === undefined ? Infinity : Number(decimal))
}

/** Where at the end of a text an incomplete escape may begin; the text's length if none does. */
export function openEscapeAt(text: string): number {
  const from = Math.max(0, text.length - maxEntity)
  const open =
    /(?:%u?[\da-f]{0,3}|\\(?:u\{?[\da-f]{0,6}|x[\da-f]?|[0-7]{0,2}|\r)?|&#?x?\w{0,8}|=[\da-f\r]?)$/i
  return from + (open.exec(text.slice(from))?.index ?? text.length - from)
}
