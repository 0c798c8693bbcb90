import {
  digitScales,
  numberWords,
  ordinalWords,
  parseNumber,
  parsePower,
  scales,
} from './quantities.ts'
import type { Token } from './tokens.ts'

/** A number in running text: equal `key`s are the same number. One that cannot be parsed has no value. */
export interface NumberPhrase {
  readonly key: string
  readonly value?: number
  /** How many tokens it takes. */
  readonly count: number
}

interface Counted {
  readonly value: number
  readonly count: number
}

/**
 * The number at `index`: "2.5 million", "2½", "one hundred and twenty", "a dozen", "4th", "twenty-first", "II"; otherwise
 * `undefined`.
 */
export function readNumber(tokens: readonly Token[], index: number): NumberPhrase | undefined {
  const { text, plain } = tokens[index] as Token
  if (!/^[-\d.]/.test(plain) && !numerals.has(text) && !numerals.has(plain)) return undefined
  const ordinal = readOrdinal(tokens, index)
  if (ordinal !== undefined) return { key: `ordinal ${ordinal.value}`, ...ordinal }
  const base =
    romanNumerals.get(text) ?? readDigits(tokens, index) ?? readSpelledNumber(tokens, index)
  if (base === undefined) return /^[\d.,·]+$/.test(plain) ? { key: plain, count: 1 } : undefined
  const scaled = readScale(tokens, index + base.count)
  const value = base.value * scaled.factor
  return { key: `number ${value}`, value, count: base.count + scaled.count }
}

function readOrdinal(tokens: readonly Token[], index: number): Counted | undefined {
  const { plain } = tokens[index] as Token
  if (/^\d+(?:st|nd|rd|th)$/.test(plain)) return { value: Number.parseInt(plain, 10), count: 1 }
  const ones = isHyphen(tokens[index + 1])
    ? ordinalWords.get(tokens[index + 2]?.plain ?? '')
    : undefined
  const tens = numberWords.get(plain) ?? 0
  if (tens >= 20 && ones !== undefined && ones < 10) return { value: tens + ones, count: 3 }
  const value = ordinalWords.get(plain)
  return value === undefined ? undefined : { value, count: 1 }
}

function readDigits(tokens: readonly Token[], index: number): Counted | undefined {
  const { plain } = tokens[index] as Token
  const value = /\d/.test(plain) ? (parseNumber(plain) ?? parsePower(plain)) : undefined
  if (value === undefined) return undefined
  const part = fractions.get(tokens[index + 1]?.text ?? '')
  return part === undefined ? { value, count: 1 } : { value: value + part, count: 2 }
}

/** A number in words: up to 99, with hundreds, "and a half", or a scale alone ("a million"). */
function readSpelledNumber(tokens: readonly Token[], index: number): Counted | undefined {
  const first = readBelowHundred(tokens, index)
  if (first === undefined)
    return scales.has(tokens[index]?.plain ?? '') ? { value: 1, count: 0 } : undefined
  let { value, count } = first
  if (tokens[index + count]?.plain === 'hundred') {
    const isAnd = tokens[index + count + 1]?.plain === 'and'
    const rest = readBelowHundred(tokens, index + count + (isAnd ? 2 : 1))
    if (rest !== undefined) {
      value = value * 100 + rest.value
      count += rest.count + (isAnd ? 2 : 1)
    }
  }
  const isHalf = ['and', 'a', 'half'].every(
    (word, at) => tokens[index + count + at]?.plain === word,
  )
  return isHalf ? { value: value + 0.5, count: count + 3 } : { value, count }
}

function readBelowHundred(tokens: readonly Token[], index: number): Counted | undefined {
  const value = numberWords.get(tokens[index]?.plain ?? '')
  if (value === undefined) return undefined
  const isTied = isHyphen(tokens[index + 1])
  const ones = numberWords.get(tokens[index + (isTied ? 2 : 1)]?.plain ?? '')
  const isPair = value >= 20 && ones !== undefined && ones > 0 && ones < 10
  return isPair ? { value: value + ones, count: isTied ? 3 : 2 } : { value, count: 1 }
}

/** The product of the scales at `index`, each possibly after a hyphen: "hundred million", "-billion". */
function readScale(tokens: readonly Token[], index: number): { factor: number; count: number } {
  let [factor, at] = [1, index]
  for (;;) {
    const next = isHyphen(tokens[at]) ? at + 1 : at
    const { plain = '' } = tokens[next] ?? {}
    const scale = scales.get(plain) ?? (index > 0 ? digitScales.get(plain) : undefined)
    if (scale === undefined) return { factor, count: at - index }
    factor *= scale
    at = next + 1
  }
}

function isHyphen(token: Token | undefined): boolean {
  return token?.exact === '-'
}

const fractions: ReadonlyMap<string, number> = new Map([
  ['¼', 0.25],
  ['½', 0.5],
  ['¾', 0.75],
])

/** Roman numerals that are not also other words, as "I", "V" and "X" may be. */
const romanNumerals: ReadonlyMap<string, Counted> = new Map(
  [
    ['II', 2],
    ['III', 3],
    ['IV', 4],
    ['VI', 6],
    ['VII', 7],
    ['VIII', 8],
    ['IX', 9],
    ['XI', 11],
    ['XII', 12],
    ['XIII', 13],
    ['XIV', 14],
    ['XV', 15],
    ['XVI', 16],
  ].map(([text, value]) => [String(text), { value: Number(value), count: 1 }] as const),
)

/** Words that a number may start with. */
const numerals: ReadonlySet<string> = new Set(
  [numberWords, ordinalWords, scales, romanNumerals].flatMap((words) => [...words.keys()]),
)
