import { parseNumbers } from '../citations/markup/brackets.ts'
import { citationRun } from '../claims/check/parse-claims.ts'

const code = '(?<code>(?<!`)`[^`\\n]+`(?!`))'
const codeOrMarks = new RegExp(`${code}|\\s*(?<marks>${citationRun.source})`, 'gu')
/** A pair around words: no space within its signs and no letter or digit beside them, so that `2**10` and `*.ts` are none. */
const codeOrEmphasis = new RegExp(
  `${code}|(?<![\\p{L}\\p{N}_*])(?<sign>\\*{1,3})(?=["'“‘(+−-]?[\\p{L}\\p{N}$€£\`])(?<words>[^*]+)(?<!\\s)\\k<sign>(?![\\p{L}\\p{N}_*])`,
  'gu',
)
const codeAlone = /(?<![\p{L}\p{N}`])`([^`\n]+)`(?![\p{L}\p{N}`])/gu

/**
 * An answer as it is scored: on one line, without its citations and without emphasis. Brackets whose numbers stand for no
 * citation of it, such as `[0]` or a list, stay; so does a bracket that is the whole answer.
 *
 * @param citations the numbers that the answer cites by
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

/** Of a run of marks those that stand for no citation. */
function keepUncited(run: string, citations: ReadonlySet<number>): string {
  return run.replaceAll(/\s*\[([^\]]*)\]/g, (mark, content: string) =>
    parseNumbers(content).every((n) => citations.has(n)) ? '' : mark,
  )
}

/** Texts as the published scorers see them: they are Python, whose classes of characters differ from those of JavaScript. */

/** What `\s` stands for there, inside a class of a regular expression. */
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

/** A text without what stands in `string.punctuation`. */
export function removePunctuation(text: string): string {
  return text.replaceAll(/[!-/:-@[-`{-~]/g, '')
}

/**
 * The number that `float()` makes of a text: digits of every script, `_` between digits, `inf` and `nan`; `undefined` where it
 * makes none.
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

/** The digits of a script follow each other, from 0 on; where scripts do too, each has ten. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) as number
  let zero = code
  while (zero > 0 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return (code - zero) % 10
}

/** An article as a word of its own: a letter or digit of any script beside it makes it a part of another. */
const article = /(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu

/**
 * An answer as it is compared: small letters, no punctuation, no English articles, one space between words.
 * @see https://rajpurkar.github.io/SQuAD-explorer/ (the evaluation script of SQuAD)
 */
export function normalizeAnswer(text: string): string {
  return normalizedWords(text).join(' ')
}

/** Whether an answer is a right one, both normalised. */
export function isExactMatch(answer: string, gold: string): boolean {
  return normalizeAnswer(answer) === normalizeAnswer(gold)
}

/**
 * How far the words of two answers agree, 0 to 1: the harmonic mean of precision and recall over normalised words, each as
 * often as it stands there. Where one has no words, 1 if neither has.
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
 * Whether an answer is right by the rules of GAIA. Where the right answer is a number, the answer is read as one without `$`,
 * `%` and commas; where it holds a comma or a semicolon, both are lists with as many elements, compared one by one in order;
 * else both are compared without white space, punctuation and difference of case. What is no number equals none: the published
 * scorer takes it for infinity.
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

/** Within a list punctuation counts: it may be what tells two elements apart. */
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
 * The label with which an answer begins, normalised as for exact match; `undefined` where it begins with none. Of two that both
 * fit, the longer one.
 */
export function findLabel(answer: string, labels: readonly string[]): string | undefined {
  const given = `${normalizeAnswer(answer)} `
  return labels
    .filter((label) => given.startsWith(`${normalizeAnswer(label)} `))
    .toSorted((one, other) => other.length - one.length)[0]
}
