import { refuse } from './calculator-arithmetic.ts'
import type { CalculatorFunction } from './calculator-functions.ts'

/** Stands for a percent sign in the result of {@link normalizeExpression}, because mathjs reads `5% - 3` as a remainder. */
export const percentMark = "'"

type Functions = ReadonlyMap<string, CalculatorFunction>

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹'
const replacements: readonly (readonly [RegExp, string])[] = [
  [/\s*=\s*\??\s*$/, ''],
  [/(?<=\d)[\u00a0\u2009\u202f_](?=\d{3})/g, ''],
  [/\s+/g, ' '],
  [/\*\*/g, '^'],
  [/[×✕⋅·∙∗]/g, '*'],
  [/[÷∕⁄]/g, '/'],
  [/[−–﹣-]/g, '-'],
  [/π/g, 'pi'],
  [/√ ?(\d+(?:\.\d+)?|pi\b)/g, 'sqrt($1)'],
  [/√ ?\(/g, 'sqrt('],
  [/ ?\bper ?cent\b/g, '%'],
  [/(?<=[\d)]) x (?=[\d(.])/g, ' * '],
]

/**
 * Converts input to an expression for mathjs: Unicode signs and superscripts as ASCII, thousands separators removed,
 * percent signs as {@link percentMark}.
 * @throws {@link ScholiumError} `invalid_input` if a comma or percent sign is ambiguous
 */
export function normalizeExpression(typed: string, functions: Functions): string {
  if (/['"`;]/.test(typed)) refuse('it contains characters that are not arithmetic')
  const amounts = withoutCurrency(typed.trim()).replace(/(\d+)? ?([½¼¾⅓⅔])/g, toFraction)
  const plain = replacements.reduce((text, [from, to]) => text.replace(from, to), amounts)
  return withoutGroups(
    plain.replace(/(⁻?)([⁰¹²³⁴-⁹]+)/g, toPower).replace(percent, toPercent),
    functions,
  )
}

/** Removes the sign of a single currency: "$5 * 3" is 5 * 3. */
function withoutCurrency(typed: string): string {
  const signs = new Set(typed.match(/[$€£¥]/g))
  if (signs.size > 1) refuse('it adds up different currencies')
  return typed.replace(/[$€£¥] ?(?=\.?\d)|(?<=\d) ?[$€£¥](?![\d.])/g, '')
}

const fractions: Readonly<Record<string, string>> = {
  '½': '1/2',
  '¼': '1/4',
  '¾': '3/4',
  '⅓': '1/3',
  '⅔': '2/3',
}

/** "½", "4½". */
function toFraction(_whole: string, count: string | undefined, sign: string): string {
  return `(${count === undefined ? '' : `${count}+`}${fractions[sign]})`
}

function toPower(_whole: string, minus: string, digits: string): string {
  const plain = Array.from(digits, (digit) => superscripts.indexOf(digit)).join('')
  return `^(${minus === '' ? '' : '-'}${plain})`
}

const percent = /( ?)%( ?)(of\b ?)?(?=(.?)(.?))/g

/** A percent sign, or a remainder if a number follows: the spaces around it distinguish `5% - 3` from `5 % -3`. */
function toPercent(
  _whole: string,
  before: string,
  after: string,
  of: string | undefined,
  next: string,
  second: string,
  offset: number,
  text: string,
): string {
  const isGlued = before === ''
  if (of !== undefined) {
    const isFirstFactor = /(?:^|[-+*(,]) ?[\d.,]+$/.test(text.slice(0, offset))
    return isFirstFactor
      ? `${percentMark}*`
      : refuse('write the percentage of a value in parentheses')
  }
  if (next === '' || ')],*/^'.includes(next)) return percentMark + after
  if (next === '+' || next === '-') {
    if (isGlued) return percentMark + after
    if (after === ' ' && second !== ' ') return ' mod '
  } else if (/[\d.]/.test(next) ? !(isGlued && after === ' ') : !isGlued && after === ' ') {
    return ' mod '
  }
  return refuse('"%" can be read as percent or as remainder: write "/ 100" or "mod"')
}

const group = /(?<![\d.,])[1-9]\d{0,2}(?:,\d{3})+(?!\d)/y

/** Removes thousands separators. Between the arguments of a function, commas are kept. */
function withoutGroups(text: string, functions: Functions): string {
  const open: number[] = []
  let plain = ''
  for (let index = 0; index < text.length; index++) {
    const character = text[index] as string
    if (character === '(' || character === '[') open.push(index)
    if (character === ')' || character === ']') open.pop()
    group.lastIndex = index
    const digits = group.exec(text)?.[0]
    if (digits === undefined) plain += character
    else {
      plain += isThousands(text, index, digits, open.at(-1), functions)
        ? digits.replaceAll(',', '')
        : digits
      index += digits.length - 1
    }
  }
  return plain
}

/** Whether the commas of `digits` are thousands separators; refused if they may also separate arguments. */
function isThousands(
  text: string,
  index: number,
  digits: string,
  opener: number | undefined,
  functions: Functions,
): boolean {
  if (opener === undefined) return true
  const name = /[A-Za-z_]\w*(?= ?$)/.exec(text.slice(0, opener))?.[0]
  if (text[opener] === '(' && name === undefined) return true
  const { minArguments = 1, maxArguments = Number.POSITIVE_INFINITY } =
    functions.get(text[opener] === '(' ? (name ?? '') : '') ?? {}
  if (maxArguments === 1) return true
  if (minArguments === maxArguments) return false
  const inside = text.slice(opener + 1).split(/[)\]]/)[0] ?? ''
  const isOnlyArgument = inside.trim() === digits && opener < index
  if (
    maxArguments === Number.POSITIVE_INFINITY &&
    (isOnlyArgument || /(?<![\d.])\d{4}/.test(inside))
  ) {
    return false
  }
  return refuse('the commas can separate thousands or arguments: write thousands without a comma')
}
