import { lemma } from './lemma.ts'
import { readNumber } from './number-phrases.ts'
import { findUnit, type Unit } from './quantities.ts'
import { phrases, synonyms } from './synonyms.ts'
import type { Token } from './tokens.ts'
import { negators } from './vocabulary.ts'

/** The kind of word that is compared; a negator reverses its statement. */
export type WordKind = 'word' | 'number' | 'unit' | 'negator'

/** The joint meaning of one or more tokens. */
export interface WordMeaning {
  readonly kind: WordKind
  readonly key: string
  readonly lemma?: string
  readonly value?: number
  readonly unit?: Unit
  /** How many tokens it takes. */
  readonly count: number
}

/** Meanings of single words by how they are printed. */
export type MeaningCache = Map<string, WordMeaning>

/** Symbols and the words they stand for. */
const signs: ReadonlyMap<string, string> = new Map([
  ['<', 'less-than'],
  ['>', 'more-than'],
  ['≤', 'at-most'],
  ['≥', 'at-least'],
  ['~', 'about'],
  ['≈', 'about'],
  ['&', 'and'],
])

/**
 * The meaning of the token at `index` and those that belong to it. `isMeasured`: directly after a number or a unit;
 * `known`: a cache, which this extends.
 */
export function readMeaning(
  tokens: readonly Token[],
  index: number,
  isMeasured: boolean,
  known: MeaningCache,
): WordMeaning {
  const { text, plain } = tokens[index] as Token
  const phrase = readPhrase(tokens, index)
  const unit = isMeasured || /^[%$€£]$/.test(text) ? findUnit(phrase?.lemma ?? text) : undefined
  if (unit !== undefined)
    return {
      kind: 'unit',
      key: `unit ${unit.dimension} ${unit.factor}`,
      unit,
      count: phrase?.count ?? 1,
    }
  if (phrase !== undefined) return phrase
  if (text === 'No' && tokens[index + 1]?.text === '.' && /^\d/.test(tokens[index + 2]?.text ?? ''))
    return { kind: 'word', key: 'number', lemma: 'number', count: 2 }
  const number = readNumber(tokens, index)
  if (number !== undefined) return { kind: 'number', ...number }
  return readContraction(tokens, index) ?? readCachedMeaning(known, text, plain)
}

function readCachedMeaning(known: MeaningCache, text: string, plain: string): WordMeaning {
  const meaning = known.get(text) ?? lookUpMeaning(text, plain)
  known.set(text, meaning)
  return meaning
}

/** Several words that count as one. */
function readPhrase(tokens: readonly Token[], index: number): WordMeaning | undefined {
  const first = tokens[index]?.plain ?? ''
  const bySecond = phrasesByWords.get(first === "'t" ? 'not' : first)
  if (bySecond === undefined) return undefined
  const second = tokens[index + (tokens[index + 1]?.exact === '-' ? 2 : 1)]?.plain ?? ''
  for (const { rest, meaning } of bySecond.get(second) ?? []) {
    const count = matchPhrase(tokens, index, rest)
    if (count !== undefined) return { ...meaning, count }
  }
  return undefined
}

/** How many tokens the word at `index` and `rest` take, including hyphens between them; `undefined` if they are not there. */
function matchPhrase(
  tokens: readonly Token[],
  index: number,
  rest: readonly string[],
): number | undefined {
  let at = index + 1
  for (const word of rest) {
    if (tokens[at]?.exact === '-') at++
    if (tokens[at]?.plain !== word) return undefined
    at++
  }
  return at - index
}

interface Phrase {
  readonly first: string
  readonly rest: readonly string[]
  readonly meaning: Omit<WordMeaning, 'count'>
}

/** The phrases by their first and second word. */
const phrasesByWords: ReadonlyMap<string, ReadonlyMap<string, readonly Phrase[]>> = new Map(
  [...Map.groupBy(phrases.map(toPhrase), ({ first }) => first)].map(([first, group]) => [
    first,
    Map.groupBy(group, ({ rest }) => rest[0] ?? ''),
  ]),
)

function toPhrase([phrase, key]: readonly [string, string]): Phrase {
  const [first = '', ...rest] = phrase.split(' ')
  const kind = negators.has(key) ? 'negator' : 'word'
  return { first, rest, meaning: { kind, key: synonyms.get(lemma(key)) ?? key, lemma: key } }
}

/** The verb in "it's", "we've", "they're", "I'll" and "won't". */
function readContraction(tokens: readonly Token[], index: number): WordMeaning | undefined {
  const { plain } = tokens[index] as Token
  if (!plain.startsWith("'") && plain !== 'won') return undefined
  const [before, next] = [tokens[index - 1], tokens[index + 1]]
  const isVerb = plain !== "'s" || pronouns.has(before?.plain ?? '')
  const full =
    plain === 'won' && next?.plain === "'t"
      ? 'will'
      : plain === "'s" && /^(?:been|had|got|become)$/.test(next?.plain ?? '')
        ? 'have'
        : contractions.get(plain)
  return full === undefined || !isVerb ? undefined : { kind: 'word', key: lemma(full), count: 1 }
}

const pronouns: ReadonlySet<string> = new Set(
  'it he she that this there what who here where how'.split(' '),
)

const contractions: ReadonlyMap<string, string> = new Map([
  ["'s", 'be'],
  ["'re", 'be'],
  ["'m", 'be'],
  ["'ve", 'have'],
  ["'ll", 'will'],
])

function lookUpMeaning(text: string, plain: string): WordMeaning {
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
