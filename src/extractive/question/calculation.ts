import { numberWords, scales } from '../../claims/language/quantities.ts'
import { findUnit } from '../language/units.ts'

/** A tool call that answers a question of arithmetic or units. */
export type Calculation =
  | { readonly tool: 'calculate'; readonly expression: string }
  | { readonly tool: 'convert_units'; readonly quantity: string; readonly to: string }

const maxChars = 300

/** The calculation that a question asks for; `undefined` if it asks for more than arithmetic or a conversion of units. */
export function readCalculation(question: string): Calculation | undefined {
  if (
    question.length > maxChars ||
    !/[\d]|\b(?:an?|one|two|three|ten|half|dozen|\p{L}+ty)\b/iu.test(question)
  )
    return undefined
  const text = withoutOpening(question.trim())
  return readConversion(text) ?? readArithmetic(text)
}

/** A calculation in words: "2 + 2", "100 km/h to mph". */
export function describeCalculation(calculation: Calculation): string {
  if (calculation.tool === 'calculate') return calculation.expression
  return `${calculation.quantity} to ${calculation.to}`
}

const opening =
  /^(?:please\s+|can you\s+|could you\s+|tell me\s+)*(?:what(?:'s|’s| is| are| does| do)?|how much (?:is|are|does|do)|calculate|compute|evaluate|work out|solve|find|convert|express|change|give me|the (?:value|result) of)\s+/i

function withoutOpening(text: string): string {
  let rest = text.replace(/(?:[\s?=.]|(?<![\d)])!)+$/, '')
  for (let round = 0; round < 3 && opening.test(rest); round++) rest = rest.replace(opening, '')
  return rest.replace(/\s+(?:equals?|equal to|make|be|come to)$/i, '')
}

const amount = '(-?\\d[\\d,]*(?:\\.\\d+)?|an?)'
const forward = new RegExp(
  `^${amount}\\s*(.{1,40}?)\\s+(?:to|into|in|as|expressed in|converted to)\\s+(.{1,40})$`,
  'i',
)
const backward = new RegExp(
  `^how (?:many|much)\\s+(.{1,40}?)\\s+(?:(?:is|are|make|makes|equals?|go into|fit in)(?:\\s+(?:there\\s+)?in)?|in|do|does)\\s+${amount}\\s*(.{1,40}?)(?:\\s+(?:have|has|equal|make|contain))?$`,
  'i',
)

/** "How long is a mile in kilometres?" */
const extent = new RegExp(
  `^how (?:long|far|tall|high|wide|deep|heavy|big|large|fast|hot|cold|warm|old) (?:is|are)\\s+${amount}\\s*(.{1,40}?)\\s+in\\s+(.{1,40})$`,
  'i',
)

function readConversion(question: string): Calculation | undefined {
  const text = withDigits(question)
  const [, number = '', from = '', to = ''] = forward.exec(text) ?? extent.exec(text) ?? []
  if (number !== '') return toConversion(number, from, to)
  const [, target = '', count = '', unit = ''] = backward.exec(text) ?? []
  return count === '' ? undefined : toConversion(count, unit, target)
}

function toConversion(number: string, from: string, to: string): Calculation | undefined {
  const [source, target] = [findUnit(from), findUnit(to)]
  if (source === undefined || target?.dimension !== source.dimension) return undefined
  const count = /^an?$/i.test(number) ? '1' : number.replaceAll(',', '')
  return { tool: 'convert_units', quantity: `${count} ${from.trim()}`, to: to.trim() }
}

/** Arithmetic in words and as operators, in order of replacement. */
const wording: readonly (readonly [RegExp, string])[] = [
  [/\bthe (?=sum|difference|product|quotient|square|cube|half|factorial)/g, ''],
  [/\b(?:sum|total) of (.+?) and (.+)$/g, '$1 + $2'],
  [/\bdifference (?:between|of) (.+?) and (.+)$/g, '$1 - $2'],
  [/\bproduct of (.+?) and (.+)$/g, '$1 * $2'],
  [/\bquotient of (.+?) and (.+)$/g, '$1 / $2'],
  [/\bsubtract (\S+) from (\S+)/g, '$2 - $1'],
  [/\badd (\S+) (?:and|to) (\S+)/g, '$1 + $2'],
  [/\bmultiply (\S+) (?:by|and|with) (\S+)/g, '$1 * $2'],
  [/\bdivide (\S+) by (\S+)/g, '$1 / $2'],
  [/(?:\bsquare root of|\bsqrt of|√)\s*(?=\()/g, 'sqrt'],
  [/(?:\bsquare root of|\bsqrt(?: of)?|√)\s*([\d.]+)/g, 'sqrt($1)'],
  [/\bcube root of\s*([\d.]+)/g, 'cbrt($1)'],
  [/\s*(?:%|\bper ?cent\b)\s+of\s+/g, '% of '],
  [/(?<=[-+*/(]\s*[\d.]+)% of /g, ' / 100 * '],
  [/\b(?:a |one )?half of\s+/g, '1 / 2 * '],
  [/\b(?:a |one )?third of\s+/g, '1 / 3 * '],
  [/\b(?:a |one )?quarter of\s+/g, '1 / 4 * '],
  [/\b(?:double|twice)\s+/g, '2 * '],
  [/\b(?:to the power of|raised to(?: the power of)?)\b/g, '^'],
  [/\*\*/g, '^'],
  [/\bsquared\b/g, '^ 2'],
  [/\bcubed\b/g, '^ 3'],
  [/\bfactorial of (\d+)/g, '$1!'],
  [/(\d+) factorial\b/g, '$1!'],
  [/\bplus\b/g, '+'],
  [/\b(?:minus|less)\b/g, '-'],
  [/\b(?:times|multiplied by)\b/g, '*'],
  [/\b(?:divided by|over)\b/g, '/'],
  [/[×·✕∙]/g, '*'],
  [/(?<=\d\s?)x(?=\s?\d)/g, '*'],
  [/÷/g, '/'],
  [/[−–]/g, '-'],
]

/** A date ("2020-12-03") or a range of years ("1914-1918"), which only looks like a subtraction. */
const dateLike = /^(?:\d{1,4}-\d{1,2}-\d{1,4}|[12]\d{3}[-–][12]\d{3})$/

function readArithmetic(question: string): Calculation | undefined {
  if (dateLike.test(question)) return undefined
  const digits = withDigits(question.toLowerCase()).replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, '')
  const replaced = wording.reduce((text, [pattern, sign]) => text.replace(pattern, sign), digits)
  const expression = replaced.replaceAll(/\s+/g, ' ').trim()
  return isExpression(expression) ? { tool: 'calculate', expression } : undefined
}

const tokenPattern =
  /\d+(?:\.\d+)?|\.\d+|% of\b|(?:sqrt|cbrt|sin|cos|tan|log10|log|ln|exp|abs)(?=\()|\bpi\b|[-+*/^%!()]|\S/g

/** Whether a text is one well-formed expression with at least one operation. */
function isExpression(text: string): boolean {
  let depth = 0
  let wantsValue = true
  let operations = 0
  for (const token of text.match(tokenPattern) ?? []) {
    const kind = classifyToken(token)
    if (kind === undefined) return false
    const isSign = wantsValue && /^[-+]$/.test(token)
    if (!isSign && wantsValue !== (kind === 'value' || kind === 'opening' || kind === 'function'))
      return false
    if (kind === 'opening') depth++
    if (kind === 'closing' && --depth < 0) return false
    if (kind === 'function' || kind === 'after' || (kind === 'between' && !isSign)) operations++
    if (kind === 'value') wantsValue = false
    if (kind === 'between') wantsValue = true
  }
  return depth === 0 && !wantsValue && operations > 0
}

/** What a token is: a value, a function, a bracket, or an operator between two values or after one. */
function classifyToken(
  token: string,
): 'value' | 'function' | 'opening' | 'closing' | 'between' | 'after' | undefined {
  if (/^[\d.]|^pi$/.test(token)) return 'value'
  if (/^[a-z]/.test(token)) return token.length > 1 ? 'function' : undefined
  if (token === '(') return 'opening'
  if (token === ')') return 'closing'
  if (token === '!' || token === '%') return 'after'
  return /^(?:[-+*/^]|% of)$/.test(token) ? 'between' : undefined
}

const digitWords = [...numberWords.keys()]
const ones = digitWords.slice(1, 10).join('|')
const tens = digitWords.slice(20).join('|')
const tensPattern = new RegExp(`\\b(${tens})(?:[- ](${ones}))?\\b`, 'gi')
const smallPattern = new RegExp(`\\b(${digitWords.slice(0, 20).join('|')})\\b`, 'gi')
const scaledPattern = /\b(\d+(?:\.\d+)?) (hundred|thousand|million)\b/gi

/** Replaces number words by digits: "two plus forty-two" gives "2 plus 42", "3 million" gives "3000000". */
export function withDigits(text: string): string {
  const toValue = (word = 'zero') => numberWords.get(word.toLowerCase()) ?? 0
  return text
    .replaceAll(tensPattern, (_found, ten: string, one?: string) =>
      String(toValue(ten) + toValue(one)),
    )
    .replaceAll(smallPattern, (word) => String(toValue(word)))
    .replaceAll(scaledPattern, (_found, count: string, scale: string) =>
      String(Number(count) * (scales.get(scale.toLowerCase()) ?? 1)),
    )
}
