import { scales, unitOf } from './quantities.ts'

/** A word or a mark as it is printed, with its place. */
export interface Token {
  readonly text: string
  readonly start: number
  readonly end: number
  /** What a word-for-word comparison sees of it: dashes are alike; quotes, emphasis and reference marks are overlooked (""). */
  readonly exact: string
  /** Small letters without diacritics; Greek letters by name. */
  readonly plain: string
  /** Whether it says something: no punctuation mark. */
  readonly isWord: boolean
}

const scan =
  /(?:(?<![\p{L}\p{N})\]%])[-−])?(?:\d{1,3}(?:[\u00a0\u2009\u202f]\d{3})+|(?:(?<!\d)\.)?\d(?:[\d.,·]*\d)?)(?:\p{L}[\p{L}\p{M}\p{N}]*)?|[Cc]an(?=not\b)|\p{L}[\p{L}\p{M}\p{N}\u00ad]*(?:-\n[^\S\n]*\p{Ll}[\p{L}\p{M}]*)*|['’](?:s|t|re|ve|ll|d|m)\b|°[CF]?|(?=\[)(?:(?<![\d%]\s?(?:\p{L}{1,9}\s)?)|(?<=(?<!\d)(?:19|20)\d\d\s?))\[\d{1,4}(?:\s?[,;–-]\s?\d{1,4}){0,8}\]|\S/gu

/** The words and marks of `text` in order. A unit that is glued to its number stands alone. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  for (const match of text.matchAll(scan)) {
    const [found] = match
    const start = match.index
    const [, digits = '', letters = ''] = /^([-−]?[\d.,·]*\d)(\p{L}.*)$/u.exec(found) ?? []
    if (letters !== '' && (unitOf(letters) !== undefined || scales.has(letters))) {
      tokens.push(token(digits, start), token(letters, start + digits.length))
    } else tokens.push(token(found, start))
  }
  return tokens
}

function token(text: string, start: number): Token {
  const end = start + text.length
  if (/^[A-Za-z0-9]+$/.test(text))
    return { text, start, end, exact: text, plain: text.toLowerCase(), isWord: true }
  if (text.length > 1 && text.startsWith('['))
    return { text, start, end, exact: '', plain: text, isWord: false }
  const isWord = /[\p{L}\p{N}]|^[%$€£°<>≤≥~≈&]$/u.test(text)
  return {
    text,
    start,
    end,
    exact: exactForm(text),
    plain: isWord ? plainForm(text) : text,
    isWord,
  }
}

function exactForm(text: string): string {
  if (/^["“”„‘’'«»‹›*_`]$/.test(text)) return ''
  if (/^[-‐‑‒–—−]$/.test(text)) return '-'
  return joined(text).normalize('NFKC')
}

function plainForm(text: string): string {
  const bare = joined(text).toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '')
  return bare.replace(/[αβγδκλμ]/g, (letter) => greekLetters[letter] ?? letter)
}

/** The word without a hyphenation at the line's end; apostrophes straight, minus signs as hyphens. */
function joined(text: string): string {
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
