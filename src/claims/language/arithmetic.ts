import { findUnit, numberWords, parseNumber, scales } from './quantities.ts'

/** A calculation that a sentence shows: "24.9 (89.5 − 64.6)", "(4.54 − 4)/3 = 0.18", "one in five". */
export interface ShownCalculation {
  readonly start: number
  readonly end: number
  /** Its result, as a share and in percent: a percent sign in it may mean hundredths ("5 % × 200") or not ("80 % − 60 %"). */
  readonly values: readonly number[]
  /** What the sentence says it gives, behind an equals sign; `undefined` if it does not say, or calculates with several units. */
  readonly stated?: { readonly text: string; readonly value: number; readonly isExact: boolean }
}

const number = String.raw`\d[\d.,'’\u00a0\u2009\u202f]{0,30}\d|\d|\.\d{1,30}`
const operator = '[-+−–×·*/÷]'
const scale = `(?:${[...scales.keys()].join('|')})(?!\\p{L})`
const scaledNumber = new RegExp(String.raw`(${number})(?:\s?(%|${scale}))?`, 'iu')
const symbol = new RegExp(`${scaledNumber.source}|[-+*/()]`, 'giu')
/** What is no part of a number behind an equals sign: brackets, and what it counts. */
const around = new RegExp(
  String.raw`^[\s(]+|\s?(?:(?<!\p{L})(?!${scale})\p{L}[\p{L}\s]*)?[\s)]*$`,
  'giu',
)
/** A unit or a few words behind a number in brackets: "(10 ms for the seek + 11 ms)". */
const words = String.raw`(?:\s?[%$€£]|\s?\p{L}[\p{L}\s]{0,40})?`
const operand = `[(]{0,9}[-−–]?[$€£]?(?:${number})${words}[)]{0,9}`
/** Another sign and operand; a sentence has few of them, however long a text without an end may be. */
const next = String.raw`(?:\s*${operator}\s*${operand})`
const chain = new RegExp(
  String.raw`(?<![\p{L}\d.,^(]|[-−–](?=\d))${operand}${next}{1,30}(?:\s*([=≈])\s*(${operand}${next}{0,30}))?`,
  'gu',
)
const countWord = String.raw`(${[...numberWords.keys()].join('|')}|\d+)`
const ratio = new RegExp(String.raw`\b${countWord}\s(?:in|of|out of)\s${countWord}\b`, 'giu')

/** How many calculations of each form are read in a sentence. */
const maxCalculations = 100

/** Finds the first calculations that a sentence shows. A range, a date or a name with a hyphen is none. */
export function findCalculations(sentence: string): readonly ShownCalculation[] {
  const found: ShownCalculation[] = []
  for (const { 0: text, 1: sign, 2: right = '', index } of sentence
    .matchAll(chain)
    .take(maxCalculations)) {
    const left = sign === undefined ? text : text.slice(0, text.lastIndexOf(sign))
    if (!isCalculation(left, sign !== undefined)) continue
    const values = [evaluate(left), evaluate(left, 0.01)].filter((value) => value !== undefined)
    if (values.length === 0) continue
    const value = sign === undefined || hasSeveralUnits(left) ? undefined : evaluate(right)
    const isExact = sign === '='
    found.push({
      start: index,
      end: index + text.length,
      values: values.flatMap((one) => [one, one * 100]),
      ...(value === undefined
        ? {}
        : { stated: { text: right.replace(around, ''), value, isExact } }),
    })
  }
  for (const { 0: text, 1: part = '', 2: whole = '', index } of sentence
    .matchAll(ratio)
    .take(maxCalculations)) {
    const [a, b] = [readCount(part), readCount(whole)]
    if (a !== undefined && b !== undefined && b > a)
      found.push({ start: index, end: index + text.length, values: [a / b, (a / b) * 100] })
  }
  return found
}

/** "15-25" is a range and "2019/20" a season; a calculation has spaces around its signs, or an equals sign behind it. */
function isCalculation(text: string, hasResult: boolean): boolean {
  return hasResult || new RegExp(String.raw`\s${operator}\s|[×÷*]`, 'u').test(text)
}

function readCount(word: string): number | undefined {
  return numberWords.get(word.toLowerCase()) ?? parseNumber(word)
}

function readScaled(text: string, percent: number): number | undefined {
  const [, digits = '', behind = ''] = scaledNumber.exec(text) ?? []
  const factor = behind === '%' ? percent : (scales.get(behind.toLowerCase()) ?? 1)
  const value = parseNumber(digits.replace(/['’]/g, ','))
  return value === undefined ? undefined : value * factor
}

const factors: Readonly<Record<string, (one: number, other: number) => number>> = {
  '+': (one, other) => one + other,
  '-': (one, other) => one - other,
  '*': (one, other) => one * other,
  '/': (one, other) => one / other,
}

/** "2 h + 30 min": the numbers alone do not tell the result. */
function hasSeveralUnits(text: string): boolean {
  const units = (text.match(/\p{L}+/gu) ?? []).flatMap((word) => findUnit(word) ?? [])
  return new Set(units.map(({ dimension, factor }) => `${dimension} ${factor}`)).size > 1
}

/**
 * The value of numbers with their scales, signs and brackets, other words left aside; `undefined` if it is not well formed.
 *
 * @param percent what a percent sign multiplies by
 */
function evaluate(text: string, percent = 1): number | undefined {
  const parts =
    text.replace(/[−–]/g, '-').replace(/[×·]/g, '*').replace(/÷/g, '/').match(symbol) ?? []
  let at = 0
  const readFactor = (): number | undefined => {
    const one = parts[at++] ?? ''
    if (one === '-') {
      const after = readFactor()
      return after === undefined ? undefined : -after
    }
    if (one !== '(') return readScaled(one, percent)
    const inside = readSum()
    if (parts[at] === ')') at++
    return inside
  }
  const readAll = (signs: string, next: () => number | undefined): number | undefined => {
    let value = next()
    while (value !== undefined && signs.includes(parts[at] ?? ' ')) {
      const sign = parts[at++] as string
      const other = next()
      value = other === undefined ? undefined : factors[sign]?.(value, other)
    }
    return value
  }
  const readSum = (): number | undefined => readAll('+-', () => readAll('*/', readFactor))
  const value = readSum()
  const isRead = parts.slice(at).every((part) => part === ')')
  return isRead && value !== undefined && Number.isFinite(value) ? value : undefined
}
