import { numberWords, parseNumber } from './quantities.ts'

/** A calculation that a sentence shows: "24.9 (89.5 − 64.6)", "(4.54 − 4)/3 = 0.18", "one in five". */
export interface ShownCalculation {
  readonly start: number
  readonly end: number
  readonly value: number
  /** What the sentence says it gives, behind an equals sign; `undefined` if it does not say. */
  readonly stated?: { readonly text: string; readonly value: number; readonly isExact: boolean }
}

const number = String.raw`\d[\d.,'’\u00a0\u2009\u202f]{0,30}\d|\d|\.\d{1,30}`
const operator = '[-+−–×·*/÷]'
/** A unit or a few words behind a number in brackets: "(10 ms for the seek + 11 ms)". */
const words = String.raw`(?:\s?[%$€£]|\s?\p{L}[\p{L}\s]{0,40})?`
const operand = `[(]{0,9}[$€£]?(?:${number})${words}[)]{0,9}`
/** Another sign and operand; a sentence has few of them, however long a text without an end may be. */
const next = String.raw`(?:\s*${operator}\s*${operand})`
const chain = new RegExp(
  String.raw`(?<![\p{L}\d.,^(])${operand}${next}{1,30}(?:\s*([=≈])\s*(${operand}${next}{0,30}))?`,
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
    const value = evaluate(left)
    if (value === undefined) continue
    const given = sign === undefined ? undefined : evaluate(right)
    const stated =
      given === undefined
        ? {}
        : {
            stated: {
              text: right.replace(/^[\s(]+|[\s)]+$/g, ''),
              value: given,
              isExact: sign === '=',
            },
          }
    found.push({ start: index, end: index + text.length, value, ...stated })
  }
  for (const { 0: text, 1: part = '', 2: whole = '', index } of sentence
    .matchAll(ratio)
    .take(maxCalculations)) {
    const [a, b] = [readCount(part), readCount(whole)]
    if (a !== undefined && b !== undefined && b > a)
      found.push({ start: index, end: index + text.length, value: a / b })
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

const factors: Readonly<Record<string, (one: number, other: number) => number>> = {
  '+': (one, other) => one + other,
  '-': (one, other) => one - other,
  '*': (one, other) => one * other,
  '/': (one, other) => one / other,
}

/** The value of numbers with signs and brackets, words left aside; `undefined` if it is not well formed. */
function evaluate(text: string): number | undefined {
  const parts =
    text
      .replace(/[−–]/g, '-')
      .replace(/[×·]/g, '*')
      .replace(/÷/g, '/')
      .match(new RegExp(`${number}|[-+*/()]`, 'gu')) ?? []
  let at = 0
  const readFactor = (): number | undefined => {
    const part = parts[at++] ?? ''
    if (part !== '(') return parseNumber(part.replace(/['’]/g, ','))
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
