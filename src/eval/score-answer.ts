import { parseNumbers } from '../citations/markup/brackets.ts'
import { citationRun } from '../claims/check/parse-claims.ts'

const code = '(?<code>(?<!`)`[^`\\n]+`(?!`))'
const codeOrMarks = new RegExp(`${code}|\\s*(?<marks>${citationRun.source})`, 'gu')
/**
 * Emphasis or code marks around words, without spaces inside and letters or digits outside, so that `2**10` and `*.ts` do
 * not match.
 */
const codeOrEmphasis = new RegExp(
  `${code}|(?<![\\p{L}\\p{N}_*])(?<sign>\\*{1,3})(?=["'“‘(+−-]?[\\p{L}\\p{N}$€£\`])(?<words>[^*]+)(?<!\\s)\\k<sign>(?![\\p{L}\\p{N}_*])`,
  'gu',
)
const codeAlone = /(?<![\p{L}\p{N}`])`([^`\n]+)`(?![\p{L}\p{N}`])/gu

/**
 * Prepares an answer for scoring: on one line, without citations and emphasis. Brackets with numbers that are not
 * citations, such as `[0]` or a list, are kept, and so is a bracket that is the whole answer.
 *
 * @param citations the numbers that the answer cites
 */
export function toPlainAnswer(markdown: string, citations: ReadonlySet<number>): string {
  const uncited = markdown.replaceAll(codeOrMarks, (...match) => {
    const groups = match.at(-1) as Readonly<Record<string, string | undefined>>
    return groups.marks === undefined ? String(match[0]) : keepUncited(String(match[0]), citations)
  })
  return (/[\p{L}\p{N}]/u.test(uncited) ? uncited : markdown)
    .replaceAll(codeOrEmphasis, (...match) => {
      const groups = match.at(-1) as Readonly<Record<string, string | undefined>>
      return groups.words ?? String(match[0])
    })
    .replaceAll(codeAlone, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** The marks of a run that are not citations. */
function keepUncited(run: string, citations: ReadonlySet<number>): string {
  return run.replaceAll(/\s*\[([^\]]*)\]/g, (mark, content: string) =>
    parseNumbers(content).every((n) => citations.has(n)) ? '' : mark,
  )
}

/** The published scorers are written in Python, whose character classes differ from JavaScript's. */

/** Python's `\s`, for use inside a character class. */
const spaces =
  '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'

/** A text without white space. */
export function removeSpace(text: string): string {
  return text.replaceAll(new RegExp(`[${spaces}]+`, 'gu'), '')
}

/** The words of a text, as `split()` gives them. */
export function splitWords(text: string): readonly string[] {
  return text.split(new RegExp(`[${spaces}]+`, 'u')).filter((word) => word !== '')
}

/** A text without the characters of Python's `string.punctuation`. */
export function removePunctuation(text: string): string {
  return text.replaceAll(/[!-/:-@[-`{-~]/g, '')
}

/**
 * Parses a number like Python's `float()`: digits of every script, `_` between digits, `inf` and `nan`; otherwise
 * `undefined`.
 * @see https://docs.python.org/3/library/functions.html#float
 */
export function parseFloatLikePython(text: string): number | undefined {
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

/** The digits of a script are consecutive from 0; adjacent scripts have ten each. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) as number
  let zero = code
  while (zero > 0 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return (code - zero) % 10
}

/** An article as a separate word, with no letter or digit of any script next to it. */
const article = /(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu

/**
 * Normalizes an answer: lower case, no punctuation, no English articles, single spaces.
 * @see https://rajpurkar.github.io/SQuAD-explorer/ (the evaluation script of SQuAD)
 */
export function normalizeAnswer(text: string): string {
  return normalizedWords(text).join(' ')
}

/** Whether an answer equals a correct one, both normalized. */
export function isExactMatch(answer: string, gold: string): boolean {
  return normalizeAnswer(answer) === normalizeAnswer(gold)
}

/**
 * The F1 score of two answers' words, 0 to 1: the harmonic mean of precision and recall over normalized words, counting
 * repetitions. If either has no words, 1 if both have none.
 * @see https://arxiv.org/abs/1606.05250 (section 6.1)
 */
export function tokenF1(answer: string, gold: string): number {
  const given = normalizedWords(answer)
  const wanted = normalizedWords(gold)
  if (given.length === 0 || wanted.length === 0) return given.length === wanted.length ? 1 : 0
  const left = new Map<string, number>()
  for (const word of wanted) left.set(word, (left.get(word) ?? 0) + 1)
  let shared = 0
  for (const word of given) {
    const times = left.get(word) ?? 0
    if (times === 0) continue
    left.set(word, times - 1)
    shared++
  }
  return (2 * shared) / (given.length + wanted.length)
}

function normalizedWords(text: string): readonly string[] {
  return splitWords(removePunctuation(text.toLowerCase()).replaceAll(article, ' '))
}

/**
 * Whether an answer is correct by the rules of GAIA. If the correct answer is a number, the answer is parsed as one
 * without `$`, `%` and commas. If it contains a comma or a semicolon, both are lists of the same length, compared element
 * by element. Otherwise both are compared without white space, punctuation and case. Text that is not a number equals no
 * number; the published scorer reads it as infinity.
 *
 * @see https://huggingface.co/spaces/gaia-benchmark/leaderboard (scorer)
 * @see https://arxiv.org/abs/2311.12983 (section 3.3)
 */
export function isRightForGaia(answer: string, gold: string): boolean {
  const wanted = parseFloatLikePython(gold)
  if (wanted !== undefined) return parseNumberWithUnit(answer) === wanted
  if (!/[,;]/.test(gold))
    return removePunctuation(foldText(answer)) === removePunctuation(foldText(gold))
  const elements = answer.split(/[,;]/)
  const wantedElements = gold.split(/[,;]/)
  return (
    elements.length === wantedElements.length &&
    wantedElements.every((element, index) => isSameElement(elements[index] as string, element))
  )
}

/** Within a list punctuation counts, since it may distinguish two elements. */
function isSameElement(element: string, wanted: string): boolean {
  const number = parseFloatLikePython(wanted)
  return number === undefined
    ? foldText(element) === foldText(wanted)
    : parseNumberWithUnit(element) === number
}

function parseNumberWithUnit(text: string): number | undefined {
  return parseFloatLikePython(text.replaceAll(/[$%,]/g, ''))
}

function foldText(text: string): string {
  return removeSpace(text).toLowerCase()
}

/**
 * The label that an answer begins with, normalized as for exact match; `undefined` if there is none. If two fit, the
 * longer one.
 */
export function findLabel(answer: string, labels: readonly string[]): string | undefined {
  const given = `${normalizeAnswer(answer)} `
  return labels
    .filter((label) => given.startsWith(`${normalizeAnswer(label)} `))
    .toSorted((one, other) => other.length - one.length)[0]
}
