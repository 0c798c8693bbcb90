import { lemma } from './lemma.ts'
import { numberValue, numberWords, ordinalWords, scales, type Unit, unitOf } from './quantities.ts'
import { phrases, synonyms } from './synonyms.ts'
import type { Token } from './tokens.ts'
import { fillers, negators } from './vocabulary.ts'

/** A word that is compared: equal `key`s say the same up to inflection, spelling, synonyms and ways to write a number. */
export interface Word {
  /** The sentence that it stands in; `start` and `end` count in it. */
  readonly sentence: string
  readonly start: number
  readonly end: number
  readonly kind: 'word' | 'number' | 'unit' | 'negator'
  readonly plain: string
  readonly lemma: string
  readonly key: string
  readonly value: number | undefined
  readonly unit: Unit | undefined
  /** Written like a name: a capital, or letters mixed with digits. */
  readonly isCapital: boolean
  /** The sentence's first word, where a capital need not mean a name. */
  readonly isFirst: boolean
  readonly inBrackets: boolean
  /** The mark between this word and the one before it: "," ";" "(" …, or "". */
  readonly markBefore: string
}

/** What some tokens mean together. */
type Meaning = Pick<Word, 'kind' | 'key'> &
  Partial<Pick<Word, 'lemma' | 'value' | 'unit'>> & { readonly count: number }

/** The words to compare in a sentence: without marks and fillers; numbers, units, phrases and dates in one form. */
export function wordsOf(text: string, tokens: readonly Token[]): Word[] {
  const words: Word[] = []
  let depth = 0
  let mark = ''
  let index = 0
  while (index < tokens.length) {
    const token = tokens[index] as Token
    if (!token.isWord) {
      depth = Math.max(
        0,
        depth + (/^[([]$/.test(token.text) ? 1 : /^[)\]]$/.test(token.text) ? -1 : 0),
      )
      mark = token.exact === '' ? mark : token.exact
      index++
      continue
    }
    const isTied = mark === '' || mark === '-' || mark === '/'
    const meaning = meaningAt(tokens, index, isTied ? words.at(-1) : undefined)
    const last = tokens[index + meaning.count - 1] ?? token
    index += meaning.count
    const isLabel = token.text === 'A' && words.length > 0
    if (fillers.has(meaning.key) && !isLabel) continue
    const place = { isFirst: words.length === 0, inBrackets: depth > 0, markBefore: mark }
    words.push(wordOf(text, token, last.end, meaning, place))
    mark = ''
  }
  return daysFirst(words)
}

type Place = Pick<Word, 'isFirst' | 'inBrackets' | 'markBefore'>

function wordOf(
  sentence: string,
  { text, start, plain }: Token,
  end: number,
  meaning: Meaning,
  place: Place,
): Word {
  const { kind, key, lemma = key, value, unit } = meaning
  const { isFirst, inBrackets, markBefore } = place
  const isCapital =
    text === plain ? isMixed(text) : /^\p{Lu}|\p{Ll}\p{Lu}/u.test(text) || isMixed(text)
  return {
    sentence,
    start,
    end,
    kind,
    plain,
    lemma,
    key,
    value,
    unit,
    isCapital,
    isFirst,
    inBrackets,
    markBefore,
  }
}

/** Letters with digits: "p53". */
function isMixed(text: string): boolean {
  return /\d/.test(text) && /\p{L}/u.test(text)
}

/** The word as it is printed, with what a hyphen ties to it. */
export function printed({ sentence, start, end }: Word): string {
  const before =
    /(?:[\p{L}\p{N}]+[-‐])+$/u.exec(sentence.slice(Math.max(0, start - 40), start))?.[0] ?? ''
  const after = /^(?:[-‐][\p{L}\p{N}]+)+/u.exec(sentence.slice(end, end + 40))?.[0] ?? ''
  return before + sentence.slice(start, end) + after
}

/** Marks that speak, by what they say. */
const signs: ReadonlyMap<string, string> = new Map([
  ['<', 'less-than'],
  ['>', 'more-than'],
  ['≤', 'at-most'],
  ['≥', 'at-least'],
  ['~', 'about'],
  ['≈', 'about'],
  ['&', 'and'],
])

function meaningAt(tokens: readonly Token[], index: number, before: Word | undefined): Meaning {
  const { text, plain } = tokens[index] as Token
  const phrase = phraseAt(tokens, index)
  const isMeasured = before?.kind === 'number' || before?.kind === 'unit'
  const unit = isMeasured || /^[%$€£]$/.test(text) ? unitOf(phrase?.key ?? text) : undefined
  if (unit !== undefined)
    return {
      kind: 'unit',
      key: `unit ${unit.dimension} ${unit.factor}`,
      unit,
      count: phrase?.count ?? 1,
    }
  if (phrase !== undefined) return phrase
  return numberAt(tokens, index) ?? meaningOf(text, plain)
}

/** Several words that count as one. */
function phraseAt(tokens: readonly Token[], index: number): Meaning | undefined {
  for (const { rest, key } of phrasesByFirstWord.get(tokens[index]?.plain ?? '') ?? none) {
    if (rest.every((word, at) => tokens[index + 1 + at]?.plain === word)) {
      return { kind: negators.has(key) ? 'negator' : 'word', key, count: rest.length + 1 }
    }
  }
  return undefined
}

const none: readonly never[] = []

const phrasesByFirstWord: ReadonlyMap<string, readonly { rest: readonly string[]; key: string }[]> =
  Map.groupBy(
    phrases.map(([phrase, key]) => ({
      first: phrase.split(' ')[0] ?? '',
      rest: phrase.split(' ').slice(1),
      key,
    })),
    ({ first }) => first,
  )

/** A number with its scale ("2.5 million"), in digits or as words ("twenty-one"), or an ordinal. */
function numberAt(tokens: readonly Token[], index: number): Meaning | undefined {
  const { plain } = tokens[index] as Token
  const hasDigit = /\d/.test(plain)
  const ordinal =
    hasDigit && /^\d+(?:st|nd|rd|th)$/.test(plain)
      ? Number.parseInt(plain, 10)
      : ordinalWords.get(plain)
  if (ordinal !== undefined)
    return { kind: 'number', key: `ordinal ${ordinal}`, value: ordinal, count: 1 }
  const spelled = spelledAt(tokens, index)
  const value = hasDigit ? numberValue(plain) : spelled?.value
  if (value === undefined)
    return /^[\d.,·]+$/.test(plain) ? { kind: 'number', key: plain, count: 1 } : undefined
  const count = spelled?.count ?? 1
  const scale = scales.get(tokens[index + count]?.plain ?? '')
  const total = value * (scale ?? 1)
  return {
    kind: 'number',
    key: `number ${total}`,
    value: total,
    count: scale === undefined ? count : count + 1,
  }
}

function spelledAt(
  tokens: readonly Token[],
  index: number,
): { value: number; count: number } | undefined {
  const value = numberWords.get(tokens[index]?.plain ?? '')
  if (value === undefined) return undefined
  const ones =
    tokens[index + 1]?.exact === '-' ? numberWords.get(tokens[index + 2]?.plain ?? '') : undefined
  const isPair = value >= 20 && ones !== undefined && ones > 0 && ones < 10
  return isPair ? { value: value + ones, count: 3 } : { value, count: 1 }
}

function meaningOf(text: string, plain: string): Meaning {
  const sign = signs.get(text)
  if (sign !== undefined) return { kind: 'word', key: sign, count: 1 }
  if (plain === "'t") return { kind: 'negator', key: 'not', count: 1 }
  const base = isCode(text, plain)
    ? /\p{Lu}s$/u.test(text)
      ? plain.slice(0, -1)
      : plain
    : lemma(plain)
  return {
    kind: negators.has(base) ? 'negator' : 'word',
    key: synonyms.get(base) ?? base,
    lemma: base,
    count: 1,
  }
}

/** An abbreviation ("AIDS", "mRNAs", "CYP1A2"), which is not inflected like a word. */
function isCode(text: string, plain: string): boolean {
  return text !== plain && text.length < 8 && /\p{Lu}.*\p{Lu}/u.test(text)
}

const months: ReadonlySet<string> = new Set(
  'january february march april may june july august september october november december'.split(
    ' ',
  ),
)

/** "July 4" as "4 July", so that both orders of a date compare equal. */
function daysFirst(words: readonly Word[]): Word[] {
  const ordered = [...words]
  for (let index = 0; index + 1 < ordered.length; index++) {
    const [month, day] = [ordered[index] as Word, ordered[index + 1] as Word]
    const isDay = day.kind === 'number' && (day.value ?? 99) <= 31 && day.markBefore === ''
    if (!isDay || !month.isCapital || !months.has(month.plain)) continue
    ordered[index] = day
    ordered[index + 1] = month
    index++
  }
  return ordered
}
