import { normalizeDigits, normalizeNumbers } from './languages.ts'
import { findUnit, normalizePower, powerPattern, scales } from './quantities.ts'

/** A word or a mark as printed, with its position. */
export interface Token {
  readonly text: string
  readonly start: number
  readonly end: number
  /** Its form for an exact comparison: lower case; all dashes are alike; quotation marks, emphasis and reference marks are ignored (""). */
  readonly exact: string
  /** Lower case without diacritics; Greek letters by name. */
  readonly plain: string
  /** Whether it is a word rather than a mark. */
  readonly isWord: boolean
}

const scan = new RegExp(
  String.raw`(?:(?<![\p{L}\p{N})\]%])[-−])?(?:${powerPattern}|(?:\d{1,3}(?:[\u00a0\u2009\u202f]\d{3})+|(?:(?<!\d)\.)?\d(?:[\d.,·]*\d)?)(?:\p{L}[\p{L}\p{M}\p{N}]*)?)|[Cc]an(?=not\b)|\p{L}[\p{L}\p{M}\p{N}\u00ad]*(?:[⁺⁻](?![⁰¹²³⁴-⁹])|(?:-\n[^\S\n]*\p{Ll}[\p{L}\p{M}]*)*)|['’](?:s|t|re|ve|ll|d|m)\b|°[CF]?|(?=\[)(?:(?<![\d%]\s?(?:\p{L}{1,9}\s)?)|(?<=(?<!\d)(?:19|20)\d\d\s?))\[\d{1,4}(?:\s?[,;–-]\s?\d{1,4}){0,8}\]|\S`,
  'gu',
)

/** As {@link scan}; characters of scripts without spaces are words of their own, and Arabic letters end before digits. */
const scanOtherScripts = new RegExp(
  scan.source
    .replace(
      String.raw`(?:\p{L}[\p{L}\p{M}\p{N}]*)?)|[Cc]an`,
      String.raw`(?:[\p{sc=Latin}\p{sc=Greek}][\p{sc=Latin}\p{sc=Greek}\p{M}\p{N}]*)?)|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]|\p{sc=Arab}[\p{sc=Arab}\p{M}]*|[Cc]an`,
    )
    .replace(
      String.raw`\p{L}[\p{L}\p{M}\p{N}\u00ad]*`,
      String.raw`\p{L}(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])[\p{L}\p{M}\p{N}\u00ad])*`,
    ),
  'gu',
)
const otherScript = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Arab}]/u

const startsLikeWord = /^[A-Za-z]/
const withLetters = /^([-−]?[\d.,·]*\d)(\p{L}.*)$/u

/** A word or a mark without its position. */
type Form = Omit<Token, 'start' | 'end'>

/** Forms by how the word or mark is printed; most repeat within a text. */
export type Forms = Map<string, Form>

/**
 * The words and marks of `text` in order. A unit attached to its number is a token of its own.
 * @param forms a cache, which this extends
 */
export function tokenize(text: string, forms: Forms = new Map()): Token[] {
  const tokens: Token[] = []
  const numbered = normalizeNumbers(text)
  const scanned = otherScript.test(text) ? scanOtherScripts : scan
  for (const match of numbered.matchAll(scanned)) {
    const [found] = match
    const start = match.index
    const printed = text.slice(start, start + found.length)
    const [, digits = '', letters = ''] = startsLikeWord.test(found)
      ? []
      : (withLetters.exec(found) ?? [])
    if (letters !== '' && (findUnit(letters) !== undefined || scales.has(letters))) {
      const number = printed.slice(0, digits.length)
      tokens.push(toNumber(number, digits, start, forms))
      tokens.push(toToken(letters, start + digits.length, forms))
    } else tokens.push(toNumber(printed, found, start, forms))
  }
  return tokens
}

/** A token whose number is compared as `found`, as in English. */
function toNumber(printed: string, found: string, start: number, forms: Forms): Token {
  const token = toToken(printed, start, forms)
  return printed === found ? token : { ...token, plain: toPlainForm(found) }
}

function toToken(printed: string, start: number, forms: Forms): Token {
  let form = forms.get(printed)
  if (form === undefined) {
    form = toForm(printed)
    forms.set(printed, form)
  }
  const { text, exact, plain, isWord } = form
  return { text, start, end: start + text.length, exact, plain, isWord }
}

function toForm(text: string): Form {
  if (/^[A-Za-z0-9]+$/.test(text))
    return { text, exact: text.toLowerCase(), plain: text.toLowerCase(), isWord: true }
  if (text.length > 1 && text.startsWith('['))
    return { text, exact: '', plain: text, isWord: false }
  const power = normalizePower(text)
  if (power !== undefined) return { text, exact: power, plain: power, isWord: true }
  const isWord = /[\p{L}\p{N}]|^[%$€£°<>≤≥~≈&⁺⁻]$/u.test(text)
  return {
    text,
    exact: toExactForm(text),
    plain: isWord ? toPlainForm(text) : text,
    isWord,
  }
}

function toExactForm(text: string): string {
  if (/^["“”„‘’'«»‹›*_`]$/.test(text)) return ''
  if (/^[-‐‑‒–—−]$/.test(text)) return '-'
  const raised = /^[⁰¹²³⁴-⁹]/.test(text) ? '^' : ''
  return raised + joinHyphenation(normalizeDigits(text).normalize('NFKC')).toLowerCase()
}

function toPlainForm(text: string): string {
  const power = normalizePower(text)
  if (power !== undefined) return power
  const bare = joinHyphenation(text.toLowerCase().normalize('NFKD')).replace(/\p{M}/gu, '')
  return bare.replace(/[αβγδκλμ]/g, (letter) => greekLetters[letter] ?? letter)
}

/** The word without a hyphenation at a line end; straight apostrophes, and hyphens for minus signs. */
function joinHyphenation(text: string): string {
  return text
    .replace(/-\n\s*|\u00ad/g, '')
    .replace('’', "'")
    .replace('−', '-')
}

const greekLetters: Readonly<Record<string, string>> = {
  α: 'alpha',
  β: 'beta',
  γ: 'gamma',
  δ: 'delta',
  κ: 'kappa',
  λ: 'lambda',
  μ: 'mu',
}
