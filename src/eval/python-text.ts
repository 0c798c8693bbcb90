/** Texts as the published scorers see them: they are Python, whose classes of characters differ from those of JavaScript. */

/** What `\s` stands for there, inside a class of a regular expression. */
const spaces =
  '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'

/** A text without white space. */
export function withoutSpace(text: string): string {
  return text.replaceAll(new RegExp(`[${spaces}]+`, 'gu'), '')
}

/** The words of a text, as `split()` gives them. */
export function wordsOf(text: string): readonly string[] {
  return text.split(new RegExp(`[${spaces}]+`, 'u')).filter((word) => word !== '')
}

/** A text without what stands in `string.punctuation`. */
export function withoutPunctuation(text: string): string {
  return text.replaceAll(/[!-/:-@[-`{-~]/g, '')
}

/**
 * The number that `float()` makes of a text: digits of every script, `_` between digits, `inf` and `nan`; `undefined` where it
 * makes none.
 * @see https://docs.python.org/3/library/functions.html#float
 */
export function floatOf(text: string): number | undefined {
  const written = text
    .replace(new RegExp(`^[${spaces}]+|[${spaces}]+$`, 'gu'), '')
    .replaceAll(/\p{Nd}/gu, (digit) => String(digitValue(digit)))
    .toLowerCase()
  const [, sign, name] = /^([+-]?)(?:(inf|infinity)|nan)$/.exec(written) ?? []
  if (sign !== undefined)
    return name === undefined ? Number.NaN : sign === '-' ? -Infinity : Infinity
  return number.test(written) ? Number(written.replaceAll('_', '')) : undefined
}

const number = /^[+-]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+(?:_\d+)*)?$/

/** The digits of a script follow each other, from 0 on; where scripts do too, each has ten. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) as number
  let zero = code
  while (zero > 0 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return (code - zero) % 10
}
